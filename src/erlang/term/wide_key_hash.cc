// The internal hash of OTP 27 and later: MurmurHash3 of 128 bits (Austin Appleby), fed with the parts of a
// term as its two halves want them, and folded to 64 bits. What the emulator hashes by an address or a table
// index goes by its name, as in key_hash.cc.
#include <bit>
#include <cstring>

#include "erlang/term/bits.h"
#include "erlang/term/hash_functions.h"
#include "erlang/term/hash_mixing.h"
#include "erlang/term/header.h"
#include "erlang/term/name_hash.h"
#include "erlang/term/release.h"
#include "erlang/term/work_stack.h"

namespace ravel::erlang {

namespace {

// What a part is; numbers of the emulator before it had native records, which come before maps.
enum class Part : std::uint64_t {
  kImmediate = 1,
  kElement,
  kHead,
  kTail,
  kText,
  kTuple,
  kFlatMap,
  kFullHashMap,
  kHashMap,
  kHashNode,
  kBitstring,
  kFun,
  kOther,  // an external fun there; here whatever is not told by its content
  kNegativeBig,
  kPositiveBig,
  kFloat = 20,
};

// Stands on the work stack before a tail that is no list; no element.
constexpr Term kTailMarker = Term::none();

std::uint64_t finish(std::uint64_t hash) {
  hash = (hash ^ hash >> 33) * 0xFF51AFD7ED558CCD;
  hash = (hash ^ hash >> 33) * 0xC4CEB9FE1A85EC53;
  return hash ^ hash >> 33;
}

class Mixer {
 public:
  void alpha(std::uint64_t value) {
    alpha_ = (std::rotl(alpha_ ^ scramble_alpha(value), 27) + beta_) * 5 + 0x52DCE729;
    ++ticks_;
  }
  void beta(std::uint64_t value) {
    beta_ = (std::rotl(beta_ ^ scramble_beta(value), 31) + alpha_) * 5 + 0x38495AB5;
    ++ticks_;
  }
  void alpha(Part part, std::uint64_t more = 0) { alpha(number_of(part) | more << 32); }
  void beta(Part part) { beta(number_of(part)); }

  void bytes(const std::uint8_t* data, std::size_t size) {
    for (; size >= 16; data += 16, size -= 16) {
      alpha(word(data, 8));
      beta(word(data + 8, 8));
    }
    if (size > 8) beta_ ^= scramble_beta(word(data + 8, size - 8));
    if (size > 0) alpha_ ^= scramble_alpha(word(data, size < 8 ? size : 8));
  }

  std::uint64_t result() const {
    std::uint64_t a = alpha_ ^ ticks_;
    std::uint64_t b = beta_ ^ ticks_;
    a += b;
    b += a;
    a = finish(a);
    b = finish(b);
    a += b;
    b += a;
    return a ^ b;
  }

 private:
  std::uint64_t number_of(Part part) const {
    return static_cast<std::uint64_t>(part) + (part >= Part::kFlatMap && has_records_ ? 1 : 0);
  }

  static constexpr std::uint64_t kFirst = 0x87C37B91114253D5, kSecond = 0x4CF5AD432745937F;
  static std::uint64_t scramble_alpha(std::uint64_t value) { return std::rotl(value * kFirst, 31) * kSecond; }
  static std::uint64_t scramble_beta(std::uint64_t value) { return std::rotl(value * kSecond, 33) * kFirst; }
  static std::uint64_t word(const std::uint8_t* data, std::size_t size) {
    std::uint64_t value = 0;
    std::memcpy(&value, data, size);
    return value;
  }

  bool has_records_ = installed_release().has_native_records;
  std::uint64_t alpha_ = 0, beta_ = 0, ticks_ = 0;
};

// As the emulator's word where that depends on the term alone.
std::uint64_t immediate_bits(const Names& names, Term t) {
  if (t.is_atom()) return std::uint64_t{names.atoms.hash(t)} << 6 | 0xB;
  if (t.is_pid()) return hash_pid(names, t);
  if (t.is_reference())
    return (hash_pid(names, Names::creator_of(t)) ^ Names::index_of(t)) * 0xE7037ED1A0B428DB;
  return t.bits();
}

class Walk {
 public:
  explicit Walk(const Names& names) : names_(names) {}

  std::uint64_t run(Term t) {
    for (;;) {
      if (t.is_cons()) {
        t = enter_list(t);
        continue;
      }
      if (t.is_immediate()) {
        immediate(t);
      } else {
        enter_object(t);
      }
      if (pending_.is_empty()) return mixer_.result();
      t = pending_.pop();
      if (t == kTailMarker) {
        mixer_.beta(Part::kTail);
        t = pending_.pop();
      }
    }
  }

 private:
  void immediate(Term t) {
    mixer_.alpha(Part::kImmediate);
    mixer_.beta(immediate_bits(names_, t));
  }
  // Immediate elements are mixed at once, others later, and their place with these.
  void element(Term t) {
    if (t.is_immediate()) return immediate(t);
    mixer_.alpha(Part::kElement);
    pending_.push(t);
  }

