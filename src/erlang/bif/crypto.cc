// The native functions of OTP's crypto: their table, and what they have in common.
#include <openssl/crypto.h>
#include <openssl/provider.h>

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "erlang/bif/builtins.h"
#include "erlang/bif/crypto_family.h"
#include "erlang/bif/shown_names.h"
#include "erlang/bif/system_family.h"
#include "erlang/term/bits.h"
#include "erlang/term/iodata.h"
#include "erlang/term/map.h"

namespace ravel::erlang {

namespace crypto {

Term raise(Call& call, std::string_view tag, std::string_view file, int argument, std::string_view message) {
  const Term pairs[] = {call.atom("c_file_name"),        make_string(call.heap, file),
                        call.atom("c_file_line_num"),    Term::small(0),
                        call.atom("c_function_arg_num"), Term::small(argument)};
  const Term where = map_put_pairs(call.heap, call.names, empty_map(call.heap), pairs);
  return call.raise(ErrorClass::kError,
                    call.heap.tuple({call.atom(tag), where, make_string(call.heap, message)}));
}

std::optional<Bytes> binary_bytes(Term term) {
  if (!is_binary(term)) return std::nullopt;
  const BitView view = view_bits(term);
  Bytes bytes(view.length / 8);
  copy_bits(bytes.data(), 0, view.bytes, view.offset, view.length);
  return bytes;
}

std::optional<Bytes> iodata_bytes(Term data) {
  if (is_binary(data)) return binary_bytes(data);
  if (!is_list(data)) return std::nullopt;
  Bytes bytes;
  const bool is_iodata = for_each_iodata(
      data, IodataUnit::kByte, [&](std::uint8_t byte) { return bytes.push_back(byte), true; },
      [&](const BitView& view) {
        const std::size_t before = bytes.size();
        bytes.resize(before + view.length / 8);
        copy_bits(bytes.data() + before, 0, view.bytes, view.offset, view.length);
        return true;
      });
  return is_iodata ? std::optional(std::move(bytes)) : std::nullopt;
}

Term binary(Call& call, std::span<const std::uint8_t> bytes) {
  return make_binary(call.heap, bytes.data(), bytes.size());
}

namespace {

// To the end of the process; null: this library has none of the name.
class Provider {
 public:
  explicit Provider(const char* name) : loaded_(OSSL_PROVIDER_load(nullptr, name)) {}
  Provider(const Provider&) = delete;
  Provider& operator=(const Provider&) = delete;
  ~Provider() {
    if (loaded_ != nullptr) OSSL_PROVIDER_unload(loaded_);
  }

