// What threads have at hand: what they wait for, what they hold, where they are, and the memory that they
// share, as far as operations have touched it.

#include <algorithm>

#include "threads/remote/operation_text.h"
#include "threads/remote/remote_system.h"

namespace ravel::threads {

namespace {

constexpr std::uint32_t kWordBytes = 8;

bool accesses_memory(OperationKind kind) {
  switch (kind) {
    case OperationKind::kRead:
    case OperationKind::kWrite:
    case OperationKind::kAtomicLoad:
    case OperationKind::kAtomicStore:
    case OperationKind::kAtomicUpdate: return true;
    default: return false;
  }
}

}  // namespace

void RemoteSystem::note_memory() {
  const OperationRecord& record = state_.record;
  if (!accesses_memory(record.kind) || record.size == 0 || record.size > kWordBytes) return;
  const auto place = std::ranges::lower_bound(touched_, record.address, {}, &AskedMemory::address);
  if (place != touched_.end() && place->address == record.address) {
    place->size = std::max(place->size, record.size);
  } else if (touched_.size() < kInspectedLinesMax) {
    touched_.insert(place, {.address = record.address, .size = record.size});
  }
}

StateLine RemoteSystem::line_at(std::string text, std::span<const std::uint64_t> stack) const {
  const SourcePlace place = symbols_->user_place(stack);
  return {.text = cut_text(std::move(text)), .file = place.file, .line = place.line};
}

// Nothing: it is no variable now, such as a block that was freed, or a place on a stack that is not used.
std::optional<std::string> RemoteSystem::name_of_memory(std::uint64_t address) {
  if (auto global = symbols_->global_at(address)) return global;
  const HeapPlace place = ask_heap_place(address);
  if (place.allocated_at == 0 && !symbols_->local_at(place.on_stack, address)) return std::nullopt;
  return address_name(address);
}

ActorState RemoteSystem::shared_memory(const std::vector<AskedMemory>& asked,
                                       const std::vector<std::optional<std::uint64_t>>& values) {
  ActorState shared;
  for (std::size_t i = 0; i < std::min(asked.size(), values.size()); ++i) {
    if (!values[i]) continue;
    if (const auto name = name_of_memory(asked[i].address))
      shared.parts.push_back({.kind = StateKind::kVariables,
                              .name = *name,
                              .lines = {{.text = number_text(*values[i], asked[i].size)}}});
  }
  std::ranges::stable_sort(shared.parts, {}, &StatePart::name);
  return shared;
}

ActorState RemoteSystem::state_of_thread(const InspectedThread& thread, const std::vector<HeldLock>& locks) {
  ActorState state{.actor = ours_[thread.actor]};
  if (!thread.waits.empty())
    state.parts.push_back(
        {.kind = StateKind::kWaits, .lines = {line_at(resolve(thread.waits), thread.stack)}});
  PartLines stack;
  std::vector<SourcePlace> places = symbols_->user_places(thread.stack);
  if (places.empty()) places = {symbols_->user_place(thread.stack)};
  for (const SourcePlace& place : places)
    stack.add({.text = place.function.empty() ? "unknown code" : place.function,
               .file = place.file,
               .line = place.line});
  state.parts.push_back({.kind = StateKind::kStack, .lines = stack.take()});
  PartLines held;
  for (const HeldLock& lock : locks)
    if (lock.holder == thread.actor) held.add(line_at(resolve(lock.what), lock.locked));
  if (auto lines = held.take(); !lines.empty())
    state.parts.push_back({.kind = StateKind::kLocks, .lines = std::move(lines)});
  for (const std::uint32_t other : thread.waits_for) state.waits_for.push_back(ours_[other]);
  return state;
}

std::vector<ActorState> RemoteSystem::inspect() {
  Writer out;
  out << Command::kInspect << InspectionOrder{.memory = touched_};
  send(out.bytes());
  auto in = receive(MessageKind::kInspection);
  if (!in) return inspected_;
  Inspection inspection;
  *in >> inspection;
  inspected_.clear();
  if (ActorState shared = shared_memory(touched_, inspection.values); !shared.parts.empty())
    inspected_.push_back(std::move(shared));
  for (const InspectedThread& thread : inspection.threads)
    inspected_.push_back(state_of_thread(thread, inspection.locks));
  return inspected_;
}

}  // namespace ravel::threads
