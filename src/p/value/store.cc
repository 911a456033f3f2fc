#include "p/value/store.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "base/check.h"
#include "base/reserve.h"

namespace ravel::p {
namespace {

constexpr std::size_t kInitialSlots = std::size_t{1} << 14;
// How many large free blocks an allocation looks at before it takes new room.
constexpr std::size_t kLargeTries = 8;
constexpr std::uint64_t kHashMask = (std::uint64_t{1} << 56) - 1;
constexpr std::uint64_t kMultiplier = 0x9e3779b97f4a7c15;

// The bits of a hash that choose a slot are the low ones, those that are compared first are these.
std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 24); }

}  // namespace

ValueStore::ValueStore(std::size_t words, Hashes hashes)
    : words_around_(hashes == Hashes::kWide ? 4 : 2),
      table_(kInitialSlots),
      words_min_(words),
      collect_at_(words) {
  const Reserved got = reserve(kReservedBytes);
  base_ = static_cast<Word*>(got.address);
  end_ = base_ + got.bytes / sizeof(Word);
  top_ = base_ + 1;  // offset 0 means an empty slot
  empty_seq_ = make(ObjectKind::kSeq, {});
  empty_set_ = make(ObjectKind::kSet, {});
  empty_map_ = make(ObjectKind::kMap, {});
}

ValueStore::~ValueStore() { release(base_, kReservedBytes); }

Value ValueStore::real(double number) {
  if (number == 0) number = 0;  // there is no -0.0
  if (std::isnan(number)) number = std::numeric_limits<double>::quiet_NaN();
  return make_raw(ObjectKind::kFloat, __builtin_bit_cast(Word, number));
}

Value ValueStore::string(std::string_view text) {
  std::vector<Word> words(1 + (text.size() + sizeof(Word) - 1) / sizeof(Word), 0);
  words[0] = text.size();
  if (!text.empty()) std::memcpy(words.data() + 1, text.data(), text.size());
  return find_or_add(make_header(ObjectKind::kString, words.size()), words);
}

Value ValueStore::named_tuple(std::uint32_t shape, std::span<const Value> parts) {
  std::vector<Value> words = {Value::small(shape)};
  words.insert(words.end(), parts.begin(), parts.end());
  return make(ObjectKind::kNamedTuple, words);
}

Value ValueStore::foreign(std::uint32_t type, Value content) {
  const Value words[] = {Value::small(type), content};
  return make(ObjectKind::kForeign, words);
}

Value ValueStore::with_part(Value tuple, std::size_t at, Value part) {
  CHECK(at < tuple_size(tuple));
  const std::span<const Word> words = raw_words(tuple);
  scratch_.assign(words.begin(), words.end());
  scratch_[at + words.size() - tuple_size(tuple)] = part.bits();
  return find_or_add(tuple.object()[0], scratch_);
}

Value ValueStore::make(ObjectKind kind, std::span<const Value> parts) {
  static_assert(sizeof(Value) == sizeof(Word));
  return find_or_add(make_header(kind, parts.size()),
                     {reinterpret_cast<const Word*>(parts.data()), parts.size()});
}

std::uint64_t ValueStore::hash_of(Word header, std::span<const Word> words) {
  std::uint64_t hash = header;
  const bool holds_values = !ravel::p::is_raw(kind_of_header(header));
  for (const Word word : words) {
    hash = (hash ^ (holds_values ? ValueStore::hash(Value(word)) : word)) * kMultiplier;
    hash ^= hash >> 29;
  }
  return (hash ^ (hash >> 32)) & kHashMask;
}

Hash128 ValueStore::wide_hash_of(Word header, std::span<const Word> words) {
  WideHash hash(header);
  const bool holds_values = !ravel::p::is_raw(kind_of_header(header));
  for (const Word word : words)
    hash.add(holds_values ? wide_hash(Value(word)) : Hash128{.high = word, .low = kImmediate});
  return hash.finish();
}