  // Mixes bytes at the beginning four at a time; what comes next.
  Term enter_list(Term t) {
    std::uint64_t packed = 0;
    std::uint64_t count = 0;
    const auto mix_packed = [&] {
      mixer_.alpha(static_cast<std::uint64_t>(Part::kText) | count << 8 | packed << 32);
      packed = count = 0;
    };
    for (; t.is_cons() && is_byte(t.head()); t = t.tail()) {
      packed = packed << 8 | static_cast<std::uint64_t>(t.head().small_value());
      if (++count == 4) mix_packed();
    }
    if (count > 0) mix_packed();
    if (!t.is_cons()) return t;
    const Term head = t.head();
    const Term tail = t.tail();
    if (head.is_immediate()) {
      mixer_.alpha(Part::kImmediate, static_cast<std::uint64_t>(Part::kHead));
      mixer_.beta(immediate_bits(names_, head));
      if (!tail.is_cons()) mixer_.alpha(Part::kTail);
      return tail;
    }
    pending_.push(tail);
    if (!tail.is_cons()) pending_.push(kTailMarker);
    mixer_.alpha(Part::kHead);
    return head;
  }

  void enter_object(Term t) {
    const Term* object = t.object();
    const Word size = size_of(object[0]);
    switch (kind_of(object[0])) {
      case Kind::kTuple:
        mixer_.alpha(Part::kTuple);
        mixer_.beta(size);
        for (Word i = 1; i < size; ++i) element(object[i]);
        if (size > 0) pending_.push(object[size]);
        break;
      case Kind::kFlatMap: {
        const Term* keys = object[1].object();
        const Word count = size - 1;
        mixer_.alpha(Part::kFlatMap);
        mixer_.beta(count);
        for (Word i = 1; i < count; ++i) {
          element(object[i + 1]);
          element(keys[i]);
        }
        if (count > 0) {
          element(object[count + 1]);
          pending_.push(keys[count]);
        }
        break;
      }
      case Kind::kHashMap:
        mixer_.alpha(size == 18 ? Part::kFullHashMap : Part::kHashMap);
        mixer_.beta(static_cast<std::uint64_t>(object[1].small_value()));
        enter_children(object + 3, size - 2);
        break;
      case Kind::kHashNode:
        mixer_.alpha(Part::kHashNode);
        enter_children(object + 2, size - 1);
        break;
      case Kind::kBytes:
      case Kind::kBitstring: enter_bits(view_bits(t)); break;
      case Kind::kPositiveBig:
      case Kind::kNegativeBig: {
        mixer_.alpha(kind_of(object[0]) == Kind::kNegativeBig ? Part::kNegativeBig : Part::kPositiveBig,
                     size);
        Word i = 1;
        for (; i + 1 <= size; i += 2) {
          mixer_.alpha(object[i].bits());
          mixer_.beta(object[i + 1].bits());
        }
        if (i <= size) mixer_.beta(object[i].bits());
        break;
      }
      case Kind::kFloat:
        mixer_.alpha(Part::kFloat);
        mixer_.beta(object[1].bits());
        break;
      case Kind::kFun: {
        const FunEntry& entry = names_.fun(static_cast<std::uint32_t>(object[1].small_value()));
        const Word free_count = size - 2;
        mixer_.alpha(Part::kFun, free_count);
        mixer_.beta(std::uint64_t{entry.index} | std::uint64_t{entry.old_uniq} << 32);
        immediate(entry.module);
        for (Word i = 1; i < free_count; ++i) element(object[2 + i]);
        if (free_count > 0) pending_.push(object[size]);
        break;
      }
      default:  // external funs, native records, terms of other nodes: all their parts
        mixer_.alpha(Part::kOther);
        mixer_.beta(size);
        for (Word i = 1; i <= size; ++i) element(object[i]);
        break;
    }
  }

  void enter_children(const Term* children, Word count) {
    for (Word i = 0; i < count; ++i) {
      if (children[i].is_cons()) {
        element(children[i].tail());
        element(children[i].head());
      } else {
        pending_.push(children[i]);
      }
    }
  }

  void enter_bits(const BitView& view) {
    mixer_.alpha(Part::kBitstring);
    mixer_.beta(view.length);
    if (view.length == 0) return;
    const std::size_t size = view.length / 8;
    std::vector<std::uint8_t> copy;
    const std::uint8_t* bytes = view.bytes + view.offset / 8;
    if (!view.is_byte_aligned()) {
      copy.resize(size + 1);
      copy_bits(copy.data(), 0, view.bytes, view.offset, view.length);
      bytes = copy.data();
    }
    mixer_.bytes(bytes, size);
    if (const auto tail = static_cast<unsigned>(view.length % 8); tail > 0)
      mixer_.alpha(std::uint64_t{bytes[size]} >> (8 - tail));
  }

  const Names& names_;
  Mixer mixer_;
  WorkStack<Term, 48> pending_;
};

}  // namespace

std::uint64_t wide_key_hash(const Names& names, Term key) {
  return key.is_immediate() ? finish(immediate_bits(names, key)) : Walk(names).run(key);
}

}  // namespace ravel::erlang
