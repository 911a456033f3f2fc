// What the randomised strategies share: each execution begins anew with its own random numbers, which depend
// only on the seed and on how many executions have ended before; one that is begun and not run is begun
// again. An execution that had nothing to choose is the only one there is, and the search complete.
//
// A search may ask for executions that begin with given steps, as where a race was seen. They go on by a
// random walk, and the strategy learns nothing of them: what it draws later does not depend on them except by
// the seed.
//
// Parts of a sample are ranges of the executions' numbers (sample_source.h). What a part has learned by its
// end is what it notes.

#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/random.h"
#include "engine/divisible.h"
#include "engine/strategy.h"

namespace ravel {

// The next so many executions begin with these steps. REQUIRES: from the initial state, they can be taken.
struct FollowUp {
  std::vector<Transition> steps = {};
  std::uint64_t executions = 0;
};

class Sampling : public Strategy, public Divisible {
 public:
  // Without a number of executions it goes on until a budget stops it. `first`: the number of the first one,
  // if others are run elsewhere.
  Sampling(std::uint64_t seed, std::optional<std::uint64_t> executions, std::uint64_t first = 0)
      : seed_(seed),
        executions_(executions),
        first_(first),
        ended_(first),
        end_(end_of_all()),
        random_(seed) {}

  // REQUIRES: between two executions.
  void follow(FollowUp follow_up) { follow_up_ = std::move(follow_up); }

  std::optional<Plan> next_execution() final {
    if (is_only_schedule_ || has_all() || ended_ >= end_) return std::nullopt;
    random_ = Random(combine(seed_, ended_));
    had_choice_ = false;
    follows_ = follow_up_.executions > 0;
    if (!follows_) begin();
    return follows_ ? Plan{.then = follow_up_.steps} : Plan{};
  }
  Decision choose(const Point& point) final {
    had_choice_ = had_choice_ || point.enabled.size() > 1;
    if (follows_) [[unlikely]]
      return Decision::take(random_.below(point.enabled.size()), Return::kNever);
    return draw(point);
  }
  void observe(const Event& event) final {
    if (!follows_) [[likely]]
      note(event);
  }
  Novelty end_execution(Outcome outcome) final {
    if (follows_) {
      --follow_up_.executions;
    } else {
      end(outcome);
    }
    ++ended_;
    is_only_schedule_ = !follows_ && !had_choice_ && outcome != Outcome::kRunning;
    return Novelty::kNew;
  }
  Coverage coverage() const final {
    return is_only_schedule_ ? all_of(CoverageUnit::kSchedules) : Coverage{};
  }
  std::optional<double> executions_estimate() const final {
    if (is_only_schedule_) return 1;
    return executions_ ? std::optional(static_cast<double>(*executions_)) : std::nullopt;
  }
  bool write_position(PositionWriter& writer) const final {
    writer.put(ended_);
    write_learned(writer);
    return true;
  }
  bool read_position(PositionReader& reader, Trials&) final {
    ended_ = reader.get();
    return read_learned(reader) && !reader.is_damaged();
  }

  std::string why_whole() const override {
    return follow_up_.executions > 0 ? "some of its executions follow others" : "";
  }
  void become_part(std::uint32_t executions) final {
    if (executions > 0) end_ = ended_ + executions;
  }
  std::string take_notes() final {
    PositionWriter writer;
    write_learned(writer);
    return writer.bytes();
  }
  std::unique_ptr<PartSource> make_source(System& system, std::string position) const final;
  bool is_of_source(std::string_view) const final { return false; }

 protected:
  virtual void begin() {}
  // Whether all that it wants to draw was drawn.
  virtual bool has_all() const { return false; }
  virtual Decision draw(const Point& point) = 0;
  virtual void note(const Event&) {}
  virtual void end(Outcome) {}
  // What earlier executions have told about the program.
  virtual void write_learned(PositionWriter&) const {}
  // False: it was learned in another way.
  virtual bool read_learned(PositionReader&) { return true; }

  std::uint64_t seed() const { return seed_; }
  std::uint64_t executions_ended() const { return ended_ - first_; }
  Random& random() { return random_; }

 private:
  std::uint64_t end_of_all() const {
    constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
    return executions_ && *executions_ < kNever - first_ ? first_ + *executions_ : kNever;
  }

  const std::uint64_t seed_;
  const std::optional<std::uint64_t> executions_;
  const std::uint64_t first_;
  std::uint64_t ended_;      // the number of the next one
  std::uint64_t end_;        // the number of the first one that is not to be run, by this part of the search
  FollowUp follow_up_;       // what is left of it
  bool follows_ = false;     // the current execution is one of those
  bool had_choice_ = false;  // in the current execution
  bool is_only_schedule_ = false;
  Random random_;
};

}  // namespace ravel
