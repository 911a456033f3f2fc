#include "explorers/explorer_driver.h"

#include <algorithm>

#include "base/check.h"

namespace ravel {

namespace {

class NamesOf final : public ActorNames {
 public:
  explicit NamesOf(const SystemView& system) : system_(system) {}
  std::string name_of(ActorId actor) const override { return system_.actor_name(actor).to_string(); }

 private:
  const SystemView& system_;
};

}  // namespace

void ExplorerDriver::begin() {
  before_.clear();
  moved_.reset();
}

void ExplorerDriver::arrive(ExplorerState& state, std::span<const Transition> enabled,
                            const SystemView& system) {
  list_actors(enabled, now_);
  mark(now_);
  for (const ActorId actor : before_)
    if (!is_marked(actor)) explorer_->note_blocked(state, actor);
  mark(before_);
  const NamesOf names(system);
  for (const ActorId actor : now_)
    if (!is_marked(actor)) explorer_->note_enabled(state, actor, moved_, names);
  if (messages_ == nullptr) return;
  for (const ExplorerMessage& message : messages_->take_explorer_messages())
    explorer_->note_message(state, message);
}

std::size_t ExplorerDriver::choose(ExplorerState& state, std::span<const Transition> enabled,
                                   std::uint32_t place, const SystemView& system) {
  list_actors(enabled, before_);
  std::optional<std::size_t> index;
  mark(before_);  // who was not named yet
  std::size_t left = before_.size();
  for (std::size_t delays = 0; delays < before_.size() && left > 0 && !index; ++delays) {
    if (delays > 0) explorer_->delay(state, before_);
    const ActorId actor = explorer_->next(state, before_);
    if (is_marked(actor)) {
      unmark(actor);
      --left;
      index = find(enabled, actor, place);
    } else if (std::ranges::find(before_, actor) == before_.end()) {
      complain("names an actor that can't move", actor, system);
    }
  }
  for (const ActorId actor : before_) {
    if (index || left == 0) break;
    if (!is_marked(actor)) continue;
    complain("never names", actor, system);
    index = find(enabled, actor, place);
  }
  for (std::size_t i = 0; i < enabled.size() && !index; ++i)
    if (!happens_by_itself(enabled[i].kind) && place-- == 0) index = i;
  CHECK(index.has_value());
  moved_ = enabled[*index].actor;
  explorer_->note_move(state, *moved_);
  // What was told on the way to a state that was known is nobody's any more.
  if (messages_ != nullptr) messages_->take_explorer_messages();
  return *index;
}

// Whoever moved last is named by next() if it can move, and else somebody is whom the state does not hold.
std::uint32_t ExplorerDriver::cost_of(const ExplorerState& state, std::span<const Transition> enabled,
                                      std::uint32_t place) {
  if (explorer_->costs() == DelayCosts::kPlaces) return place;
  const auto moves_by_itself = [](const Transition& one) { return happens_by_itself(one.kind); };
  const auto by_itself = static_cast<std::uint32_t>(std::ranges::count_if(enabled, moves_by_itself));
  const auto is_last = [&](const Transition& one) {
    return !state.empty() && one.actor == ActorId{state.front()} && moves_by_itself(one);
  };
  const auto of_last = static_cast<std::uint32_t>(std::ranges::count_if(enabled, is_last));
  const std::uint32_t free = of_last > 0 ? of_last : by_itself;
  if (place < free) return 0;
  // What happens by itself costs a preemption, and each of what does not one more.
  return (free < by_itself ? 1 : 0) + (place < by_itself ? 0 : place - by_itself + 1);
}

void ExplorerDriver::list_actors(std::span<const Transition> enabled, std::vector<ActorId>& actors) const {
  actors.clear();
  for (const Transition& transition : enabled)
    if (happens_by_itself(transition.kind) && (actors.empty() || actors.back() != transition.actor))
      actors.push_back(transition.actor);
}

bool ExplorerDriver::is_marked(ActorId actor) const {
  const auto index = static_cast<std::size_t>(actor);
  return index < marks_.size() && marks_[index] == mark_;
}

void ExplorerDriver::mark(std::span<const ActorId> actors) {
  ++mark_;
  for (const ActorId actor : actors) {
    const auto index = static_cast<std::size_t>(actor);
    if (index >= marks_.size()) marks_.resize(index + 1, 0);
    marks_[index] = mark_;
  }
}

// The actor's alternative of this number, which is less by as many as the actor has otherwise.
std::optional<std::size_t> ExplorerDriver::find(std::span<const Transition> enabled, ActorId actor,
                                                std::uint32_t& place) {
  const auto first = std::ranges::find(enabled, actor, &Transition::actor);
  for (auto i = first; i != enabled.end() && i->actor == actor; ++i)
    if (happens_by_itself(i->kind) && place-- == 0) return static_cast<std::size_t>(i - enabled.begin());
  return std::nullopt;
}

// A number that the explorer has made up is no actor's, and has no name.
void ExplorerDriver::complain(const char* what, ActorId actor, const SystemView& system) {
  std::string text = "the explorer " + explorer_->name() + " " + what;
  if (static_cast<std::size_t>(actor) < marks_.size()) text += ": " + system.actor_name(actor).to_string();
  complaints_->insert(std::move(text));
}

}  // namespace ravel
