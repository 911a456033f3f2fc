#include "erlang/term/store.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "base/reserve.h"
#include "erlang/term/bits.h"

namespace ravel::erlang {

namespace {

constexpr std::size_t kInitialSlots = std::size_t{1} << 14;
// How many large free blocks an allocation looks at before it takes new room.
constexpr std::size_t kLargeTries = 8;
constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15;

inline std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  const std::uint64_t h = (hash ^ word) * kMultiplier;
  return h ^ (h >> 29);
}

inline std::uint64_t of_immediate(Term t) { return t.bits() * 0xD6E8FEB86659FD93; }

}  // namespace

Store::Store(Heap& heap, std::size_t words, Hashes hashes)
    : heap_(heap),
      words_around_(hashes == Hashes::kWide ? 3 : 1),
      table_(kInitialSlots),
      mask_(kInitialSlots - 1),
      words_min_(words),
      collect_at_(words) {
  const Reserved got = reserve(kReservedBytes);
  reserved_ = reinterpret_cast<Word>(got.address);
  base_ = static_cast<Term*>(got.address);
  top_ = base_ + 1;  // offset 0 means an empty slot: how many words there are stands there
  base_[0] = Term(static_cast<Word>(got.bytes / sizeof(Term)));
}

Store::~Store() { release(reinterpret_cast<void*>(reserved_), kReservedBytes); }

std::uint64_t Store::hash(Term t) { return t.is_pointer() ? meta_of(t) >> 8 : of_immediate(t); }

Hash128 Store::make_wide_hash(std::span<const Term> words, bool is_cons) const {
  WideHash hash(is_cons ? kSeedOfCons : kSeedOfObject);
  const bool holds_terms = is_cons || !is_raw(kind_of(words[0]));
  for (const Term word : words)
    hash.add(holds_terms ? wide_hash(word) : Hash128{.high = word.bits(), .low = kImmediate});
  return hash.finish();
}

// Makes a block of free room known. One word alone cannot be used; it waits for its neighbours.
void Store::add_free(Term* block, std::size_t words) {
  block[0] = Term(static_cast<Word>(words) << 8 | kFree);
  if (words >= kSizeClasses) {
    free_large_.push_back(block);
  } else if (words > 1) {
    block[1] = Term(reinterpret_cast<Word>(free_[words]));
    free_[words] = block;
  }
}

Term* Store::allocate(std::size_t words) {
  words_used_ += words;
  if (words < kSizeClasses && free_[words] != nullptr) {
    Term* block = free_[words];
    free_[words] = reinterpret_cast<Term*>(block[1].bits());
    return block;
  }
  // The front of a large block: of the last one, or of one of the few before it if it is too small.
  const std::size_t tries = std::min(free_large_.size(), kLargeTries);
  for (std::size_t i = 1; i <= tries; ++i) {
    Term* block = free_large_[free_large_.size() - i];
    const std::size_t size = block[0].bits() >> 8;
    if (size < words) continue;
    std::swap(free_large_[free_large_.size() - i], free_large_.back());
    free_large_.pop_back();
    if (size > words) add_free(block + words, size - words);
    return block;
  }
  Term* result = top_;
  top_ += words;
  if (static_cast<std::size_t>(top_ - base_) >= base_[0].bits()) fail_exhausted();
  return result;
}

void Store::fail_exhausted() {
  std::fputs("ravel: the saved states take more than 32 GiB; explore fewer of them, or a smaller test.\n",
             stderr);
  std::abort();
}

void Store::insert_slot(std::uint64_t hash, std::uint32_t where) {
  std::size_t i = hash & mask_;
  while (table_[i].where != 0) i = (i + 1) & mask_;
  table_[i] = {.hash = static_cast<std::uint32_t>(hash >> 24), .where = where};
}

void Store::grow_table() {
  table_.assign(table_.size() * 2, Slot{});
  mask_ = table_.size() - 1;
  for (Term* block = base_ + 1; block < top_;) {
    const std::uint64_t meta = block[0].bits();
    if ((meta & kFree) != 0) {
      block += meta >> 8;
      continue;
    }
    insert_slot(meta >> 8, static_cast<std::uint32_t>(block + 1 - base_));
    block += object_words(block + 1) + words_around_;
  }
}

