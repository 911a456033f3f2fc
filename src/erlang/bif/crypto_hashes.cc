// Hashes, message authentication codes and what is made of them.
//
// A hash that is being computed is {'$hash', Type, Data so far}: hash_update/2 gives a new one in OTP, too. A
// code that is being computed changes in place there, so it is part of the state, as the same data.
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "erlang/bif/crypto_family.h"
#include "erlang/term/bits.h"
#include "erlang/term/map.h"

namespace ravel::erlang::crypto {

namespace {

struct DigestName {
  std::string_view erlang;
  const char* openssl;
};
// In the order in which OTP lists them.
constexpr DigestName kDigests[] = {
    {"shake256", "SHAKE256"},
    {"shake128", "SHAKE128"},
    {"sm3", "SM3"},
    {"blake2s", "BLAKE2S-256"},
    {"blake2b", "BLAKE2B-512"},
    {"sha3_512", "SHA3-512"},
    {"sha3_384", "SHA3-384"},
    {"sha3_256", "SHA3-256"},
    {"sha3_224", "SHA3-224"},
    {"sha512_256", "SHA512-256"},
    {"sha512_224", "SHA512-224"},
    {"sha512", "SHA512"},
    {"sha384", "SHA384"},
    {"sha256", "SHA256"},
    {"sha224", "SHA224"},
    {"sha", "SHA1"},
    {"ripemd160", "RIPEMD160"},
    {"md5", "MD5"},
    {"md4", "MD4"},
};

// What the emulator's own sources are called does not matter to who reads the message.
constexpr std::string_view kHashFile = "hash.c", kMacFile = "mac.c";

bool is_hash_state(Call& call, Term term) {
  return is_tuple_of(term, 3) && element(term, 1) == call.atom("$hash");
}

Term appended(Call& call, Term before, const Bytes& data) {
  Bytes all = *binary_bytes(before);
  all.insert(all.end(), data.begin(), data.end());
  return binary(call, all);
}

Term digest_of(Call& call, Term type, const Bytes& data, std::size_t xof_bytes = 0) {
  const Digest digest = find_digest(call, type);
  const DigestContext context(EVP_MD_CTX_new());
  Bytes result(xof_bytes != 0 ? xof_bytes : static_cast<std::size_t>(EVP_MD_get_size(digest.get())));
  bool is_good = EVP_DigestInit_ex(context.get(), digest.get(), nullptr) == 1 &&
                 EVP_DigestUpdate(context.get(), data.data(), data.size()) == 1;
  unsigned size = 0;
  if (xof_bytes != 0) {
    is_good = is_good && EVP_DigestFinalXOF(context.get(), result.data(), result.size()) == 1;
  } else {
    is_good = is_good && EVP_DigestFinal_ex(context.get(), result.data(), &size) == 1;
  }
  return is_good ? binary(call, result) : raise(call, "error", kHashFile, -1, "Low-level call failed");
}

// ---- Codes

struct CmacCipher {
  std::string_view erlang;
  const char* openssl;
  std::size_t key_bytes;
};
constexpr CmacCipher kCmacCiphers[] = {
    {"aes_128_cbc", "AES-128-CBC", 16}, {"aes_192_cbc", "AES-192-CBC", 24},
    {"aes_256_cbc", "AES-256-CBC", 32}, {"blowfish_cbc", "BF-CBC", 16},
    {"des_cbc", "DES-CBC", 8},          {"des_ede3_cbc", "DES-EDE3-CBC", 24},
};

// A code ready for data, or an exception.
MacContext start_mac(Call& call, Term type, Term subtype, Term key_term) {
  const auto fail = [&](int argument, std::string_view message) {
    badarg(call, kMacFile, argument, message);
    return MacContext();
  };
  const auto key = iodata_bytes(key_term);
  if (!type.is_atom()) return fail(0, "Bad mac type");
  const std::string_view name = call.names.atoms.text(type);
  if (!key) return fail(2, "Bad key");
  load_legacy_algorithms();
  std::array<OSSL_PARAM, 2> parameters{OSSL_PARAM_construct_end(), OSSL_PARAM_construct_end()};
  std::string algorithm;
  const char* mac_name = nullptr;
  if (name == "hmac") {
    const Digest digest = find_digest(call, subtype);
    if (digest == nullptr) return fail(1, "Bad digest algorithm for HMAC");
    algorithm = EVP_MD_get0_name(digest.get());
    parameters[0] = OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, algorithm.data(), 0);
    mac_name = "HMAC";
  } else if (name == "cmac") {
    const std::string_view cipher = subtype.is_atom() ? call.names.atoms.text(subtype) : std::string_view();
    const auto known = std::ranges::find(kCmacCiphers, cipher, &CmacCipher::erlang);
    if (known == std::end(kCmacCiphers)) return fail(1, "Unknown cipher");
    if (key->size() != known->key_bytes) return fail(2, "Bad key size");
    algorithm = known->openssl;
    parameters[0] = OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_CIPHER, algorithm.data(), 0);
    mac_name = "CMAC";
  } else if (name == "poly1305") {
    if (key->size() != 32) return fail(2, "Bad key size");
    mac_name = "POLY1305";
  } else {
    return fail(0, "Unknown mac algorithm");
  }
  const Mac mac(EVP_MAC_fetch(nullptr, mac_name, nullptr));
  MacContext context(mac == nullptr ? nullptr : EVP_MAC_CTX_new(mac.get()));
  static constexpr std::uint8_t kNothing = 0;
  const std::uint8_t* const key_bytes = key->empty() ? &kNothing : key->data();
  if (context == nullptr || EVP_MAC_init(context.get(), key_bytes, key->size(), parameters.data()) != 1)
    return fail(1, "Unsupported algorithm");
  return context;
}