Value ValueStore::find_or_add(Word header, std::span<const Word> words) {
  const std::uint64_t hash = hash_of(header, words);
  const std::uint32_t tag = tag_of(hash);
  const std::size_t mask = table_.size() - 1;
  for (std::size_t i = hash & mask; table_[i].where != 0; i = (i + 1) & mask) {
    if (table_[i].hash != tag) continue;
    Word* const object = base_ + table_[i].where;
    if (object[0] == header && std::equal(words.begin(), words.end(), object + 1))
      return Value(reinterpret_cast<Word>(object));
  }
  Word* const block = allocate(block_size(words.size()));
  block[0] = hash << 8;
  block[1] = header;
  std::ranges::copy(words, block + 2);
  if (words_around_ > 2) {
    const auto [high, low] = wide_hash_of(header, words);
    block[words.size() + 2] = high;
    block[words.size() + 3] = low;
  }
  ++count_;
  if (count_ * 4 > table_.size() * 3)
    grow_table();  // finds the new object by walking
  else
    insert_slot(hash, static_cast<std::uint32_t>(block + 1 - base_));
  return Value(reinterpret_cast<Word>(block + 1));
}

// A block of free room tells its size in its first word.
void ValueStore::free_block(Word* block, std::size_t words) {
  block[0] = Word{words} << 8 | kFree;
  if (words < kSizeClasses)
    free_[words].push_back(block);
  else
    free_large_.emplace_back(block, words);
}

Word* ValueStore::allocate(std::size_t words) {
  words_used_ += words;
  if (words < kSizeClasses && !free_[words].empty()) {
    Word* const block = free_[words].back();
    free_[words].pop_back();
    return block;
  }
  // The front of a large block: of the last one, or of one of the few before it if it is too small.
  for (std::size_t i = 1; i <= std::min(free_large_.size(), kLargeTries); ++i) {
    const auto [block, size] = free_large_[free_large_.size() - i];
    if (size < words) continue;
    free_large_.erase(free_large_.end() - static_cast<std::ptrdiff_t>(i));
    if (size > words) free_block(block + words, size - words);
    return block;
  }
  if (static_cast<std::size_t>(end_ - top_) < words) {
    std::fputs(
        "ravel: the values of the saved states take more than 32 GiB; explore fewer of them, or a smaller "
        "test.\n",
        stderr);
    std::abort();
  }
  Word* const block = top_;
  top_ += words;
  return block;
}

void ValueStore::insert_slot(std::uint64_t hash, std::uint32_t where) {
  const std::size_t mask = table_.size() - 1;
  std::size_t i = hash & mask;
  while (table_[i].where != 0) i = (i + 1) & mask;
  table_[i] = {.hash = tag_of(hash), .where = where};
}

void ValueStore::grow_table() {
  table_.assign(table_.size() * 2, Slot{});
  for (Word* block = base_ + 1; block < top_;) {
    if ((block[0] & kFree) != 0) {
      block += block[0] >> 8;
      continue;
    }
    insert_slot(block[0] >> 8, static_cast<std::uint32_t>(block + 1 - base_));
    block += block_words(block);
  }
}

void ValueStore::mark(Value root) {
  if (root.is_object()) pending_.push_back(root);
  while (!pending_.empty()) {
    const Value value = pending_.back();
    pending_.pop_back();
    Word& before = value.object()[-1];
    if ((before & kMark) != 0) continue;
    before |= kMark;
    if (ravel::p::is_raw(kind_of(value))) continue;
    for (const Word word : raw_words(value))
      if (const Value child(word); child.is_object()) pending_.push_back(child);
  }
}

void ValueStore::sweep() {
  for (auto& blocks : free_) blocks.clear();
  free_large_.clear();
  std::ranges::fill(table_, Slot{});
  count_ = 0;
  words_used_ = 0;
  Word* free_start = nullptr;  // of the run of free room that ends here
  for (Word* block = base_ + 1; block < top_;) {
    const bool was_free = (block[0] & kFree) != 0;
    const std::size_t words = was_free ? block[0] >> 8 : block_words(block);
    if (!was_free && (block[0] & kMark) != 0) {
      if (free_start != nullptr) free_block(free_start, static_cast<std::size_t>(block - free_start));
      free_start = nullptr;
      block[0] &= ~kMark;
      insert_slot(block[0] >> 8, static_cast<std::uint32_t>(block + 1 - base_));
      ++count_;
      words_used_ += words;
    } else if (free_start == nullptr) {
      free_start = block;
    }
    block += words;
  }
  if (free_start != nullptr) top_ = free_start;
}

void ValueStore::collect(ValueRoots& roots) {
  for (const Value value : {empty_seq_, empty_set_, empty_map_}) mark(value);
  roots.for_each([this](std::span<const Value> values) {
    for (const Value value : values) mark(value);
  });
  sweep();
  collect_at_ = words_min_ == 0 ? 0 : std::max(words_min_, words_used_ * 2);
}

bool ValueStore::contains(Value value) const { return value.object() > base_ && value.object() < top_; }

}  // namespace ravel::p
