#include "erlang/term/hash_functions.h"

#include "erlang/term/hash_mixing.h"
#include "erlang/term/header.h"
#include "erlang/term/native_record.h"
#include "erlang/term/process_number.h"
#include "erlang/term/work_stack.h"

namespace ravel::erlang {

namespace {

// P. J. Weinberger's hash of the text, in which two-byte UTF-8 characters count as their Latin-1 byte.
std::uint32_t hash_atom(const Names& names, Term atom) {
  const std::string_view text = names.atoms.text(atom);
  std::uint32_t hash = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto byte = static_cast<std::uint8_t>(text[i]);
    if (i + 1 < text.size() && (byte & 0xFE) == 0xC2 &&
        (static_cast<std::uint8_t>(text[i + 1]) & 0xC0) == 0x80)
      byte = static_cast<std::uint8_t>(byte << 6 | (static_cast<std::uint8_t>(text[++i]) & 0x3F));
    hash = (hash << 4) + byte;
    if (const std::uint32_t high = hash & 0xF0000000; high != 0) hash = (hash ^ high >> 24) ^ high;
  }
  return hash;
}

// The numbers that stand for what has no content: a pid's, a port's, a reference's; of any node.
std::uint64_t number_of(const Names& names, Term t) {
  if (t.is_pid()) return process_number(names, t);
  if (t.is_port()) return t.port_name();
  if (t.is_reference()) return Names::index_of(t);
  const Term number = t.object()[4];
  return number.is_small() ? static_cast<std::uint64_t>(number.small_value()) : number.object()[1].bits();
}

bool is_pid_of_any_node(Term t) {
  return t.is_pid() || (is_kind(t, Kind::kForeign) && t.object()[1] == atoms::kPid);
}
bool is_reference_of_any_node(Term t) {
  return t.is_reference() || (is_kind(t, Kind::kForeign) && t.object()[1] == atoms::kReference);
}
bool is_port_of_any_node(Term t) {
  return t.is_port() || (is_kind(t, Kind::kForeign) && t.object()[1] == atoms::kPort);
}

// Words on the work stack that are no terms: after a map's pair, and after its last one. The second is
// followed by the hash from before the map and by the pairs' hash of the map around it.
constexpr Term kPairDone = Term(0);
constexpr Term kMapDone = Term(4);

class PortableHash2 {
 public:
  explicit PortableHash2(const Names& names) : names_(names) {}

  std::uint32_t of(Term t) {
    for (;;) {
      if (t.is_cons()) {
        t = add_list(t);
        continue;
      }
      add(t);
      for (;;) {
        if (pending_.is_empty()) return hash_;
        t = pending_.pop();
        if (t == kPairDone) {
          pairs_hash_ ^= hash_;
          hash_ = 0;
        } else if (t == kMapDone) {
          hash_ = static_cast<std::uint32_t>(pending_.pop().bits());
          mix_word(hash_, pairs_hash_, hash_seed(19));
          pairs_hash_ = static_cast<std::uint32_t>(pending_.pop().bits());
        } else {
          break;
        }
      }
    }
  }

 private:
  // Adds the bytes at the beginning of a list; returns what comes next.
  Term add_list(Term t) {
    std::uint32_t count = 0;
    std::uint32_t packed = 0;
    const Term* cell = t.cell();
    while (is_byte(cell[0])) {
      packed = (packed << 8) + static_cast<std::uint32_t>(cell[0].small_value());
      if (++count == 4) {
        mix_word(hash_, packed, hash_seed(4));
        count = packed = 0;
      }
      t = cell[1];
      if (!t.is_cons()) break;
      cell = t.cell();
    }
    if (count > 0) mix_word(hash_, packed, hash_seed(4));
    if (!t.is_cons()) return t;
    pending_.push(cell[1]);
    return cell[0];
  }