Term finish_mac(Call& call, EVP_MAC_CTX* context, const Bytes& data) {
  std::array<std::uint8_t, EVP_MAX_MD_SIZE> result;
  std::size_t size = 0;
  if (EVP_MAC_update(context, data.data(), data.size()) != 1 ||
      EVP_MAC_final(context, result.data(), &size, result.size()) != 1)
    return raise(call, "error", kMacFile, -1, "mac failed");
  return binary(call, std::span(result).first(size));
}

}  // namespace

Digest find_digest(Call& call, Term name) {
  if (!name.is_atom()) return nullptr;
  const auto known = std::ranges::find(kDigests, call.names.atoms.text(name), &DigestName::erlang);
  if (known == std::end(kDigests)) return nullptr;
  load_legacy_algorithms();
  return Digest(EVP_MD_fetch(nullptr, known->openssl, nullptr));
}

Term hash_info_nif_1(Call& call, const Term* arguments) {
  const Digest digest = find_digest(call, arguments[0]);
  if (digest == nullptr) return badarg(call, kHashFile, 0, "Bad digest type");
  const Term pairs[] = {call.atom("size"),       Term::small(EVP_MD_get_size(digest.get())),
                        call.atom("block_size"), Term::small(EVP_MD_get_block_size(digest.get())),
                        call.atom("type"),       Term::small(EVP_MD_get_type(digest.get()))};
  return map_put_pairs(call.heap, call.names, empty_map(call.heap), pairs);
}

Term hash_nif_2(Call& call, const Term* arguments) {
  if (find_digest(call, arguments[0]) == nullptr) return badarg(call, kHashFile, 0, "Bad digest type");
  const auto data = iodata_bytes(arguments[1]);
  if (!data) return badarg(call, kHashFile, 1, "Not iolist");
  return digest_of(call, arguments[0], *data);
}

Term hash_init_nif_1(Call& call, const Term* arguments) {
  if (find_digest(call, arguments[0]) == nullptr) return badarg(call, kHashFile, 0, "Bad digest type");
  return call.heap.tuple({call.atom("$hash"), arguments[0], binary(call, {})});
}

Term hash_update_nif_2(Call& call, const Term* arguments) {
  if (!is_hash_state(call, arguments[0])) return badarg(call, kHashFile, 0, "Bad state");
  const auto data = iodata_bytes(arguments[1]);
  if (!data) return badarg(call, kHashFile, 1, "Not iolist");
  return call.heap.tuple(
      {element(arguments[0], 1), element(arguments[0], 2), appended(call, element(arguments[0], 3), *data)});
}

Term hash_final_nif_1(Call& call, const Term* arguments) {
  if (!is_hash_state(call, arguments[0])) return badarg(call, kHashFile, 0, "Bad state");
  return digest_of(call, element(arguments[0], 2), *binary_bytes(element(arguments[0], 3)));
}

Term hash_final_xof_nif_2(Call& call, const Term* arguments) {
  if (!is_hash_state(call, arguments[0])) return badarg(call, kHashFile, 0, "Bad state");
  if (!arguments[1].is_small() || arguments[1].small_value() <= 0)
    return badarg(call, kHashFile, 1, "Bad length");
  return digest_of(call, element(arguments[0], 2), *binary_bytes(element(arguments[0], 3)),
                   static_cast<std::size_t>(arguments[1].small_value() + 7) / 8);
}