// Finds or adds the object with these words. REQUIRES: every pointer among them is stored.
Term Store::add(std::span<const Term> words, bool is_cons, std::uint64_t extra_flags) {
  std::uint64_t hash = is_cons ? 0x51 : 0;
  std::uint64_t flags = extra_flags | (is_cons ? kIsCons : 0);
  if (!is_cons && is_raw(kind_of(words[0]))) {
    for (const Term word : words) hash = mix(hash, word.bits());
    if (kind_of(words[0]) == Kind::kFloat) flags |= kHasFloat;
  } else {
    for (const Term word : words) {
      if (word.is_pointer()) {
        CHECK(!heap_.is_young(word));
        const std::uint64_t meta = meta_of(word);
        flags |= meta & kInherited;
        hash = mix(hash, meta >> 8);
      } else {
        flags |= flags_of_immediate(word);
        hash = mix(hash, of_immediate(word));
      }
    }
  }
  hash = (hash ^ (hash >> 32)) & ((std::uint64_t{1} << 56) - 1);
  const auto tag = static_cast<std::uint32_t>(hash >> 24);
  const auto is_it = [&](const Term* object) {
    return ((object[-1].bits() & kIsCons) != 0) == is_cons && object[0] == words[0] &&
           std::memcmp(object + 1, words.data() + 1, (words.size() - 1) * sizeof(Term)) == 0;
  };
  const auto term_of = [&](Term* object) { return is_cons ? Term::cons(object) : Term::boxed(object); };
  Slot& recent = recent_[hash % kRecent];
  if (recent.hash == tag && recent.where != 0 && is_it(base_ + recent.where))
    return term_of(base_ + recent.where);
  for (std::size_t i = hash & mask_; table_[i].where != 0; i = (i + 1) & mask_) {
    if (table_[i].hash != tag || !is_it(base_ + table_[i].where)) continue;
    recent = table_[i];
    return term_of(base_ + table_[i].where);
  }
  Term* block = allocate(words.size() + words_around_);
  block[0] = Term(hash << 8 | flags);
  std::memcpy(static_cast<void*>(block + 1), words.data(), words.size() * sizeof(Term));
  if (words_around_ > 1) {
    const auto [high, low] = make_wide_hash(words, is_cons);
    block[words.size() + 1] = Term(high);
    block[words.size() + 2] = Term(low);
  }
  ++count_;
  recent = {.hash = tag, .where = static_cast<std::uint32_t>(block + 1 - base_)};
  if (count_ * 2 > table_.size()) {
    grow_table();  // finds the new object by walking
  } else {
    insert_slot(hash, static_cast<std::uint32_t>(block + 1 - base_));
  }
  return term_of(block + 1);
}

Term Store::intern_object(Kind kind, std::span<const Term> payload) {
  words_.clear();
  words_.push_back(make_header(kind, payload.size()));
  words_.insert(words_.end(), payload.begin(), payload.end());
  return add(words_, false, 0);
}

// The canonical bytes object of a bit range of a bytes object.
Term Store::add_bytes(const Term* object, Word bit_offset, Word bit_length) {
  const Word data_words = (bit_length + 63) / 64;
  words_.assign(data_words + 2, Term(0));
  words_[0] = make_header(Kind::kBytes, data_words + 1);
  words_[1] = Term(bit_length);
  copy_bits(reinterpret_cast<std::uint8_t*>(words_.data() + 2), 0,
            reinterpret_cast<const std::uint8_t*>(object + 2), bit_offset, bit_length);
  return add(words_, false, 0);
}