  // REQUIRES: !t.is_cons().
  void add(Term t) {
    if (t.is_small()) {
      add_small(t.small_value());
    } else if (t.is_atom()) {
      add_first(hash_atom(names_, t), hash_atom(names_, t), hash_seed(3));
    } else if (t.is_nil()) {
      add_first(3468870702U, 2, hash_seed(2));
    } else if (is_pid_of_any_node(t)) {
      mix_word(hash_, static_cast<std::uint32_t>(number_of(names_, t)), hash_seed(5));
    } else if (is_reference_of_any_node(t)) {
      mix_word(hash_, static_cast<std::uint32_t>(number_of(names_, t)), hash_seed(7));
    } else if (is_port_of_any_node(t)) {
      mix_long(hash_, number_of(names_, t), hash_seed(6));
    } else {
      add_object(t);
    }
  }

  // Atoms and [] are not mixed when nothing precedes them.
  void add_first(std::uint32_t alone, std::uint32_t otherwise, std::uint32_t seed) {
    if (hash_ == 0) {
      hash_ = alone;
    } else {
      mix_word(hash_, otherwise, seed);
    }
  }

  void add_small(std::int64_t value) {
    constexpr std::int64_t kLimit = std::int64_t{1} << 27;
    if (value >= -kLimit && value < kLimit) {
      const auto word = static_cast<std::uint32_t>(value);
      if (value < 0) mix_word(hash_, -word, hash_seed(1));
      mix_word(hash_, word, hash_seed(1));
    } else {
      mix_long(hash_, static_cast<std::uint64_t>(value < 0 ? -value : value), hash_seed(value < 0 ? 10 : 11));
    }
  }

  void add_object(Term t) {
    const Term* object = t.object();
    const Word size = size_of(object[0]);
    switch (kind_of(object[0])) {
      case Kind::kTuple:
        mix_word(hash_, static_cast<std::uint32_t>(size), hash_seed(9));
        for (Word i = size; i > 0; --i) pending_.push(object[i]);
        break;
      case Kind::kFlatMap:
        if (!begin_map(size - 1)) break;
        for (Word i = size - 1; i > 0; --i) push_pair(object[1].object()[i], object[i + 1]);
        break;
      case Kind::kHashMap:
        begin_map(static_cast<Word>(object[1].small_value()));
        push_children(object + 3, size - 2);
        break;
      case Kind::kHashNode: push_children(object + 2, size - 1); break;
      case Kind::kNativeRecord:
        mix_words(hash_, static_cast<std::uint32_t>(size - 1), portable_hash_2(names_, object[1]),
                  hash_seed(23));
        for (Word i = size; i > 1; --i) pending_.push(object[i]);
        break;
      case Kind::kFun: {
        const FunEntry& entry = names_.fun(static_cast<std::uint32_t>(object[1].small_value()));
        mix_words(hash_, static_cast<std::uint32_t>(size - 2), hash_atom(names_, entry.module), hash_seed(1));
        mix_words(hash_, entry.index, entry.old_uniq, hash_seed(1));
        for (Word i = size; i > 2; --i) pending_.push(object[i]);
        break;
      }
      case Kind::kExternalFun:
        mix_words(hash_, static_cast<std::uint32_t>(object[3].small_value()), hash_atom(names_, object[1]),
                  hash_seed(1));
        mix_word(hash_, hash_atom(names_, object[2]), hash_seed(14));
        break;
      case Kind::kBytes:
      case Kind::kBitstring: hash_ = hash_bitstring(t, hash_); break;
      case Kind::kPositiveBig:
      case Kind::kNegativeBig:
        for (Word i = 1; i <= size; ++i)
          mix_long(hash_, object[i].bits(), hash_seed(kind_of(object[0]) == Kind::kNegativeBig ? 10 : 11));
        break;
      case Kind::kFloat: {
        const std::uint64_t bits = float_bits(t);
        mix_long(hash_, bits << 32 | bits >> 32, hash_seed(12));
        break;
      }
      default:  // what another node did not explain: its parts
        for (Word i = size; i > 0; --i) pending_.push(object[i]);
        break;
    }
  }

