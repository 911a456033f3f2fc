#include "threads/search/race_point.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "threads/search/noted_steps.h"

namespace ravel::threads {

namespace {

// Accesses that lie in order of each other are tried in vain: so many steps are taken in all. In an execution
// that has more nothing is looked for.
constexpr std::size_t kStepsMax = 100'000;

class RacePoint {
 public:
  RacePoint(SearchedProgram& program, const std::vector<std::uint64_t>& tracked)
      : program_(program), system_(program.system()), tracked_(tracked) {}

  std::vector<Transition> find(const std::vector<Transition>& schedule) {
    if (schedule.size() > kStepsMax) return {};
    NotedSteps noted(program_, tracked_);
    noted.begin();
    for (const Transition& transition : schedule)
      if (!noted.take(transition)) break;
    schedule_ = std::move(noted.taken());
    find_accesses();
    for (std::size_t second = 1; second < accesses_.size(); ++second) {
      // The last accesses of the other threads before it are the likeliest not to be ordered.
      for (std::size_t first = second; first-- > 0;) {
        if (!conflict(accesses_[first], accesses_[second])) continue;
        if (hold(accesses_[first], accesses_[second])) return std::move(taken_);
        if (steps_ > kStepsMax) return {};
      }
    }
    return {};
  }

 private:
  struct NewAccess {
    std::size_t step;
    ActorId actor;
    std::uint64_t word;
    bool writes;
  };

  static bool conflict(const NewAccess& a, const NewAccess& b) {
    return a.actor != b.actor && a.word == b.word && (a.writes || b.writes);
  }

  // The word that was not tracked before and that this transition leads to next.
  std::optional<NewAccess> access_of(const Transition& transition, std::size_t step) const {
    const std::optional<Extent> access = program_.pending_access(transition.actor);
    if (!access) return std::nullopt;
    const std::uint64_t word = access->low & ~std::uint64_t{7};
    const auto contains = [&](const std::vector<std::uint64_t>& words) {
      return std::ranges::count(words, word) > 0;
    };
    if (contains(tracked_) || !contains(program_.configuration().tracked)) return std::nullopt;
    const std::optional<Touch> touch = system_.pending(transition);
    return NewAccess{.step = step,
                     .actor = transition.actor,
                     .word = word,
                     .writes = touch && touch->access != Access::kRead};
  }

  void find_accesses() {
    system_.reset();
    for (std::size_t i = 0; i < schedule_.size() && system_.outcome() == Outcome::kRunning; ++i) {
      if (const auto access = access_of(schedule_[i], i)) accesses_.push_back(*access);
      system_.step(schedule_[i]);
    }
  }

  bool is_enabled(const Transition& transition) const {
    return system_.outcome() == Outcome::kRunning && std::ranges::count(system_.enabled(), transition) > 0;
  }

  // Goes on without the first one's thread, and without those that wait for it, until the second one's comes
  // to its access. Whether it does.
  bool hold(const NewAccess& first, const NewAccess& second) {
    taken_.clear();
    system_.reset();
    std::vector<ActorId> held;
    for (std::size_t i = 0; i < second.step; ++i) {
      const Transition& transition = schedule_[i];
      if (i == first.step) held.push_back(first.actor);
      if (std::ranges::count(held, transition.actor) > 0) continue;
      if (!is_enabled(transition)) {
        if (transition.actor == second.actor) return false;
        held.push_back(transition.actor);
        continue;
      }
      taken_.push_back(transition);
      system_.step(transition);
      ++steps_;
    }
    if (!is_enabled(schedule_[first.step]) || !is_enabled(schedule_[second.step])) return false;
    const auto access = access_of(schedule_[second.step], second.step);
    return access && access->word == second.word && (access->writes || first.writes);
  }

  SearchedProgram& program_;
  System& system_;
  const std::vector<std::uint64_t>& tracked_;
  std::vector<Transition> schedule_, taken_;
  std::vector<NewAccess> accesses_;
  std::size_t steps_ = 0;
};

}  // namespace

std::vector<Transition> find_race_point(SearchedProgram& program, const std::vector<Transition>& schedule,
                                        const std::vector<std::uint64_t>& tracked) {
  return RacePoint(program, tracked).find(schedule);
}

}  // namespace ravel::threads
