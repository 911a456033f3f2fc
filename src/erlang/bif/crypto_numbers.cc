// Random numbers, which follow from the seed of the run, and powers.
#include <openssl/bn.h>

#include <algorithm>

#include "erlang/bif/crypto_family.h"
#include "erlang/term/bits.h"

namespace ravel::erlang::crypto {

namespace {

struct NumberDeleter {
  void operator()(BIGNUM* p) const { BN_free(p); }
};
using Number = std::unique_ptr<BIGNUM, NumberDeleter>;

Number number_of(const Bytes& bytes) {
  return Number(BN_bin2bn(bytes.data(), static_cast<int>(bytes.size()), nullptr));
}

Bytes bytes_of_number(const BIGNUM* number) {
  Bytes bytes(static_cast<std::size_t>(BN_num_bytes(number)));
  BN_bn2bin(number, bytes.data());
  return bytes;
}

// A number below `range`: so many bits more than it has that none is noticeably likelier than another.
Number random_below(Call& call, const BIGNUM* range) {
  const Number random = number_of(random_bytes(call, static_cast<std::size_t>(BN_num_bytes(range)) + 16));
  Number result(BN_new());
  BN_CTX* const context = BN_CTX_new();
  BN_mod(result.get(), random.get(), range, context);
  BN_CTX_free(context);
  return result;
}

// As OTP's C code passes numbers: four bytes of length before them.
std::optional<Bytes> mpint_bytes(Term binary) {
  auto bytes = binary_bytes(binary);
  if (!bytes || bytes->size() < 4) return std::nullopt;
  bytes->erase(bytes->begin(), bytes->begin() + 4);
  return bytes;
}

Term mpint(Call& call, const Bytes& bytes) {
  Bytes all(4);
  for (int i = 0; i < 4; ++i)
    all[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(bytes.size() >> (24 - 8 * i));
  all.insert(all.end(), bytes.begin(), bytes.end());
  return binary(call, all);
}

}  // namespace

Term strong_rand_bytes_nif_1(Call& call, const Term* arguments) {
  if (!arguments[0].is_small() || arguments[0].small_value() < 0)
    return call.raise(ErrorClass::kError, atoms::kBadarg);
  return binary(call, random_bytes(call, static_cast<std::size_t>(arguments[0].small_value())));
}

Term strong_rand_range_nif_1(Call& call, const Term* arguments) {
  const auto bytes = binary_bytes(arguments[0]);
  if (!bytes) return call.raise(ErrorClass::kError, atoms::kBadarg);
  const Number range = number_of(*bytes);
  if (BN_is_zero(range.get())) return call.raise(ErrorClass::kError, atoms::kBadarg);
  return binary(call, bytes_of_number(random_below(call, range.get()).get()));
}

Term rand_uniform_nif_2(Call& call, const Term* arguments) {
  const auto from = mpint_bytes(arguments[0]), to = mpint_bytes(arguments[1]);
  if (!from || !to) return call.raise(ErrorClass::kError, atoms::kBadarg);
  const Number low = number_of(*from), range = number_of(*to);
  if (BN_sub(range.get(), range.get(), low.get()) != 1 || BN_is_negative(range.get()) ||
      BN_is_zero(range.get()))
    return call.raise(ErrorClass::kError, atoms::kBadarg);
  const Number result = random_below(call, range.get());
  BN_add(result.get(), result.get(), low.get());
  return mpint(call, bytes_of_number(result.get()));
}

// Base ^ Exponent mod Modulus; with a length before it if the last argument is not 0.
Term mod_exp_nif_4(Call& call, const Term* arguments) {
  const auto base = binary_bytes(arguments[0]), exponent = binary_bytes(arguments[1]),
             modulus = binary_bytes(arguments[2]);
  if (!base || !exponent || !modulus || !arguments[3].is_small())
    return call.raise(ErrorClass::kError, atoms::kBadarg);
  Number result(BN_new());
  BN_CTX* const context = BN_CTX_new();
  const int is_good = BN_mod_exp(result.get(), number_of(*base).get(), number_of(*exponent).get(),
                                 number_of(*modulus).get(), context);
  BN_CTX_free(context);
  if (is_good != 1) return atoms::kError;
  const Bytes bytes = bytes_of_number(result.get());
  return arguments[3].small_value() == 0 ? binary(call, bytes) : mpint(call, bytes);
}

}  // namespace ravel::erlang::crypto