 private:
  OSSL_PROVIDER* loaded_;
};

}  // namespace

void load_legacy_algorithms() {
  static const Provider legacy("legacy"), usual("default");  // which is no longer loaded by itself then
}

Bytes random_bytes(Call& call, std::size_t count) {
  Process& self = call.self();
  const Term reference = call.machine.signals.make_reference(self);
  static_cast<void>(may_show(call, self.pid, NameUse::kNumber));
  // The name of the process, not its index, which depends on what was explored before.
  std::uint64_t state = combine(hash_string(call.names.pid_text(self.pid), 7), Names::index_of(reference));
  state = combine(state, static_cast<std::uint64_t>(call.machine.options.random_seed));
  Bytes bytes(count);
  for (std::size_t i = 0; i < count; i += 32) {
    std::uint8_t block[EVP_MAX_MD_SIZE];
    std::uint64_t input[2] = {state, i};
    unsigned size = 0;
    EVP_Digest(input, sizeof input, block, &size, EVP_sha256(), nullptr);
    std::copy_n(block, std::min<std::size_t>(32, count - i), bytes.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return bytes;
}

namespace {

// All native states are in the map of arrays (atomics.cc), under a key that no array has.
Term state_key(Call& call, Term reference) { return call.heap.tuple({reference}); }

}  // namespace

void note_native_state(Call& call, Term reference, std::uint8_t how) {
  call.machine.record.note_plain_access(ObjectClass::kAtomic, combine(reference.reference_payload(), 0), how);
}

Term make_native_state(Call& call, Term value) {
  const Term reference = call.machine.signals.make_reference(call.self());
  put_native_state(call, reference, value);
  return reference;
}

Term native_state(Call& call, Term reference, std::uint8_t how, Noting noting) {
  if (!reference.is_reference()) return Term::none();
  const Term value = map_get(call.names, call.machine.shared_terms().arrays, state_key(call, reference));
  if (!value.is_none() && noting == Noting::kYes) note_native_state(call, reference, how);
  return value;
}

void put_native_state(Call& call, Term reference, Term value) {
  const Term changed =
      map_put(call.heap, call.names, call.machine.shared_terms().arrays, state_key(call, reference), value);
  call.machine.change_shared_terms().arrays = changed;
}

void drop_native_state(Call& call, Term reference) {
  const Term changed =
      map_remove(call.heap, call.names, call.machine.shared_terms().arrays, state_key(call, reference));
  call.machine.change_shared_terms().arrays = changed;
}

namespace {

Term info_lib_0(Call& call, const Term*) {
  const std::string_view name = "OpenSSL", version = OpenSSL_version(OPENSSL_VERSION);
  const Term entry = call.heap.tuple({make_binary(call.heap, name.data(), name.size()),
                                      Term::small(static_cast<std::int64_t>(OpenSSL_version_num())),
                                      make_binary(call.heap, version.data(), version.size())});
  return call.heap.list(std::span(&entry, 1));
}

Term info_nif_0(Call& call, const Term*) {
  const Term version = make_string(call.heap, OpenSSL_version(OPENSSL_VERSION));
  const Term pairs[] = {call.atom("compile_type"),
                        call.atom("normal"),
                        call.atom("link_type"),
                        call.atom("dynamic"),
                        call.atom("cryptolib_version_compiled"),
                        version,
                        call.atom("cryptolib_version_linked"),
                        version,
                        call.atom("fips_provider_available"),
                        atoms::kFalse};
  return map_put_pairs(call.heap, call.names, empty_map(call.heap), pairs);
}

Term info_fips_0(Call& call, const Term*) { return call.atom("not_supported"); }

Term no_algorithms_0(Call&, const Term*) { return Term::nil(); }

Term rand_seed_nif_1(Call& call, const Term* arguments) {
  return is_binary(arguments[0]) ? atoms::kOk : call.raise(ErrorClass::kError, atoms::kBadarg);
}

constexpr auto kCryptoBuiltins = std::to_array<Builtin>({
    {"crypto", "aead_cipher_nif", 7, Effect::kPure, aead_cipher_nif_7},
    {"crypto", "cipher_algorithms", 0, Effect::kPure, cipher_algorithms_0},
    {"crypto", "cipher_info_nif", 1, Effect::kPure, cipher_info_nif_1},
    {"crypto", "curve_algorithms", 0, Effect::kPure, no_algorithms_0},
    {"crypto", "do_exor", 2, Effect::kPure, do_exor_2},
    {"crypto", "hash_algorithms", 0, Effect::kPure, hash_algorithms_0},
    {"crypto", "hash_equals_nif", 2, Effect::kPure, hash_equals_nif_2},
    {"crypto", "hash_final_nif", 1, Effect::kPure, hash_final_nif_1},
    {"crypto", "hash_final_xof_nif", 2, Effect::kPure, hash_final_xof_nif_2},
    {"crypto", "hash_info_nif", 1, Effect::kPure, hash_info_nif_1},
    {"crypto", "hash_init_nif", 1, Effect::kPure, hash_init_nif_1},
    {"crypto", "hash_nif", 2, Effect::kPure, hash_nif_2},
    {"crypto", "hash_update_nif", 2, Effect::kPure, hash_update_nif_2},
    {"crypto", "info_fips", 0, Effect::kPure, info_fips_0},
    {"crypto", "info_lib", 0, Effect::kPure, info_lib_0},
    {"crypto", "info_nif", 0, Effect::kPure, info_nif_0},
    {"crypto", "mac_algorithms", 0, Effect::kPure, mac_algorithms_0},
    {"crypto", "mac_final_nif", 1, Effect::kOperation, mac_final_nif_1},
    {"crypto", "mac_init_nif", 3, Effect::kLocal, mac_init_nif_3},
    {"crypto", "mac_nif", 4, Effect::kPure, mac_nif_4},
    {"crypto", "mac_update_nif", 2, Effect::kOperation, mac_update_nif_2},
    {"crypto", "mod_exp_nif", 4, Effect::kPure, mod_exp_nif_4},
    {"crypto", "ng_crypto_final_nif", 1, Effect::kOperation, ng_crypto_final_nif_1},
    {"crypto", "ng_crypto_get_data_nif", 1, Effect::kOperation, ng_crypto_get_data_nif_1},
    {"crypto", "ng_crypto_init_nif", 4, Effect::kLocal, ng_crypto_init_nif_4},
    {"crypto", "ng_crypto_one_time_nif", 5, Effect::kLocal, ng_crypto_one_time_nif_5},
    {"crypto", "ng_crypto_update_nif", 2, Effect::kOperation, ng_crypto_update_nif_2},
    {"crypto", "ng_crypto_update_nif", 3, Effect::kOperation, ng_crypto_update_nif_3},
    {"crypto", "pbkdf2_hmac_nif", 5, Effect::kPure, pbkdf2_hmac_nif_5},
    {"crypto", "pubkey_algorithms", 0, Effect::kPure, no_algorithms_0},
    {"crypto", "rand_seed_nif", 1, Effect::kPure, rand_seed_nif_1},
    {"crypto", "rand_uniform_nif", 2, Effect::kLocal, rand_uniform_nif_2},
    {"crypto", "rsa_opts_algorithms", 0, Effect::kPure, no_algorithms_0},
    {"crypto", "strong_rand_bytes_nif", 1, Effect::kLocal, strong_rand_bytes_nif_1},
    {"crypto", "strong_rand_range_nif", 1, Effect::kLocal, strong_rand_range_nif_1},
});
static_assert(std::ranges::is_sorted(kCryptoBuiltins, {}, &Builtin::key));

}  // namespace

}  // namespace crypto

std::span<const Builtin> crypto_builtins() { return crypto::kCryptoBuiltins; }

}  // namespace ravel::erlang
