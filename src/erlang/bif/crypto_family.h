// The native functions of OTP's crypto by OpenSSL's libcrypto, by file: their table is in crypto.cc. Above
// them runs OTP's own crypto.erl.
#pragma once

#include <openssl/evp.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "erlang/machine/builtin.h"
#include "erlang/machine/machine.h"

namespace ravel::erlang::crypto {

using Bytes = std::vector<std::uint8_t>;

// What the native functions raise: {Tag, where in their sources, Message}, of which crypto.erl makes the
// error that users see. The line is 0.
Term raise(Call& call, std::string_view tag, std::string_view file, int argument, std::string_view message);
inline Term badarg(Call& call, std::string_view file, int argument, std::string_view message) {
  return raise(call, "badarg", file, argument, message);
}

std::optional<Bytes> iodata_bytes(Term data);
std::optional<Bytes> binary_bytes(Term binary);
Term binary(Call& call, std::span<const std::uint8_t> bytes);
// The algorithms of OpenSSL 3 that are kept for old programs, if they are installed.
void load_legacy_algorithms();

// Random bytes, which are those of the next reference that the process makes and the seed of the run: the
// same in every execution in which the process does the same.
Bytes random_bytes(Call& call, std::size_t count);

struct DigestDeleter {
  void operator()(EVP_MD* p) const { EVP_MD_free(p); }
};
struct DigestContextDeleter {
  void operator()(EVP_MD_CTX* p) const { EVP_MD_CTX_free(p); }
};
struct CipherDeleter {
  void operator()(EVP_CIPHER* p) const { EVP_CIPHER_free(p); }
};
struct CipherContextDeleter {
  void operator()(EVP_CIPHER_CTX* p) const { EVP_CIPHER_CTX_free(p); }
};
struct MacDeleter {
  void operator()(EVP_MAC* p) const { EVP_MAC_free(p); }
};
struct MacContextDeleter {
  void operator()(EVP_MAC_CTX* p) const { EVP_MAC_CTX_free(p); }
};
using Digest = std::unique_ptr<EVP_MD, DigestDeleter>;
using DigestContext = std::unique_ptr<EVP_MD_CTX, DigestContextDeleter>;
using Cipher = std::unique_ptr<EVP_CIPHER, CipherDeleter>;
using CipherContext = std::unique_ptr<EVP_CIPHER_CTX, CipherContextDeleter>;
using Mac = std::unique_ptr<EVP_MAC, MacDeleter>;
using MacContext = std::unique_ptr<EVP_MAC_CTX, MacContextDeleter>;

Digest find_digest(Call& call, Term name);  // null: there is none

// What a reference to something that changes stands for: a term of the state, which operations note that they
// touch.
Term make_native_state(Call& call, Term value);  // the reference
enum class Noting : std::uint8_t { kNo, kYes };
// none: there is no such thing
Term native_state(Call& call, Term reference, std::uint8_t how, Noting noting = Noting::kYes);
void note_native_state(Call& call, Term reference, std::uint8_t how);
void put_native_state(Call& call, Term reference, Term value);
void drop_native_state(Call& call, Term reference);

// crypto_hashes.cc
Term hash_info_nif_1(Call& call, const Term* arguments);
Term hash_nif_2(Call& call, const Term* arguments);
Term hash_init_nif_1(Call& call, const Term* arguments);
Term hash_update_nif_2(Call& call, const Term* arguments);
Term hash_final_nif_1(Call& call, const Term* arguments);
Term hash_final_xof_nif_2(Call& call, const Term* arguments);
Term mac_nif_4(Call& call, const Term* arguments);
Term mac_init_nif_3(Call& call, const Term* arguments);
Term mac_update_nif_2(Call& call, const Term* arguments);
Term mac_final_nif_1(Call& call, const Term* arguments);
Term pbkdf2_hmac_nif_5(Call& call, const Term* arguments);
Term hash_equals_nif_2(Call& call, const Term* arguments);
Term do_exor_2(Call& call, const Term* arguments);
Term hash_algorithms_0(Call& call, const Term* arguments);
Term mac_algorithms_0(Call& call, const Term* arguments);

// crypto_ciphers.cc
Term cipher_info_nif_1(Call& call, const Term* arguments);
Term ng_crypto_init_nif_4(Call& call, const Term* arguments);
Term ng_crypto_update_nif_2(Call& call, const Term* arguments);
Term ng_crypto_update_nif_3(Call& call, const Term* arguments);
Term ng_crypto_final_nif_1(Call& call, const Term* arguments);
Term ng_crypto_get_data_nif_1(Call& call, const Term* arguments);
Term ng_crypto_one_time_nif_5(Call& call, const Term* arguments);
Term aead_cipher_nif_7(Call& call, const Term* arguments);
Term cipher_algorithms_0(Call& call, const Term* arguments);

// crypto_numbers.cc
Term strong_rand_bytes_nif_1(Call& call, const Term* arguments);
Term strong_rand_range_nif_1(Call& call, const Term* arguments);
Term rand_uniform_nif_2(Call& call, const Term* arguments);
Term mod_exp_nif_4(Call& call, const Term* arguments);

}  // namespace ravel::erlang::crypto