Term mac_nif_4(Call& call, const Term* arguments) {
  const MacContext context = start_mac(call, arguments[0], arguments[1], arguments[2]);
  if (context == nullptr) return Term::none();
  const auto data = iodata_bytes(arguments[3]);
  return data ? finish_mac(call, context.get(), *data) : badarg(call, kMacFile, 3, "Bad text");
}

Term mac_init_nif_3(Call& call, const Term* arguments) {
  if (start_mac(call, arguments[0], arguments[1], arguments[2]) == nullptr) return Term::none();
  return make_native_state(
      call, call.heap.tuple({call.atom("mac"), arguments[0], arguments[1], arguments[2], binary(call, {})}));
}

Term mac_update_nif_2(Call& call, const Term* arguments) {
  const Term state = native_state(call, arguments[0], access::kWrite);
  if (!is_tuple_of(state, 5) || element(state, 1) != call.atom("mac"))
    return badarg(call, kMacFile, 0, "Bad ref");
  const auto data = iodata_bytes(arguments[1]);
  if (!data) return badarg(call, kMacFile, 1, "Bad text");
  put_native_state(call, arguments[0],
                   call.heap.tuple({element(state, 1), element(state, 2), element(state, 3),
                                    element(state, 4), appended(call, element(state, 5), *data)}));
  return arguments[0];
}

Term mac_final_nif_1(Call& call, const Term* arguments) {
  const Term state = native_state(call, arguments[0], access::kWrite);
  if (!is_tuple_of(state, 5) || element(state, 1) != call.atom("mac"))
    return badarg(call, kMacFile, 0, "Bad ref");
  const MacContext context = start_mac(call, element(state, 2), element(state, 3), element(state, 4));
  drop_native_state(call, arguments[0]);
  return finish_mac(call, context.get(), *binary_bytes(element(state, 5)));
}

Term pbkdf2_hmac_nif_5(Call& call, const Term* arguments) {
  constexpr std::string_view kFile = "pbkdf2_hmac.c";
  const Digest digest = find_digest(call, arguments[0]);
  if (digest == nullptr) return badarg(call, kFile, 0, "Bad digest type");
  const auto password = binary_bytes(arguments[1]), salt = binary_bytes(arguments[2]);
  if (!password) return badarg(call, kFile, 1, "Not binary");
  if (!salt) return badarg(call, kFile, 2, "Not binary");
  const Term iterations = arguments[3], size = arguments[4];
  if (!iterations.is_small() || iterations.small_value() <= 0) return badarg(call, kFile, 3, "Must be > 0");
  if (!size.is_small() || size.small_value() <= 0) return badarg(call, kFile, 4, "Must be > 0");
  Bytes key(static_cast<std::size_t>(size.small_value()));
  const char* const text = password->empty() ? "" : reinterpret_cast<const char*>(password->data());
  if (PKCS5_PBKDF2_HMAC(text, static_cast<int>(password->size()), salt->data(),
                        static_cast<int>(salt->size()), static_cast<int>(iterations.small_value()),
                        digest.get(), static_cast<int>(key.size()), key.data()) != 1)
    return raise(call, "error", kFile, -1, "Low-level call failed");
  return binary(call, key);
}

Term hash_equals_nif_2(Call& call, const Term* arguments) {
  const auto a = binary_bytes(arguments[0]), b = binary_bytes(arguments[1]);
  if (!a || !b) return badarg(call, "hash_equals.c", !a ? 0 : 1, "Not binary");
  if (a->size() != b->size()) return badarg(call, "hash_equals.c", 0, "Binaries have different size");
  return atoms::boolean(*a == *b);
}

Term do_exor_2(Call& call, const Term* arguments) {
  auto a = iodata_bytes(arguments[0]);
  const auto b = iodata_bytes(arguments[1]);
  if (!a || !b || a->size() != b->size()) return call.raise(ErrorClass::kError, atoms::kBadarg);
  for (std::size_t i = 0; i < a->size(); ++i) (*a)[i] ^= (*b)[i];
  return binary(call, *a);
}

Term hash_algorithms_0(Call& call, const Term*) {
  std::vector<Term> names;
  for (const DigestName& digest : kDigests)
    if (const Term name = call.atom(digest.erlang); find_digest(call, name) != nullptr) names.push_back(name);
  return call.heap.list(names);
}

Term mac_algorithms_0(Call& call, const Term*) {
  const Term names[] = {call.atom("cmac"), call.atom("hmac"), call.atom("poly1305")};
  return call.heap.list(names);
}

}  // namespace ravel::erlang::crypto
