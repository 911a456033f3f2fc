// What decides the next choice and the next execution.
//
// A strategy lives across executions. It sees transitions and events, never a language; it only says how the
// next execution begins. It never steps or saves the program itself: what it wants to try, or to come back
// to, the explorer does for it (SearchServices). It may use no clock and no randomness but its own seeded
// generator, so that the same search gives the same executions on every machine.
//
// The explorer calls begin_search(), and then, for each execution: next_execution(); at each point beyond
// what the plan says choose() and, after the step, observe(); at the end end_execution(). The kept leading
// steps are neither chosen nor observed again; the steps of Plan::then are observed.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/coverage.h"
#include "engine/position.h"
#include "engine/search_services.h"
#include "engine/system.h"
#include "engine/transition.h"

namespace ravel {

// How the next execution begins; then it goes on with whatever choose() says.
struct Plan {
  std::size_t keep = 0;  // how many first steps of the previous execution stay
  // Instead of these: the execution that led to a state that was kept
  std::optional<KeptState> from = {};
  // Steps after these, which are observed and not chosen; valid until the next plan
  std::span<const Transition> then = {};
};

// A moment of an execution at which something is to be chosen.
struct Point {
  std::span<const Transition> enabled;  // never empty; in logical order
  std::size_t depth = 0;                // how many events came before
  std::optional<ActorId> previous;      // the actor that took the step before, if there was one
  std::uint32_t preemptions = 0;        // switches away from a still enabled actor, so far
  SystemView* system = nullptr;         // what may be asked

  // A stateful search asks which state this is.
  std::optional<Fingerprint> fingerprint() const { return system->fingerprint(); }
};

// Whether a later plan may keep exactly the steps before this point. If it may well, a snapshot of the point
// is worth having; if it seldom does, one every few steps is, from which the steps between are taken again.
enum class Return : std::uint8_t { kNever, kSeldom, kMaybe };

class Decision {
 public:
  // Takes enabled[index].
  static Decision take(std::size_t index, Return may_return) {
    return Decision(static_cast<std::uint32_t>(index), may_return);
  }
  // Gives up the execution: what follows was seen before, or is not wanted.
  static Decision abandon() { return Decision(kAbandon, Return::kNever); }

  bool abandons() const { return index_ == kAbandon; }
  std::size_t index() const { return index_; }
  Return may_return() const { return return_; }

 private:
  static constexpr std::uint32_t kAbandon = ~std::uint32_t{0};

  Decision(std::uint32_t index, Return may_return) : index_(index), return_(may_return) {}

  std::uint32_t index_;
  Return return_;
};

// Whether an execution is one that this search has not completed before.
enum class Novelty : std::uint8_t {
  kNew,
  kRepeated,
  kDiscarded,  // the strategy did not want it; it counts as abandoned
  kKnown,      // counted before the search was interrupted; leads back to where the search was
};

// What an execution has of what a strategy with priorities bounds: how often a priority was changed, on how
// many variables the operations before that were, and among how many actors orders were tried. An actor that
// gives way to one of a higher priority that could not move before is preempted without such a change.
struct BugBounds {
  std::uint32_t changes = 0;
  std::uint32_t variables = 0;
  std::uint32_t threads = 0;
  std::uint32_t iterations = 0;  // the most of a variable: how many objects the same calls had made before
  std::vector<std::uint64_t> objects = {};  // an object of each variable, as this execution's touches name it

  friend bool operator==(const BugBounds&, const BugBounds&) = default;
};

class Strategy {
 public:
  virtual ~Strategy() = default;

  // The name as the user knows it, with what determines the search: "random walk, seed 7".
  virtual std::string name() const = 0;

  // The search begins. The services are there until its end.
  virtual void begin_search(SearchServices&) {}
  // The next execution, or nothing when the search that was asked for is complete.
  virtual std::optional<Plan> next_execution() = 0;
  virtual Decision choose(const Point& point) = 0;
  virtual void observe(const Event&) {}
  // `outcome` is kRunning if the execution was abandoned.
  virtual Novelty end_execution(Outcome) { return Novelty::kNew; }

  // What is ruled out once next_execution() has returned nothing; its bounds say what is complete so far.
  virtual Coverage coverage() const = 0;

  // The numbers of those events of the current execution on which this one depends, and its own, in their
  // order: alone they are the beginning of an execution. Nothing: this strategy does not know.
  virtual std::optional<std::vector<std::size_t>> causes_of(std::size_t) const { return std::nullopt; }

  // The bounds of the current execution, if this strategy has bounds.
  virtual std::optional<BugBounds> bounds() const { return std::nullopt; }

  // What an incomplete search still promises: a sentence without a full stop, or nothing.
  virtual std::string promise() const { return {}; }

  // How many new executions the whole search is likely to have, by what it has met so far. Nothing: no idea.
  virtual std::optional<double> executions_estimate() const { return std::nullopt; }

  // Long work between two executions asks this now and then, with how many steps it has compared since it
  // asked last. True: it is given up, next_execution() returns nothing, and there is no position.
  using Interruption = std::function<bool(std::uint64_t steps)>;
  virtual void interrupt_by(Interruption interruption) { interruption_ = std::move(interruption); }
  virtual bool has_given_up() const { return has_given_up_; }

  // Writes where the search is. The execution that was planned last belongs to what is left, unless it has
  // ended. False if this strategy can't.
  virtual bool write_position(PositionWriter&) const { return false; }
  // Goes on from a position that another object for the same search has written, with another System perhaps.
  // It may plan executions that were counted before, to find its way back (Novelty::kKnown), and may try
  // steps here already. False if the position makes no sense for this System. REQUIRES: nothing was called
  // before.
  virtual bool read_position(PositionReader&, Trials&) { return false; }

 protected:
  // What is called in that work. True from the moment on in which it is given up.
  bool gives_up(std::uint64_t steps) {
    work_ += steps;
    if (work_ >= kStepsPerQuestion && !has_given_up_) {
      has_given_up_ = interruption_ && interruption_(work_);
      work_ = 0;
    }
    return has_given_up_;
  }

 private:
  static constexpr std::uint64_t kStepsPerQuestion = 4'096;
  Interruption interruption_;
  std::uint64_t work_ = 0;
  bool has_given_up_ = false;
};

}  // namespace ravel
