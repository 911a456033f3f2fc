#include "threads/search/noted_steps.h"

#include <algorithm>
#include <utility>

namespace ravel::threads {

namespace {

// How many accesses in a row that were not noted are taken to have no end.
constexpr std::uint64_t kUnnotedMax = 10'000;

}  // namespace

NotedSteps::NotedSteps(SearchedProgram& program, const std::vector<std::uint64_t>& tracked)
    : program_(program), system_(program.system()), tracked_(tracked) {}

void NotedSteps::begin() {
  taken_.clear();
  system_.reset();
  take_unnoted();
}

bool NotedSteps::take(const Transition& noted) {
  if (system_.outcome() != Outcome::kRunning || std::ranges::count(system_.enabled(), noted) == 0)
    return false;
  step(noted);
  take_unnoted();
  return true;
}

bool NotedSteps::take(const NamedStep& noted) {
  const auto actor = system_.find_actor(noted.actor);
  return actor && take(Transition{.actor = *actor, .alternative = noted.alternative, .kind = noted.kind});
}

void NotedSteps::step(const Transition& transition) {
  taken_.push_back(transition);
  system_.step(transition);
}

bool NotedSteps::is_unnoted(ActorId actor) const {
  const std::optional<Extent> access = program_.pending_access(actor);
  if (!access) return false;
  bool is_tracked = false;
  for (std::uint64_t word = access->low & ~std::uint64_t{7}; word < access->low + access->size; word += 8) {
    if (std::ranges::count(tracked_, word) > 0) return false;
    is_tracked = is_tracked || std::ranges::count(program_.configuration().tracked, word) > 0;
  }
  return is_tracked;
}

void NotedSteps::take_unnoted() {
  for (std::uint64_t taken = 0; taken < kUnnotedMax && system_.outcome() == Outcome::kRunning; ++taken) {
    const auto enabled = system_.enabled();
    const auto place = std::ranges::find_if(
        enabled, [&](const Transition& transition) { return is_unnoted(transition.actor); });
    if (place == enabled.end()) return;
    step(*place);
  }
}

FoundPrefix find_prefix(SearchedProgram& program, std::span<const NamedStep> prefix,
                        const std::vector<std::uint64_t>& tracked) {
  FoundPrefix found;
  NotedSteps steps(program, tracked);
  steps.begin();
  for (std::size_t i = 0; i < prefix.size() && !found.missing; ++i)
    if (!steps.take(prefix[i])) found.missing = i + 1;
  found.transitions = std::move(steps.taken());
  return found;
}

}  // namespace ravel::threads
