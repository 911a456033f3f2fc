// What threads have at hand: what they wait for, what they hold, where they are, and the memory that they
// share, as far as operations have touched it.

#include <algorithm>

#include "threads/remote/operation_text.h"
#include "threads/remote/remote_system.h"

namespace ravel::threads {

namespace {

StateLine line_at(const Symbols& symbols, std::string text, std::span<const std::uint64_t> stack) {
  const SourcePlace place = symbols.user_place(stack);
  return {.text = cut_text(std::move(text)), .file = place.file, .line = place.line};
}

// Nothing: it is no variable now, such as a block that was freed, or a place on a stack that is not used.
std::optional<std::string> name_of_memory(const RemoteTexts& texts, AskedPlaces& places,
                                          std::uint64_t address) {
  const Symbols& symbols = texts.symbols();
  if (auto global = symbols.global_at(address)) return global;
  const HeapPlace place = places.place_of(address, AskedPlaces::When::kNow);
  if (place.allocated_at == 0 && !symbols.local_at(place.on_stack, address)) return std::nullopt;
  return texts.address(address);
}

ActorState shared_memory(const RemoteTexts& texts, AskedPlaces& places, const std::vector<AskedMemory>& asked,
                         const std::vector<std::optional<std::uint64_t>>& values) {
  ActorState shared;
  for (std::size_t i = 0; i < std::min(asked.size(), values.size()); ++i) {
    if (!values[i]) continue;
    if (const auto name = name_of_memory(texts, places, asked[i].address))
      shared.parts.push_back({.kind = StateKind::kVariables,
                              .name = *name,
                              .lines = {{.text = number_text(*values[i], asked[i].size)}}});
  }
  std::ranges::stable_sort(shared.parts, {}, &StatePart::name);
  return shared;
}

ActorState state_of_thread(const RemoteActors& actors, const RemoteTexts& texts,
                           const InspectedThread& thread, const std::vector<HeldLock>& locks) {
  const Symbols& symbols = texts.symbols();
  ActorState state{.actor = actors.ours(thread.actor)};
  if (!thread.waits.empty())
    state.parts.push_back(
        {.kind = StateKind::kWaits, .lines = {line_at(symbols, texts.resolved(thread.waits), thread.stack)}});
  PartLines stack;
  std::vector<SourcePlace> places = symbols.user_places(thread.stack);
  if (places.empty()) places = {symbols.user_place(thread.stack)};
  for (const SourcePlace& place : places)
    stack.add({.text = place.function.empty() ? "unknown code" : place.function,
               .file = place.file,
               .line = place.line});
  state.parts.push_back({.kind = StateKind::kStack, .lines = stack.take()});
  PartLines held;
  for (const HeldLock& lock : locks)
    if (lock.holder == thread.actor) held.add(line_at(symbols, texts.resolved(lock.what), lock.locked));
  if (auto lines = held.take(); !lines.empty())
    state.parts.push_back({.kind = StateKind::kLocks, .lines = std::move(lines)});
  for (const std::uint32_t other : thread.waits_for) state.waits_for.push_back(actors.ours(other));
  return state;
}

}  // namespace

std::vector<ActorState> RemoteSystem::inspect() {
  Writer out;
  out << Command::kInspect << InspectionOrder{.memory = touched_.all()};
  auto in = ask(out, MessageKind::kInspection);
  if (!in) return inspected_;
  Inspection inspection;
  *in >> inspection;
  inspected_.clear();
  if (ActorState shared = shared_memory(texts_, *this, touched_.all(), inspection.values);
      !shared.parts.empty())
    inspected_.push_back(std::move(shared));
  for (const InspectedThread& thread : inspection.threads)
    inspected_.push_back(state_of_thread(actors_, texts_, thread, inspection.locks));
  return inspected_;
}

}  // namespace ravel::threads
