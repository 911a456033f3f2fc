#include "strategy/optimal_reduction/step_trials.h"

#include "base/hash.h"

namespace ravel::reduction {

namespace {

// A step that is tried takes as long as so many that are compared.
constexpr std::uint64_t kComparisonsPerTrial = 64;

// For how many steps that were tried at a node it is remembered what they did.
constexpr std::size_t kTriedRemembered = std::size_t{1} << 14;

// For how many pairs of steps it is remembered whether they depend on each other on a closer look.
constexpr std::size_t kPairsRemembered = std::size_t{1} << 20;

std::uint64_t hash_of(const History& history, const StepName& name) {
  return combine(history.name_hash(name.event.actor),
                 std::uint64_t{name.event.ordinal} << 32 | name.alternative);
}

}  // namespace

const TriedStep& StepTrials::take_after_sequence(std::uint32_t node, const StepName& name) {
  sequence_.leave_tree();
  const std::uint64_t key = hash_of(execution_.history(), name) + sequence_.hash();
  if (nodes_[node].tried.size() >= kTriedRemembered) nodes_[node].tried.clear();
  auto [place, is_new] = nodes_[node].tried.try_emplace(key);
  TriedStep& tried = place->second;
  const StepName steps[] = {name};
  if (!is_new || !run(node, sequence_.size(), steps)) return tried;
  const History& history = trial_.history();
  const auto event = static_cast<EventId>(history.length() - 1);
  const std::span<const Touch> touches = history.touches(history[event]);
  tried = {.is_possible = true,
           .ends_all = execution_.system().stops_others(),
           .name = step_of(history, event),
           .close_key = history[event].close_key,
           .touches = {touches.begin(), touches.end()},
           .causes = {}};
  for (const EventId cause : history.predecessors(history[event]))
    tried.causes.push_back(history[cause].name);
  return tried;
}

bool StepTrials::depend_closely(std::uint32_t node, const Step& step, std::uint32_t index) {
  const StepName steps[] = {step.name, sequence_.step_at(index)};
  const std::uint64_t key = combine(step.close_key, sequence_.close_key_at(index));
  if (close_.size() > kPairsRemembered) close_.clear();
  auto [place, is_new] = close_.try_emplace(key, true);
  if (is_new && run(node, index, steps)) {
    const History& history = trial_.history();
    place->second = history.precedes(static_cast<EventId>(history.length() - 2),
                                     static_cast<EventId>(history.length() - 1));
  }
  return place->second;
}

// Executes what comes before a node, the first events of the sequence, what is above its place in the tree,
// and these steps; false if they can't be taken. `trial_` has it all.
bool StepTrials::run(std::uint32_t node, std::size_t length, std::span<const StepName> steps) {
  const History& history = execution_.history();
  if (patience_.ends_after(kComparisonsPerTrial * history.length())) return false;
  is_tried_.assign(history.length(), 0);
  for (std::uint32_t before = 0; before < node; ++before) is_tried_[nodes_[before].event] = 1;
  const std::span<const EventId> events = sequence_.events();
  for (std::uint32_t i = 0; i < events.size(); ++i)
    if (i < length || sequence_.is_removed(i)) is_tried_[events[i]] = 1;
  to_try_.clear();
  for (EventId event = 0; event < history.length(); ++event)
    if (is_tried_[event] != 0)
      to_try_.push_back({.actor = history[event].name.actor, .alternative = history[event].alternative});
  // The last step of the sequence is none of its events.
  for (const WakeupSequence::Above& above : sequence_.above())
    if (!above.is_known || above.step.event == sequence_.last().name.event)
      to_try_.push_back({.actor = above.step.event.actor, .alternative = above.step.alternative});
  for (const StepName& step : steps)
    to_try_.push_back({.actor = step.event.actor, .alternative = step.alternative});
  return trial_.run(*trials_, to_try_);
}

}  // namespace ravel::reduction