  // The hash of a map must not depend on the order of its pairs: each is hashed alone, then they are
  // combined. False if there are no pairs.
  bool begin_map(Word count) {
    mix_word(hash_, static_cast<std::uint32_t>(count), hash_seed(16));
    if (count == 0) return false;
    pending_.push(Term(pairs_hash_));
    pending_.push(Term(hash_));
    pending_.push(kMapDone);
    hash_ = 0;
    pairs_hash_ = 0;
    return true;
  }

  void push_pair(Term key, Term value) {
    pending_.push(kPairDone);
    pending_.push(value);
    pending_.push(key);
  }

  void push_children(const Term* children, Word count) {
    for (Word i = 0; i < count; ++i) {
      if (children[i].is_cons()) {
        push_pair(children[i].head(), children[i].tail());
      } else {
        pending_.push(children[i]);
      }
    }
  }

  const Names& names_;
  std::uint32_t hash_ = 0;
  std::uint32_t pairs_hash_ = 0;
  WorkStack<Term, 48> pending_;
};

constexpr std::uint32_t kPrime1 = 268440163, kPrime2 = 268439161, kPrime3 = 268435459, kPrime4 = 268436141,
                        kPrime5 = 268438633, kPrime6 = 268437017, kPrime8 = 268437511, kPrime9 = 268439627,
                        kPrime10 = 268440479, kPrime11 = 268440577, kPrime12 = 268440581,
                        kPrime13 = 268440593, kPrime14 = 268440611;

constexpr std::uint32_t kPrime15 = 268440629;  // of native records

// Words on the work stack that are no terms: after a tuple, followed by its arity; before a tail; after one.
constexpr Term kTupleDone = Term(0);
constexpr Term kTailNext = Term(4);
constexpr Term kTailDone = Term(8);

class PortableHash {
 public:
  explicit PortableHash(const Names& names) : names_(names) {}

  std::uint32_t of(Term t) {
    for (;;) {
      if (t.is_cons()) {
        t = add_list(t);
        continue;
      }
      add(t);
      for (;;) {
        if (pending_.is_empty()) return hash_;
        t = pending_.pop();
        if (t == kTupleDone) {
          hash_ = hash_ * kPrime9 + static_cast<std::uint32_t>(pending_.pop().bits());
        } else if (t == kTailDone) {
          hash_ *= kPrime8;
        } else if (t == kTailNext) {
          t = pending_.pop();
          if (!t.is_cons()) pending_.push(kTailDone);
          break;
        } else {
          break;
        }
      }
    }
  }

 private:
  Term add_list(Term t) {
    const Term* cell = t.cell();
    while (is_byte(cell[0])) {
      hash_ = hash_ * kPrime2 + static_cast<std::uint32_t>(cell[0].small_value());
      if (!cell[1].is_cons()) {
        pending_.push(kTailDone);
        return cell[1];
      }
      cell = cell[1].cell();
    }
    pending_.push(cell[1]);
    pending_.push(kTailNext);
    return cell[0];
  }

  void add_bytes(std::uint64_t value, int count, std::uint32_t prime) {
    for (; count > 0; --count, value >>= 8) hash_ = hash_ * prime + static_cast<std::uint32_t>(value & 0xFF);
  }

  void add_integer(std::uint64_t top_limb, bool is_negative) {
    add_bytes(top_limb, top_limb >> 32 != 0 ? 8 : 4, kPrime2);
    hash_ *= is_negative ? kPrime4 : kPrime3;
  }

  void add(Term t) {
    if (t.is_small()) {
      const std::int64_t value = t.small_value();
      add_integer(static_cast<std::uint64_t>(value < 0 ? -value : value), value < 0);
    } else if (t.is_atom()) {
      hash_ = hash_ * kPrime1 + hash_atom(names_, t);
    } else if (t.is_nil()) {
      hash_ = hash_ * kPrime3 + 1;
    } else if (is_pid_of_any_node(t)) {
      add_bytes(number_of(names_, t), 4, kPrime5);
      hash_ *= kPrime6;
    } else if (is_reference_of_any_node(t) || is_port_of_any_node(t)) {
      const std::uint64_t number = number_of(names_, t);
      if (is_port_of_any_node(t) && number >> 32 != 0) add_bytes(number >> 32, 4, kPrime11);
      add_bytes(number, 4, kPrime9);
      hash_ *= kPrime10;
    } else {
      add_object(t);
    }
  }

