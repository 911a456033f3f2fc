// Block, stream and authenticating ciphers.
//
// A cipher at work changes in place in OTP, so it is part of the state: {cipher, Name, Key, IV, Encrypts,
// Padding, Size, Data so far}. An update works through all data again, which keeps the state free of what
// OpenSSL keeps for itself; it costs the length of what came before.
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <string>

#include "erlang/bif/crypto_family.h"
#include "erlang/term/bits.h"
#include "erlang/term/map.h"

namespace ravel::erlang::crypto {

namespace {

enum class Aead : std::uint8_t { kNo, kYes };

struct CipherName {
  std::string_view erlang;
  const char* openssl;
  std::size_t key_bytes;
  Aead aead;
};
// In the order in which OTP lists them.
constexpr CipherName kCiphers[] = {
    {"chacha20", "ChaCha20", 32, Aead::kNo},
    {"aes_256_ofb", "AES-256-OFB", 32, Aead::kNo},
    {"aes_192_ofb", "AES-192-OFB", 24, Aead::kNo},
    {"aes_128_ofb", "AES-128-OFB", 16, Aead::kNo},
    {"blowfish_ecb", "BF-ECB", 16, Aead::kNo},
    {"blowfish_ofb64", "BF-OFB", 16, Aead::kNo},
    {"blowfish_cfb64", "BF-CFB", 16, Aead::kNo},
    {"blowfish_cbc", "BF-CBC", 16, Aead::kNo},
    {"des_ede3_cfb", "DES-EDE3-CFB8", 24, Aead::kNo},
    {"des_ecb", "DES-ECB", 8, Aead::kNo},
    {"des_cfb", "DES-CFB8", 8, Aead::kNo},
    {"des_cbc", "DES-CBC", 8, Aead::kNo},
    {"rc4", "RC4", 16, Aead::kNo},
    {"rc2_cbc", "RC2-CBC", 16, Aead::kNo},
    {"aes_192_cbc", "AES-192-CBC", 24, Aead::kNo},
    {"aes_256_cbc", "AES-256-CBC", 32, Aead::kNo},
    {"aes_128_cfb128", "AES-128-CFB", 16, Aead::kNo},
    {"aes_192_cfb128", "AES-192-CFB", 24, Aead::kNo},
    {"aes_256_cfb128", "AES-256-CFB", 32, Aead::kNo},
    {"aes_128_cfb8", "AES-128-CFB8", 16, Aead::kNo},
    {"aes_192_cfb8", "AES-192-CFB8", 24, Aead::kNo},
    {"aes_256_cfb8", "AES-256-CFB8", 32, Aead::kNo},
    {"aes_128_ecb", "AES-128-ECB", 16, Aead::kNo},
    {"aes_192_ecb", "AES-192-ECB", 24, Aead::kNo},
    {"aes_256_ecb", "AES-256-ECB", 32, Aead::kNo},
    {"chacha20_poly1305", "ChaCha20-Poly1305", 32, Aead::kYes},
    {"aes_256_gcm", "AES-256-GCM", 32, Aead::kYes},
    {"aes_256_ccm", "AES-256-CCM", 32, Aead::kYes},
    {"aes_192_gcm", "AES-192-GCM", 24, Aead::kYes},
    {"aes_192_ccm", "AES-192-CCM", 24, Aead::kYes},
    {"aes_128_ccm", "AES-128-CCM", 16, Aead::kYes},
    {"aes_256_ctr", "AES-256-CTR", 32, Aead::kNo},
    {"aes_192_ctr", "AES-192-CTR", 24, Aead::kNo},
    {"aes_128_ctr", "AES-128-CTR", 16, Aead::kNo},
    {"aes_128_gcm", "AES-128-GCM", 16, Aead::kYes},
    {"aes_128_cbc", "AES-128-CBC", 16, Aead::kNo},
    {"des_ede3_cbc", "DES-EDE3-CBC", 24, Aead::kNo},
};

constexpr std::string_view kFile = "api_ng.c", kAeadFile = "aead.c";

const CipherName* find_name(Call& call, Term name) {
  if (!name.is_atom()) return nullptr;
  const auto known = std::ranges::find(kCiphers, call.names.atoms.text(name), &CipherName::erlang);
  return known == std::end(kCiphers) ? nullptr : &*known;
}

Cipher fetch(const CipherName& name) {
  load_legacy_algorithms();
  return Cipher(EVP_CIPHER_fetch(nullptr, name.openssl, nullptr));
}

std::string_view mode_of(const EVP_CIPHER* cipher) {
  switch (EVP_CIPHER_get_mode(cipher)) {
    case EVP_CIPH_ECB_MODE: return "ecb_mode";
    case EVP_CIPH_CBC_MODE: return "cbc_mode";
    case EVP_CIPH_CFB_MODE: return "cfb_mode";
    case EVP_CIPH_OFB_MODE: return "ofb_mode";
    case EVP_CIPH_CTR_MODE: return "ctr_mode";
    case EVP_CIPH_GCM_MODE: return "gcm_mode";
    case EVP_CIPH_CCM_MODE: return "ccm_mode";
    case EVP_CIPH_STREAM_CIPHER: return "stream_cipher";
    default: return "undefined";
  }
}

enum class Padding : std::uint8_t { kUndefined, kNone, kPkcs, kZero, kRandom };
constexpr std::string_view kPaddings[] = {"undefined", "none", "pkcs_padding", "zero", "random"};

// What crypto_init was asked for.
struct Work {
  const CipherName* name = nullptr;
  Bytes key, iv;
  bool has_iv = true;  // else each update brings one
  bool encrypts = true;
  Padding padding = Padding::kUndefined;
};

// A flag, or a list of {encrypt, Flag} and {padding, Padding}; false: an exception is noted.
bool read_options(Call& call, Term options, int argument, Work& work) {
  const auto fail = [&](std::string_view message) { return badarg(call, kFile, argument, message), false; };
  if (options == atoms::kTrue || options == atoms::kFalse || options == atoms::kUndefined) {
    work.encrypts = options != atoms::kFalse;
    return true;
  }
  Term rest = options;
  for (; rest.is_cons(); rest = rest.tail()) {
    const Term pair = rest.head();
    if (!is_tuple_of(pair, 2) || !element(pair, 1).is_atom())
      return fail("Options are not a boolean or a proper list");
    const std::string_view key = call.names.atoms.text(element(pair, 1));
    if (!element(pair, 2).is_atom()) return fail("Bad option");
    const std::string_view value = call.names.atoms.text(element(pair, 2));
    if (key == "encrypt") {
      if (value != "true" && value != "false" && value != "undefined") return fail("Bad encrypt flag");
      work.encrypts = value != "false";
    } else if (key == "padding") {
      const auto known = std::ranges::find(kPaddings, value);
      if (known == std::end(kPaddings)) return fail("Bad padding type name");
      work.padding = static_cast<Padding>(known - kPaddings);
    } else {
      return fail("Bad tag in option");
    }
  }
  return rest.is_nil() || fail("Options are not a boolean or a proper list");
}

std::optional<Work> read_work(Call& call, Term cipher_term, Term key_term, Term iv_term, Term options,
                              int options_argument) {
  const auto fail = [&](int argument, std::string_view message) {
    badarg(call, kFile, argument, message);
    return std::optional<Work>();
  };
  Work work;
  work.name = find_name(call, cipher_term);
  if (work.name == nullptr) return fail(0, "Unknown cipher");
  const Cipher cipher = fetch(*work.name);
  if (cipher == nullptr) {
    raise(call, "notsup", kFile, 0, "The cipher is not supported in this libcrypto version");
    return std::nullopt;
  }
  if (work.name->aead == Aead::kYes) return fail(0, "Missing arguments for this cipher");
  auto key = iodata_bytes(key_term);
  if (!key) return fail(1, "Can't get key as binary");
  const std::string_view name = work.name->erlang;
  const bool has_free_key = name.starts_with("blowfish") || name == "rc4";
  if (key->size() != work.name->key_bytes && !has_free_key) return fail(1, "Bad key size");
  work.key = std::move(*key);
  if (iv_term == atoms::kUndefined) {
    work.has_iv = false;
  } else {
    auto iv = iodata_bytes(iv_term);
    if (!iv) return fail(2, "Bad iv type");
    if (iv->size() != static_cast<std::size_t>(EVP_CIPHER_get_iv_length(cipher.get())))
      return fail(2, "Bad iv size");
    work.iv = std::move(*iv);
  }
  return read_options(call, options, options_argument, work) ? std::optional(std::move(work)) : std::nullopt;
}

CipherContext start(const Work& work) {
  CipherContext context(EVP_CIPHER_CTX_new());
  const Cipher cipher = fetch(*work.name);
  const int encrypts = work.encrypts ? 1 : 0;
  bool is_good = EVP_CipherInit_ex(context.get(), cipher.get(), nullptr, nullptr, nullptr, encrypts) == 1;
  is_good = is_good && EVP_CIPHER_CTX_set_key_length(context.get(), static_cast<int>(work.key.size())) == 1;
  is_good = is_good && EVP_CipherInit_ex(context.get(), nullptr, nullptr, work.key.data(),
                                         work.iv.empty() ? nullptr : work.iv.data(), encrypts) == 1;
  EVP_CIPHER_CTX_set_padding(context.get(), work.padding == Padding::kPkcs ? 1 : 0);
  return is_good ? std::move(context) : nullptr;
}

// What the cipher gives for these bytes.
Bytes update(EVP_CIPHER_CTX* context, std::span<const std::uint8_t> data) {
  Bytes result(data.size() + EVP_MAX_BLOCK_LENGTH);
  int size = 0;
  if (!data.empty())
    EVP_CipherUpdate(context, result.data(), &size, data.data(), static_cast<int>(data.size()));
  result.resize(static_cast<std::size_t>(size));
  return result;
}

struct End {
  Bytes bytes;
  std::size_t padded = 0;
  bool is_good = true;
};

End finish(Call& call, const Work& work, EVP_CIPHER_CTX* context, std::size_t size) {
  End end;
  if (work.padding == Padding::kUndefined) return end;
  const auto block = static_cast<std::size_t>(EVP_CIPHER_CTX_get_block_size(context));
  const std::size_t missing = size % block == 0 ? 0 : block - size % block;
  if (work.encrypts && (work.padding == Padding::kZero || work.padding == Padding::kRandom) && missing != 0) {
    const Bytes filler = work.padding == Padding::kZero ? Bytes(missing) : random_bytes(call, missing);
    end.bytes = update(context, filler);
  }
  end.padded = work.padding == Padding::kPkcs   ? (block == 1 ? 0 : block - size % block)
               : work.padding == Padding::kNone ? 0
                                                : missing;
  Bytes last(EVP_MAX_BLOCK_LENGTH);
  int last_size = 0;
  end.is_good = EVP_CipherFinal_ex(context, last.data(), &last_size) == 1;
  end.bytes.insert(end.bytes.end(), last.begin(), last.begin() + (end.is_good ? last_size : 0));
  return end;
}

Term fail_at_end(Call& call, const Work& work) {
  if (!work.encrypts && work.padding == Padding::kPkcs)
    return raise(call, "error", kFile, -1, "Can't finalize");
  return raise(call, "error", kFile, -1,
               work.encrypts ? "Padding 'none' but unfilled last block" : "Decryption failed");
}

// ---- As terms

Term state_of(Call& call, const Work& work, std::size_t size, Term padded, const Bytes& data) {
  return call.heap.tuple({call.atom("cipher"), call.atom(work.name->erlang), binary(call, work.key),
                          work.has_iv ? binary(call, work.iv) : atoms::kUndefined,
                          atoms::boolean(work.encrypts),
                          call.atom(kPaddings[static_cast<std::size_t>(work.padding)]),
                          Term::small(static_cast<std::int64_t>(size)), padded, binary(call, data)});
}

bool is_cipher_state(Call& call, Term state) {
  return is_tuple_of(state, 9) && element(state, 1) == call.atom("cipher");
}

Work work_of(Call& call, Term state) {
  Work work;
  work.name = find_name(call, element(state, 2));
  work.key = *binary_bytes(element(state, 3));
  work.has_iv = element(state, 4) != atoms::kUndefined;
  if (work.has_iv) work.iv = *binary_bytes(element(state, 4));
  work.encrypts = element(state, 5) == atoms::kTrue;
  work.padding = static_cast<Padding>(std::ranges::find(kPaddings, call.names.atoms.text(element(state, 6))) -
                                      kPaddings);
  return work;
}

Term update_state(Call& call, Term reference, Term data_term, Term iv_term) {
  const Term state = native_state(call, reference, access::kWrite);
  if (!is_cipher_state(call, state)) return badarg(call, kFile, 0, "Bad State");
  const auto data = iodata_bytes(data_term);
  if (!data) return badarg(call, kFile, 1, "Expected binary or iolist");
  Work work = work_of(call, state);
  Bytes before = *binary_bytes(element(state, 9));
  if (!iv_term.is_none()) {
    auto iv = iodata_bytes(iv_term);
    const Cipher cipher = fetch(*work.name);
    if (!iv || iv->size() != static_cast<std::size_t>(EVP_CIPHER_get_iv_length(cipher.get())))
      return badarg(call, kFile, 2, "Bad iv size");
    work.iv = std::move(*iv);
    before.clear();
  } else if (!work.has_iv) {
    return badarg(call, kFile, 0, "Bad State");
  }
  const CipherContext context = start(work);
  if (context == nullptr) return raise(call, "error", kFile, -1, "Can't initialize");
  update(context.get(), before);
  const Bytes result = update(context.get(), *data);
  before.insert(before.end(), data->begin(), data->end());
  put_native_state(call, reference, state_of(call, work, before.size(), atoms::kUndefined, before));
  return binary(call, result);
}

}  // namespace

Term cipher_info_nif_1(Call& call, const Term* arguments) {
  const CipherName* const name = find_name(call, arguments[0]);
  if (name == nullptr) return call.raise(ErrorClass::kError, atoms::kBadarg);
  const Cipher cipher = fetch(*name);
  if (cipher == nullptr) return call.raise(ErrorClass::kError, call.atom("notsup"));
  const int type = EVP_CIPHER_get_type(cipher.get());
  const Term pairs[] = {call.atom("type"),       type == 0 ? atoms::kUndefined : Term::small(type),
                        call.atom("key_length"), Term::small(EVP_CIPHER_get_key_length(cipher.get())),
                        call.atom("iv_length"),  Term::small(EVP_CIPHER_get_iv_length(cipher.get())),
                        call.atom("block_size"), Term::small(EVP_CIPHER_get_block_size(cipher.get())),
                        call.atom("prop_aead"),  atoms::boolean(name->aead == Aead::kYes),
                        call.atom("mode"),       call.atom(mode_of(cipher.get()))};
  return map_put_pairs(call.heap, call.names, empty_map(call.heap), pairs);
}

Term ng_crypto_init_nif_4(Call& call, const Term* arguments) {
  const auto work = read_work(call, arguments[0], arguments[1], arguments[2], arguments[3], 3);
  return work ? make_native_state(call, state_of(call, *work, 0, atoms::kUndefined, {})) : Term::none();
}

Term ng_crypto_update_nif_2(Call& call, const Term* arguments) {
  return update_state(call, arguments[0], arguments[1], Term::none());
}

Term ng_crypto_update_nif_3(Call& call, const Term* arguments) {
  return update_state(call, arguments[0], arguments[1], arguments[2]);
}

Term ng_crypto_final_nif_1(Call& call, const Term* arguments) {
  const Term state = native_state(call, arguments[0], access::kWrite);
  if (!is_cipher_state(call, state)) return badarg(call, kFile, 0, "Bad State");
  const Work work = work_of(call, state);
  const Bytes data = *binary_bytes(element(state, 9));
  const CipherContext context = start(work);
  if (context == nullptr) return raise(call, "error", kFile, -1, "Can't initialize");
  update(context.get(), data);
  const End end = finish(call, work, context.get(), data.size());
  if (!end.is_good) return fail_at_end(call, work);
  const Term padded = work.encrypts ? Term::small(static_cast<std::int64_t>(end.padded)) : Term::small(0);
  put_native_state(call, arguments[0],
                   state_of(call, work, data.size() + (work.encrypts ? end.padded : 0), padded, data));
  return binary(call, end.bytes);
}

Term ng_crypto_get_data_nif_1(Call& call, const Term* arguments) {
  const Term state = native_state(call, arguments[0], access::kRead);
  if (!is_cipher_state(call, state)) return badarg(call, kFile, 0, "Bad State");
  const Term pairs[] = {call.atom("size"),    element(state, 7),         call.atom("padding_size"),
                        element(state, 8),    call.atom("padding_type"), element(state, 6),
                        call.atom("encrypt"), element(state, 5)};
  return map_put_pairs(call.heap, call.names, empty_map(call.heap), pairs);
}

Term ng_crypto_one_time_nif_5(Call& call, const Term* arguments) {
  const auto work = read_work(call, arguments[0], arguments[1], arguments[2], arguments[4], 4);
  if (!work) return Term::none();
  const auto data = iodata_bytes(arguments[3]);
  if (!data) return badarg(call, kFile, 3, "Expected binary or iolist");
  const CipherContext context = start(*work);
  if (context == nullptr) return raise(call, "error", kFile, -1, "Can't initialize");
  Bytes result = update(context.get(), *data);
  const End end = finish(call, *work, context.get(), data->size());
  if (!end.is_good) return fail_at_end(call, *work);
  result.insert(result.end(), end.bytes.begin(), end.bytes.end());
  return binary(call, result);
}

// Type, Key, IV, Text, AAD, the tag (or when encrypting its size), whether to encrypt.
Term aead_cipher_nif_7(Call& call, const Term* arguments) {
  const CipherName* const name = find_name(call, arguments[0]);
  if (name == nullptr) return badarg(call, kAeadFile, 0, "Unknown cipher");
  if (name->aead == Aead::kNo) return badarg(call, kAeadFile, 0, "Not aead cipher");
  const Cipher cipher = fetch(*name);
  if (cipher == nullptr)
    return raise(call, "notsup", kAeadFile, 0, "The cipher is not supported in this libcrypto version");
  const auto key = iodata_bytes(arguments[1]), iv = iodata_bytes(arguments[2]),
             text = iodata_bytes(arguments[3]), extra = iodata_bytes(arguments[4]);
  if (!key) return badarg(call, kAeadFile, 1, "non-binary key");
  if (key->size() != name->key_bytes) return badarg(call, kAeadFile, 1, "Bad key length");
  if (!iv) return badarg(call, kAeadFile, 2, "non-binary iv");
  if (iv->empty()) return badarg(call, kAeadFile, 2, "Bad IV length");
  if (!text) return badarg(call, kAeadFile, 3, "non-binary text");
  if (!extra) return badarg(call, kAeadFile, 4, "non-binary AAD");
  const bool encrypts = arguments[6] == atoms::kTrue;
  std::optional<Bytes> tag;
  if (encrypts) {
    if (!arguments[5].is_small() || arguments[5].small_value() < 0)
      return badarg(call, kAeadFile, 5, "Bad Tag length");
    tag = Bytes(static_cast<std::size_t>(arguments[5].small_value()));
  } else {
    tag = iodata_bytes(arguments[5]);
    if (!tag) return badarg(call, kAeadFile, 5, "non-binary Tag");
  }
  const bool is_ccm = EVP_CIPHER_get_mode(cipher.get()) == EVP_CIPH_CCM_MODE;
  const CipherContext context(EVP_CIPHER_CTX_new());
  const int direction = encrypts ? 1 : 0;
  const auto size = [](const Bytes& bytes) { return static_cast<int>(bytes.size()); };
  int written = 0;
  EVP_CipherInit_ex(context.get(), cipher.get(), nullptr, nullptr, nullptr, direction);
  if (EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_IVLEN, size(*iv), nullptr) != 1)
    return badarg(call, kAeadFile, 2, "Bad IV length");
  if (is_ccm || !encrypts) {
    if (EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_TAG, size(*tag),
                            encrypts ? nullptr : tag->data()) != 1)
      return badarg(call, kAeadFile, 5, "Can't set tag");
  }
  if (EVP_CipherInit_ex(context.get(), nullptr, nullptr, key->data(), iv->data(), direction) != 1)
    return badarg(call, kAeadFile, 1, "Can't set key or iv");
  static constexpr std::uint8_t kNothing = 0;
  const auto data = [](const Bytes& bytes) { return bytes.empty() ? &kNothing : bytes.data(); };
  if (is_ccm && EVP_CipherUpdate(context.get(), nullptr, &written, nullptr, size(*text)) != 1)
    return raise(call, "error", kAeadFile, -1, "Can't set text size");
  if ((!extra->empty() || !is_ccm) &&
      EVP_CipherUpdate(context.get(), nullptr, &written, data(*extra), size(*extra)) != 1)
    return raise(call, "error", kAeadFile, -1, "Can't set AAD");
  Bytes result(text->size() + EVP_MAX_BLOCK_LENGTH);
  if (EVP_CipherUpdate(context.get(), result.data(), &written, data(*text), size(*text)) != 1)
    return encrypts ? raise(call, "error", kAeadFile, -1, "Can't set in-text") : atoms::kError;
  int last = 0;
  if (!is_ccm || encrypts) {
    if (EVP_CipherFinal_ex(context.get(), result.data() + written, &last) != 1)
      return encrypts ? raise(call, "error", kAeadFile, -1, "Encrypt error") : atoms::kError;
  }
  result.resize(static_cast<std::size_t>(written + last));
  if (!encrypts) return binary(call, result);
  if (EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_GET_TAG, size(*tag), tag->data()) != 1)
    return badarg(call, kAeadFile, 5, "Can't get tag");
  return call.heap.tuple({binary(call, result), binary(call, *tag)});
}

Term cipher_algorithms_0(Call& call, const Term*) {
  std::vector<Term> names;
  for (const CipherName& cipher : kCiphers)
    if (fetch(cipher) != nullptr) names.push_back(call.atom(cipher.erlang));
  return call.heap.list(names);
}

}  // namespace ravel::erlang::crypto
