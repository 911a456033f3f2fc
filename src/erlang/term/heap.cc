#include "erlang/term/heap.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/check.h"
#include "base/memory.h"
#include "base/reserve.h"

namespace ravel::erlang {

namespace {

// A half that grew beyond this gives its pages back when it is emptied.
constexpr std::size_t kKeepWords = std::size_t{1} << 22;

// Bytes that may be live however small the machine is.
constexpr std::size_t kAlwaysLive = std::size_t{512} << 20;

// Collecting takes both halves, and what is live may double before the next collection.
std::size_t live_words_max(std::size_t half_words) {
  const std::size_t share = memory_to_use(1) / 13;  // of four fifths: about a sixteenth
  return std::min(half_words / 4, std::max(share, kAlwaysLive) / sizeof(Term));
}

}  // namespace

Heap::Heap(std::size_t words) : words_min_(words) {
  const Reserved got = reserve(kReservedBytes);
  reserved_ = reinterpret_cast<Word>(got.address);
  halves_[0] = static_cast<Term*>(got.address);
  halves_[1] = halves_[0] + got.bytes / 2 / sizeof(Term);
  capacity_ = words_min_;
  base_ = top_ = halves_[0];
  limit_ = base_ + capacity_;
  hard_end_ = halves_[1];
  words_max_ = live_words_max(static_cast<std::size_t>(halves_[1] - halves_[0]));
}

Heap::~Heap() { release(reinterpret_cast<void*>(reserved_), kReservedBytes); }

void Heap::fail_exhausted(std::size_t words) {
  if (throws_) {
    top_ -= words;
    throw HeapExhausted();
  }
  std::fputs(
      "ravel: the program under test holds more live data in one step than there is room for: 16 GiB, or "
      "less where address space is "
      "limited (ulimit -v). Give it a smaller test, or a higher limit.\n",
      stderr);
  std::abort();
}

void Heap::reset() {
  const std::size_t used = words_used();
  if (used > kKeepWords) {
    const std::size_t keep_bytes = kKeepWords * sizeof(Term);
    madvise(reinterpret_cast<char*>(base_) + keep_bytes, used * sizeof(Term) - keep_bytes, MADV_DONTNEED);
  }
  top_ = base_;
  capacity_ = words_min_;
  limit_ = base_ + capacity_;
  is_exhausted_ = false;
}

namespace {

struct Cheney {
  Word old_start;  // of the words that are evacuated
  Word old_bytes;
  Term* top;  // next free word of the new half

  // A word that has moved already stays: a root may be visited twice.
  Term move(Term t) {
    if (!t.is_pointer() || t.bits() - old_start >= old_bytes) return t;
    Term* from = t.pointer();
    if (t.is_cons()) {
      if (from[0].is_none()) return from[1];  // already moved
      Term* to = top;
      top += 2;
      to[0] = from[0];
      to[1] = from[1];
      from[0] = Term::none();
      from[1] = Term::cons(to);
      return from[1];
    }
    if (!from[0].is_header()) return from[0];  // already moved
    const std::size_t words = size_of(from[0]) + 1;
    Term* to = top;
    top += words;
    std::memcpy(static_cast<void*>(to), from, words * sizeof(Term));
    from[0] = Term::boxed(to);
    return from[0];
  }

  void scan(Term* first, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) first[i] = move(first[i]);
  }
};

}  // namespace

void Heap::collect(Roots& roots, std::size_t words_needed) {
  ++collections_;
  const std::size_t other = 1 - current_;
  Cheney cheney{reinterpret_cast<Word>(base_), words_used() * sizeof(Term), halves_[other]};
  roots.for_each([](void* collector, Term* first,
                    std::size_t count) { static_cast<Cheney*>(collector)->scan(first, count); },
                 &cheney);
  Term* scanned = halves_[other];
  while (scanned < cheney.top) {
    const Term word = *scanned;
    if (!word.is_header()) {
      *scanned++ = cheney.move(word);
    } else if (is_raw(kind_of(word))) {
      scanned += size_of(word) + 1;
    } else {
      ++scanned;  // the payload is terms; they are visited one by one
    }
  }
  const std::size_t used_before = words_used();
  if (used_before > kKeepWords) madvise(static_cast<void*>(base_), used_before * sizeof(Term), MADV_DONTNEED);
  current_ = other;
  base_ = halves_[other];
  hard_end_ = base_ + (halves_[1] - halves_[0]);
  top_ = cheney.top;
  // Room for as much again as is live, so that the work of collecting is proportional to allocation.
  const std::size_t wanted =
      words_min_ == 0 ? words_used() + words_needed : (words_used() + words_needed) * 2;
  capacity_ = std::max(words_min_, wanted);
  limit_ = std::min(base_ + capacity_, hard_end_);
  if (words_used() + words_needed > words_max_) is_exhausted_ = true;
}

Term Heap::tuple(std::initializer_list<Term> elements) {
  return tuple(std::span<const Term>(elements.begin(), elements.size()));
}

Term Heap::tuple(std::span<const Term> elements) {
  Term* object = allocate(elements.size() + 1);
  object[0] = make_header(Kind::kTuple, elements.size());
  std::copy(elements.begin(), elements.end(), object + 1);
  return Term::boxed(object);
}

Term Heap::list(std::span<const Term> elements, Term tail) {
  for (std::size_t i = elements.size(); i-- > 0;) tail = cons(elements[i], tail);
  return tail;
}

Term Heap::big_integer(std::int64_t value) {
  Term* object = allocate(2);
  object[0] = make_header(value < 0 ? Kind::kNegativeBig : Kind::kPositiveBig, 1);
  object[1] = Term(value < 0 ? ~static_cast<Word>(value) + 1 : static_cast<Word>(value));
  return Term::boxed(object);
}

Term Heap::unsigned_integer(std::uint64_t value) {
  if (value <= static_cast<std::uint64_t>(kSmallMax)) return Term::small(static_cast<std::int64_t>(value));
  Term* object = allocate(2);
  object[0] = make_header(Kind::kPositiveBig, 1);
  object[1] = Term(value);
  return Term::boxed(object);
}

}  // namespace ravel::erlang
