#include "p/machine/images.h"

#include <array>

#include "p/value/object.h"
#include "p/value/sequence.h"

namespace ravel::p {
namespace {

constexpr std::size_t kNumbers = 10;

Value small(std::uint64_t number) { return Value::small(static_cast<std::int64_t>(number)); }

std::uint32_t number_at(Value image, std::size_t at) {
  return static_cast<std::uint32_t>(part(image, at).small_value());
}

}  // namespace

Value image_of(const LiveMachine& live, ValueStore& store) {
  std::vector<Value> words;
  words.reserve(2 * (live.queue.size() + live.frames.size()));
  for (const Message& message : live.queue) {
    words.push_back(message.event);
    words.push_back(message.payload);
  }
  const Value queue = seq::of(store, words);
  words.clear();
  for (const Frame& frame : live.frames) {
    words.push_back(small(frame.pc));
    words.push_back(small(frame.base));
  }
  const Value frames = store.tuple(words);
  const std::uint64_t flags =
      static_cast<std::uint64_t>(live.phase) | static_cast<std::uint64_t>(live.stage) << 2 |
      std::uint64_t{live.unwraps_payload} << 4 | std::uint64_t{live.target_unwraps_payload} << 5;
  const std::array<Value, kNumbers + 5> parts = {small(flags),
                                                 small(index(live.machine)),
                                                 small(index(live.state)),
                                                 small(live.bound),
                                                 small(live.number),
                                                 small(live.children),
                                                 small(live.pc),
                                                 small(live.base),
                                                 small(index(live.target)),
                                                 small(live.between),
                                                 live.carried,
                                                 store.tuple(live.fields),
                                                 queue,
                                                 store.tuple(live.stack),
                                                 frames};
  return store.tuple(parts);
}

void thaw(Value image, LiveMachine& live) {
  const std::uint32_t flags = number_at(image, 0);
  live.phase = static_cast<Phase>(flags & 3);
  live.stage = static_cast<Stage>(flags >> 2 & 3);
  live.unwraps_payload = (flags >> 4 & 1) != 0;
  live.target_unwraps_payload = (flags >> 5 & 1) != 0;
  live.machine = MachineId{number_at(image, 1)};
  live.state = StateId{number_at(image, 2)};
  live.bound = number_at(image, 3);
  live.number = number_at(image, 4);
  live.children = number_at(image, 5);
  live.pc = number_at(image, 6);
  live.base = number_at(image, 7);
  live.target = StateId{number_at(image, 8)};
  live.between = number_at(image, 9);
  live.carried = part(image, kNumbers);
  const auto copy = [](Value tuple, std::vector<Value>& to) {
    to.clear();
    for (const Word word : raw_words(tuple)) to.push_back(Value(word));
  };
  copy(part(image, kNumbers + 1), live.fields);
  copy(part(image, kNumbers + 3), live.stack);
  const std::vector<Value> queue = seq::elements(part(image, kNumbers + 2));
  live.queue.clear();
  for (std::size_t i = 0; i < queue.size(); i += 2)
    live.queue.push_back({.event = queue[i], .payload = queue[i + 1]});
  const Value frames = part(image, kNumbers + 4);
  live.frames.clear();
  for (std::size_t i = 0; i < words_of(frames); i += 2)
    live.frames.push_back({.pc = number_at(frames, i), .base = number_at(frames, i + 1)});
}

}  // namespace ravel::p