Term Store::intern_young(Term root) {
  // Post-order with an explicit stack: an object is built once no child of it is young any more.
  pending_.clear();
  pending_.push_back(root);
  const auto forwarded = [](const Term* object, bool is_cons) {
    return is_cons ? (object[0].is_none() ? object[1] : Term::none())
                   : (object[0].is_header() ? Term::none() : object[0]);
  };
  while (!pending_.empty()) {
    const Term t = pending_.back();
    Term* object = t.pointer();
    if (!forwarded(object, t.is_cons()).is_none()) {
      pending_.pop_back();
      continue;
    }
    Term stored;
    if (t.is_boxed() && kind_of(object[0]) == Kind::kBytes) {
      stored = add_bytes(object, 0, object[1].bits());
    } else if (t.is_boxed() && kind_of(object[0]) == Kind::kBitstring) {
      const Term* base = object[3].object();
      if (!base[0].is_header()) base = base[0].object();
      stored = add_bytes(base, static_cast<Word>(object[1].small_value()),
                         static_cast<Word>(object[2].small_value()));
    } else if (t.is_boxed() && is_raw(kind_of(object[0]))) {
      stored = add(std::span<const Term>(object, size_of(object[0]) + 1), false, 0);
    } else {
      const std::size_t words = t.is_cons() ? 2 : size_of(object[0]) + 1;
      const bool is_context = t.is_boxed() && kind_of(object[0]) == Kind::kMatchContext;
      const std::size_t depth = pending_.size();
      words_.resize(words);
      for (std::size_t i = 0; i < words; ++i) {
        Term word = object[i];
        if (heap_.is_young(word)) {
          const Term moved = forwarded(word.pointer(), word.is_cons());
          if (moved.is_none()) {
            pending_.push_back(word);
          } else {
            word = moved;
          }
        }
        words_[i] = word;
      }
      if (pending_.size() != depth) continue;  // come back when the children are stored
      if (is_context) words_[4] = Term::small(next_ordinal_++);
      stored = add(words_, t.is_cons(), 0);
    }
    pending_.pop_back();
    if (t.is_cons()) {
      object[0] = Term::none();
      object[1] = stored;
    } else {
      object[0] = stored;
    }
  }
  return root.is_cons() ? root.cell()[1] : root.object()[0];
}

Term Store::intern_frame(Term resume, Term parent, std::span<Term> slots) {
  next_ordinal_ = 0;
  std::uint64_t flags = 0;
  for (Term& slot : slots) {
    slot = intern(slot);
    if (is_kind(slot, Kind::kMatchContext)) flags = kHasMatchContext;
  }
  words_.clear();
  words_.push_back(make_header(Kind::kFrame, slots.size() + 2));
  words_.push_back(resume);
  words_.push_back(parent);
  words_.insert(words_.end(), slots.begin(), slots.end());
  return add(words_, false, flags);
}

bool Store::mark(Term t) {
  Term& meta = t.pointer()[-1];
  if ((meta.bits() & kMark) != 0) return false;
  meta = Term(meta.bits() | kMark);
  return true;
}

void Store::unmark(std::span<const Term> terms) {
  for (const Term t : terms) t.pointer()[-1] = Term(meta_of(t) & ~kMark);
}

void Store::mark_from(Term root) {
  if (!root.is_pointer()) return;
  CHECK(contains(root));
  mark_stack_.push_back(root);
  while (!mark_stack_.empty()) {
    const Term t = mark_stack_.back();
    mark_stack_.pop_back();
    Term* object = t.pointer();
    const std::uint64_t meta = object[-1].bits();
    if ((meta & kMark) != 0) continue;
    object[-1] = Term(meta | kMark);
    if (t.is_boxed() && is_raw(kind_of(object[0]))) continue;
    const std::size_t words = object_words(object);
    for (std::size_t i = 0; i < words; ++i)
      if (object[i].is_pointer()) mark_stack_.push_back(object[i]);
  }
}

void Store::sweep() {
  std::ranges::fill(free_, nullptr);
  free_large_.clear();
  std::ranges::fill(table_, Slot{});
  std::ranges::fill(recent_, Slot{});
  count_ = 0;
  words_used_ = 0;
  Term* free_start = nullptr;  // start of the run of free room that ends here
  const auto close_free_run = [&](Term* end) {
    if (free_start != nullptr) add_free(free_start, static_cast<std::size_t>(end - free_start));
    free_start = nullptr;
  };
  for (Term* block = base_ + 1; block < top_;) {
    const std::uint64_t meta = block[0].bits();
    const bool was_free = (meta & kFree) != 0;
    const std::size_t size = was_free ? meta >> 8 : object_words(block + 1) + words_around_;
    if (!was_free && (meta & kMark) != 0) {
      close_free_run(block);
      block[0] = Term(meta & ~kMark);
      insert_slot(meta >> 8, static_cast<std::uint32_t>(block + 1 - base_));
      ++count_;
      words_used_ += size;
    } else if (free_start == nullptr) {
      free_start = block;
    }
    block += size;
  }
  if (free_start != nullptr) top_ = free_start;
}

void Store::collect(Roots& roots) {
  roots.for_each(
      [](void* store, Term* first, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) static_cast<Store*>(store)->mark_from(first[i]);
      },
      this);
  sweep();
  collect_at_ = words_min_ == 0 ? 0 : std::max(words_min_, words_used_ * 2);
}

}  // namespace ravel::erlang