  void add_object(Term t) {
    const Term* object = t.object();
    const Word size = size_of(object[0]);
    switch (kind_of(object[0])) {
      case Kind::kTuple:
        pending_.push(Term(size));
        pending_.push(kTupleDone);
        for (Word i = size; i > 0; --i) pending_.push(object[i]);
        break;
      case Kind::kNativeRecord:
        hash_ = hash_ * kPrime15 + static_cast<std::uint32_t>(size);
        for (Word i = size; i > 0; --i) pending_.push(object[i]);
        break;
      case Kind::kFlatMap:
      case Kind::kHashMap: hash_ = hash_ * kPrime13 + kPrime14 + portable_hash_2(names_, t); break;
      case Kind::kFun: {
        const FunEntry& entry = names_.fun(static_cast<std::uint32_t>(object[1].small_value()));
        hash_ = hash_ * kPrime10 + static_cast<std::uint32_t>(size - 2);
        hash_ = hash_ * kPrime1 + hash_atom(names_, entry.module);
        hash_ = hash_ * kPrime2 + entry.index;
        hash_ = hash_ * kPrime2 + entry.old_uniq;
        for (Word i = size; i > 2; --i) pending_.push(object[i]);
        break;
      }
      case Kind::kExternalFun:
        hash_ = hash_ * kPrime11 + static_cast<std::uint32_t>(object[3].small_value());
        hash_ = hash_ * kPrime1 + hash_atom(names_, object[1]);
        hash_ = hash_ * kPrime1 + hash_atom(names_, object[2]);
        break;
      case Kind::kBytes:
      case Kind::kBitstring: add_bitstring(view_bits(t)); break;
      case Kind::kPositiveBig:
      case Kind::kNegativeBig:
        for (Word i = 1; i < size; ++i) add_bytes(object[i].bits(), 8, kPrime2);
        add_integer(object[size].bits(), kind_of(object[0]) == Kind::kNegativeBig);
        break;
      case Kind::kFloat: {
        const std::uint64_t bits = float_bits(t);
        hash_ = hash_ * kPrime6 + (static_cast<std::uint32_t>(bits) ^ static_cast<std::uint32_t>(bits >> 32));
        break;
      }
      default:  // what another node did not explain: its parts
        for (Word i = size; i > 0; --i) pending_.push(object[i]);
        break;
    }
  }

  void add_bitstring(const BitView& view) {
    const auto next_bits = [&](std::uint64_t done, std::uint64_t count) {
      std::uint8_t byte = 0;
      copy_bits(&byte, 8 - count, view.bytes, view.offset + done, count);
      return byte;
    };
    const std::uint64_t size = view.length / 8;
    const std::uint64_t rest = view.length % 8;
    if (view.is_byte_aligned()) {
      for (std::uint64_t i = 0; i < size; ++i) hash_ = hash_ * kPrime1 + view.data()[i];
    } else {
      for (std::uint64_t i = 0; i < size; ++i) hash_ = hash_ * kPrime1 + next_bits(8 * i, 8);
    }
    if (rest > 0)
      hash_ = (hash_ * kPrime1 + next_bits(8 * size, rest)) * kPrime12 + static_cast<std::uint32_t>(rest);
    hash_ = hash_ * kPrime4 + static_cast<std::uint32_t>(size);
  }

  const Names& names_;
  std::uint32_t hash_ = 0;
  WorkStack<Term, 48> pending_;
};

}  // namespace

std::uint32_t portable_hash_2(const Names& names, Term t) { return PortableHash2(names).of(t); }
std::uint32_t portable_hash(const Names& names, Term t) { return PortableHash(names).of(t); }

}  // namespace ravel::erlang
