#include "p/machine/images.h"

#include <algorithm>
#include <array>
#include <type_traits>

#include "base/check.h"
#include "p/value/object.h"
#include "p/value/sequence.h"

namespace ravel::p {
namespace {

// Parts of an image.
enum Part : std::size_t { kControl, kFields, kQueue, kActivation, kParts };

// Of its control, a tuple of numbers.
enum Number : std::size_t {
  kPhaseAndStates,  // flags, state, target
  kMachine,         // machine, between
  kPlace,           // bound, pc
  kCounts,          // children, base
  kFrames,          // how many
  kNumbers
};

constexpr unsigned kFlagBits = 6, kStateBits = 27, kIndexBits = 28, kCountBits = 30, kWordBits = 32;

// Of two numbers, of which the lower one has so many bits, one that fits a small value of 60 bits.
Value packed(std::uint64_t high, std::uint64_t low, unsigned bits) {
  CHECK(low >> bits == 0 && high >> (60 - bits) == 0);
  return Value::small(static_cast<std::int64_t>(high << bits | low));
}
std::uint64_t number_at(Value control, Number at) {
  return static_cast<std::uint64_t>(part(control, at).small_value());
}
std::uint32_t low(std::uint64_t number, unsigned bits) {
  return static_cast<std::uint32_t>(number & ((std::uint64_t{1} << bits) - 1));
}
std::uint32_t high(std::uint64_t number, unsigned bits) { return static_cast<std::uint32_t>(number >> bits); }

bool holds(Value object, std::span<const Value> values) {
  return std::ranges::equal(raw_words(object), values, {}, {}, &Value::bits);
}

Value tuple_of(std::span<const Value> values, ValueStore& store, Value before, Part at) {
  if (!before.is_none() && holds(part(before, at), values)) return part(before, at);
  return store.tuple(values);
}

// Event, payload, event, payload, ...
std::span<const Value> words_of_queue(const std::vector<Message>& queue) {
  static_assert(std::is_standard_layout_v<Message> && sizeof(Message) == 2 * sizeof(Value));
  return {reinterpret_cast<const Value*>(queue.data()), 2 * queue.size()};
}

Value queue_of(const LiveMachine& live, ValueStore& store, Value before) {
  const std::span<const Value> words = words_of_queue(live.queue);
  if (!before.is_none() && is_kind(part(before, kQueue), ObjectKind::kSeq) &&
      holds(part(before, kQueue), words))
    return part(before, kQueue);
  return seq::of(store, words);
}

Value control_of(const LiveMachine& live, ValueStore& store, Value before) {
  const std::uint64_t flags =
      static_cast<std::uint64_t>(live.phase) | static_cast<std::uint64_t>(live.stage) << 2 |
      std::uint64_t{live.unwraps_payload} << 4 | std::uint64_t{live.target_unwraps_payload} << 5;
  const std::uint64_t state = std::uint64_t{index(live.state)} << kFlagBits | flags;
  std::array<Value, kNumbers> numbers;
  numbers[kPhaseAndStates] = packed(index(live.target), state, kStateBits + kFlagBits);
  numbers[kMachine] = packed(index(live.machine), live.between, kWordBits);
  numbers[kPlace] = packed(live.pc, live.bound, kIndexBits);
  numbers[kCounts] = packed(live.base, live.children, kCountBits);
  numbers[kFrames] = Value::small(static_cast<std::int64_t>(live.frames.size()));
  return tuple_of(numbers, store, before, kControl);
}

// What is carried, then the frames, then the stack.
Value activation_of(const LiveMachine& live, ValueStore& store, Value before) {
  if (live.frames.empty() && live.stack.empty())
    return tuple_of({&live.carried, 1}, store, before, kActivation);
  std::vector<Value> words;
  words.reserve(1 + live.frames.size() + live.stack.size());
  words.push_back(live.carried);
  for (const Frame& frame : live.frames) words.push_back(packed(frame.base, frame.pc, kWordBits));
  words.insert(words.end(), live.stack.begin(), live.stack.end());
  return tuple_of(words, store, before, kActivation);
}

}  // namespace

Value image_of(const LiveMachine& live, ValueStore& store, Value before) {
  std::array<Value, kParts> parts;
  parts[kControl] = control_of(live, store, before);
  parts[kFields] = tuple_of(live.fields, store, before, kFields);
  parts[kQueue] = queue_of(live, store, before);
  parts[kActivation] = activation_of(live, store, before);
  return store.tuple(parts);
}

void thaw(Value image, LiveMachine& live) {
  const Value control = part(image, kControl);
  const std::uint64_t states = number_at(control, kPhaseAndStates);
  live.phase = static_cast<Phase>(states & 3);
  live.stage = static_cast<Stage>(states >> 2 & 3);
  live.unwraps_payload = (states >> 4 & 1) != 0;
  live.target_unwraps_payload = (states >> 5 & 1) != 0;
  live.state = StateId{low(states >> kFlagBits, kStateBits)};
  live.target = StateId{high(states, kFlagBits + kStateBits)};
  live.machine = MachineId{high(number_at(control, kMachine), kWordBits)};
  live.between = low(number_at(control, kMachine), kWordBits);
  live.pc = high(number_at(control, kPlace), kIndexBits);
  live.bound = low(number_at(control, kPlace), kIndexBits);
  live.base = high(number_at(control, kCounts), kCountBits);
  live.children = low(number_at(control, kCounts), kCountBits);
  const auto copy = [](std::span<const Word> words, std::vector<Value>& to) {
    to.resize(words.size());
    std::ranges::transform(words, to.begin(), [](Word word) { return Value(word); });
  };
  copy(raw_words(part(image, kFields)), live.fields);
  const std::span<const Word> activation = raw_words(part(image, kActivation));
  const std::size_t frames = number_at(control, kFrames);
  live.carried = Value(activation.front());
  live.frames.clear();
  for (const Word word : activation.subspan(1, frames)) {
    const auto frame = static_cast<std::uint64_t>(Value(word).small_value());
    live.frames.push_back({.pc = low(frame, kWordBits), .base = high(frame, kWordBits)});
  }
  copy(activation.subspan(1 + frames), live.stack);
  const Value queue = part(image, kQueue);
  const auto copy_queue = [&live](auto word_at, std::size_t words) {
    live.queue.resize(words / 2);
    for (std::size_t i = 0; i < live.queue.size(); ++i)
      live.queue[i] = {.event = word_at(2 * i), .payload = word_at(2 * i + 1)};
  };
  if (is_kind(queue, ObjectKind::kSeq)) {
    copy_queue([&](std::size_t i) { return part(queue, i); }, words_of(queue));
  } else {
    const std::vector<Value> words = seq::elements(queue);
    copy_queue([&](std::size_t i) { return words[i]; }, words.size());
  }
}

}  // namespace ravel::p
