#include "p/machine/images.h"

#include <array>

#include "p/value/object.h"

namespace ravel::p {
namespace {

constexpr std::size_t kNumbers = 10;

Value small(std::uint64_t number) { return Value::small(static_cast<std::int64_t>(number)); }

std::uint32_t number_at(Value image, std::size_t at) {
  return static_cast<std::uint32_t>(part(image, at).small_value());
}

}  // namespace

Value image_of(const Context& context, ValueStore& store) {
  std::vector<Value> words;
  words.reserve(2 * (context.queue.size() + context.frames.size()));
  for (const Message& message : context.queue) {
    words.push_back(message.event);
    words.push_back(message.payload);
  }
  const Value queue = store.tuple(words);
  words.clear();
  for (const Frame& frame : context.frames) {
    words.push_back(small(frame.pc));
    words.push_back(small(frame.base));
  }
  const Value frames = store.tuple(words);
  const std::uint64_t flags =
      static_cast<std::uint64_t>(context.phase) | static_cast<std::uint64_t>(context.stage) << 2 |
      std::uint64_t{context.unwraps_payload} << 4 | std::uint64_t{context.target_unwraps_payload} << 5;
  const std::array<Value, kNumbers + 5> parts = {small(flags),
                                                 small(index(context.machine)),
                                                 small(index(context.state)),
                                                 small(context.bound),
                                                 small(context.number),
                                                 small(context.children),
                                                 small(context.pc),
                                                 small(context.base),
                                                 small(index(context.target)),
                                                 small(context.between),
                                                 context.carried,
                                                 store.tuple(context.fields),
                                                 queue,
                                                 store.tuple(context.stack),
                                                 frames};
  return store.tuple(parts);
}

void thaw(Value image, Context& context) {
  const std::uint32_t flags = number_at(image, 0);
  context.phase = static_cast<Phase>(flags & 3);
  context.stage = static_cast<Stage>(flags >> 2 & 3);
  context.unwraps_payload = (flags >> 4 & 1) != 0;
  context.target_unwraps_payload = (flags >> 5 & 1) != 0;
  context.machine = MachineId{number_at(image, 1)};
  context.state = StateId{number_at(image, 2)};
  context.bound = number_at(image, 3);
  context.number = number_at(image, 4);
  context.children = number_at(image, 5);
  context.pc = number_at(image, 6);
  context.base = number_at(image, 7);
  context.target = StateId{number_at(image, 8)};
  context.between = number_at(image, 9);
  context.carried = part(image, kNumbers);
  const auto copy = [](Value tuple, std::vector<Value>& to) {
    to.clear();
    for (const Word word : raw_words(tuple)) to.push_back(Value(word));
  };
  copy(part(image, kNumbers + 1), context.fields);
  copy(part(image, kNumbers + 3), context.stack);
  const std::span<const Word> queue = raw_words(part(image, kNumbers + 2));
  context.queue.clear();
  for (std::size_t i = 0; i < queue.size(); i += 2)
    context.queue.push_back({.event = Value(queue[i]), .payload = Value(queue[i + 1])});
  const Value frames = part(image, kNumbers + 4);
  context.frames.clear();
  for (std::size_t i = 0; i < words_of(frames); i += 2)
    context.frames.push_back({.pc = number_at(frames, i), .base = number_at(frames, i + 1)});
}

}  // namespace ravel::p
