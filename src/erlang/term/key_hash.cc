#include "erlang/term/hash_functions.h"
#include "erlang/term/hash_mixing.h"
#include "erlang/term/header.h"
#include "erlang/term/name_hash.h"
#include "erlang/term/release.h"
#include "erlang/term/work_stack.h"

namespace ravel::erlang {

namespace {

// Keeps key hashes apart from portable ones.
constexpr std::uint32_t kKeySalt = 3432918353U;

// Stands on the work stack before a tail that is no list. Term::none() is never an element.
constexpr Term kTailMarker = Term::none();

std::uint32_t rotate_in(std::uint32_t hash, std::uint32_t constant) {
  hash ^= constant;
  return hash << 17 ^ hash >> 15;
}

void mix_immediate(const Names& names, std::uint32_t& hash, Term t) {
  if (t.is_atom()) {
    mix_long(hash, names.atoms.hash(t), hash_seed(1));
  } else if (t.is_pid()) {
    mix_long(hash, hash_pid(names, t), hash_seed(5));
  } else if (t.is_reference()) {
    mix_long(hash, hash_pid(names, Names::creator_of(t)), hash_seed(7));
    mix_long(hash, Names::index_of(t), hash_seed(8));
  } else {
    mix_long(hash, t.bits(), hash_seed(1));  // small integers, [] and ports look as in the emulator
  }
}

std::uint32_t hash_key(const Names& names, Term t, std::uint32_t hash) {
  if (t.is_immediate()) {
    mix_immediate(names, hash, t);
    return hash;
  }
  WorkStack<Term, 48> pending;
  for (;;) {
    if (t.is_cons()) {
      std::uint32_t count = 0;
      std::uint32_t packed = 0;
      const Term* cell = t.cell();
      while (is_byte(cell[0])) {  // texts: four characters at a time
        packed = (packed << 8) + static_cast<std::uint32_t>(cell[0].small_value());
        if (++count == 4) {
          mix_word(hash, packed, hash_seed(4));
          count = packed = 0;
        }
        t = cell[1];
        if (!t.is_cons()) break;
        cell = t.cell();
      }
      if (count > 0) mix_words(hash, packed, count, hash_seed(22));
      if (t.is_cons()) {
        hash = rotate_in(hash, hash_seed(17));
        pending.push(cell[1]);
        if (!cell[1].is_cons()) pending.push(kTailMarker);
        t = cell[0];
      }
      continue;
    }
    if (t.is_immediate()) {
      mix_immediate(names, hash, t);
    } else {
      const Term* object = t.object();
      const Word size = size_of(object[0]);
      switch (kind_of(object[0])) {
        case Kind::kTuple:
          mix_word(hash, static_cast<std::uint32_t>(size), hash_seed(9));
          for (Word i = size; i > 0; --i) pending.push(object[i]);
          break;
        case Kind::kFlatMap: {
          const Term* keys = object[1].object();
          mix_word(hash, static_cast<std::uint32_t>(size - 1), hash_seed(16));
          for (Word i = size - 1; i > 0; --i) {
            pending.push(object[i + 1]);
            pending.push(keys[i]);
          }
          break;
        }
        case Kind::kHashMap:
        case Kind::kHashNode: {
          const bool is_root = kind_of(object[0]) == Kind::kHashMap;
          if (is_root) mix_word(hash, static_cast<std::uint32_t>(object[1].small_value()), hash_seed(16));
          for (Word i = is_root ? 3 : 2; i <= size; ++i) {
            if (object[i].is_cons()) {
              pending.push(object[i].tail());
              pending.push(object[i].head());
            } else {
              pending.push(object[i]);
            }
          }
          break;
        }
        case Kind::kFun: {
          const FunEntry& entry = names.fun(static_cast<std::uint32_t>(object[1].small_value()));
          mix_long(hash, names.atoms.hash(entry.module), hash_seed(20));
          mix_words(hash, entry.index, entry.old_uniq, hash_seed(21));
          hash = hash_block(entry.uniq, sizeof entry.uniq, hash);
          for (Word i = size; i > 2; --i) pending.push(object[i]);
          break;
        }
        case Kind::kBytes:
        case Kind::kBitstring: hash = hash_bitstring(t, hash); break;
        case Kind::kPositiveBig:
        case Kind::kNegativeBig: {
          const std::uint32_t seed = hash_seed(kind_of(object[0]) == Kind::kNegativeBig ? 10 : 11);
          for (Word i = 1; i <= size; ++i) mix_long(hash, object[i].bits(), seed);
          break;
        }
        case Kind::kFloat:  // keys that are different have different hashes at some depth, so that they can
                            // be told apart
          mix_long(hash, installed_release().are_zeros_distinct ? object[1].bits() : float_bits(t),
                   hash_seed(12));
          break;
        default:  // external funs and terms of other nodes: all their parts
          mix_word(hash, static_cast<std::uint32_t>(size), hash_seed(14));
          for (Word i = size; i > 0; --i) pending.push(object[i]);
          break;
      }
    }
    if (pending.is_empty()) return hash;
    t = pending.pop();
    if (t == kTailMarker) {
      hash = rotate_in(hash, hash_seed(18));
      t = pending.pop();
    }
  }
}

}  // namespace

std::uint32_t key_hash(const Names& names, Term key, std::uint32_t depth) {
  // Deeper than 64 bits the emulator collects what collides; here the other hash tells it apart.
  if (depth < 2 && installed_release().hashes_keys_widely)
    return static_cast<std::uint32_t>(wide_key_hash(names, key) >> (32 * depth));
  std::uint32_t salt = 0;
  if (depth > 0) mix_words(salt, depth, 1, hash_seed(22));
  return hash_key(names, key, salt ^ kKeySalt);
}

}  // namespace ravel::erlang
