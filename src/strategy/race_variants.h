// Explores by race variants alone: every trace that differs in which messages receives take, each once.
//
// The idea (reachability testing: Y. Lei and R. H. Carver, 2006; race variants: G. Vidal, 2022): run any execution; from
// its trace compute the race sets of its receives; every combination of other choices, for receives that do not follow
// from each other, is a variant: the trace without what follows from the changed receives. Run each variant, going on
// behind it in any way, and do the same with what comes out.
//
// Each trace is reached once because a variant remembers two things. Its events are `old`: an old receive is
// changed only to a message that is sent behind the variant, since the other choices belong to other variants of the
// trace before. And the changed receives with their causal past are `frozen`: they are never changed again. Why this
// is enough: let T be a trace that was run and T* another one that contains what is frozen in T. The events that T and
// T* have in common are closed under causes, so that the first event of an actor that they do not share is a receive in
// both. If all of those receives whose message in T* is sent among the common events are changed to it, that is one
// variant of T, and T* is reached from it; from any other variant it is not, because that has changed a receive in
// another way, which is frozen, or left an old one whose choice is no longer open.
//
// A variant need not be possible where messages arrive as they are sent (message_races.h). If its frozen part is not,
// there is no such trace. If the rest is not, some of its old receives are left out and chosen anew. What they take then may be
// sent behind the variant, which no other variant leads to, or be one of the messages that were there before, which belongs to a
// variant of its own: then a trace is reached twice. It is recognised by its hash, and counted as repeated. Which of the two it is
// shows only when it has run: without such variants the random programs of the tests have 3 repeated executions instead of 193
// among more than 5,200 traces, but one program in some 9,000 misses a trace.
//
// What is not explored: the other order of operations that conflict other than by messages (names, tables, exits), the
// other alternatives of data choices. They are noticed: coverage() claims all traces only if there was no such race.
//
// A variant may turn out not to run as it was made, if an operation does other things in another order although its footprint
// does not tell. It is given up then (Novelty::kDiscarded), what lies behind it is not explored, and no claim is made.
//
// Memory: a level for each change on the way to the current trace, at most as many as it has receives, each with the
// events of its execution; and 8 bytes, with the table's share, for each of the first 4 million traces.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "engine/strategy.h"
#include "strategy/history.h"
#include "strategy/message_races.h"

namespace ravel {

class RaceVariants final : public Strategy {
 public:
  // It explores the traces that extend the partial one that the steps of `prefix` make. REQUIRES: they can be taken.
  explicit RaceVariants(std::span<const Transition> prefix = {});

  std::string name() const override { return "race variants"; }
  std::optional<Plan> next_execution() override;
  Decision choose(const Point& point) override;
  void observe(const Event& event) override;
  Novelty end_execution(Outcome outcome) override;
  Coverage coverage() const override;
  std::optional<std::vector<std::size_t>> causes_of(std::size_t event) const override { return history_.causes_of(event); }
  std::optional<double> executions_estimate() const override;
  bool write_position(PositionWriter& writer) const override;
  bool read_position(PositionReader& reader, System&) override;

 private:
  // A receive that may be changed, and what to; `choice` 0 is: as it was, then the options from 1.
  struct Choice {
    std::uint32_t receive;
    std::vector<MessageRaces::Message> options;
    std::size_t choice = 0;
  };
  // An execution and where we are among its variants.
  struct Level {
    MessageRaces races;
    std::vector<Choice> choices;
    std::vector<bool> frozen;  // by position; the events of the variant that it was made from come first
    History::Mark before;      // this execution
  };
  struct Step {
    ActorId actor{};
    std::uint32_t alternative = 0;
    EventId event = kNoEvent;   // as known from the execution before; none: it may happen in another way
    bool is_frozen = false;
    bool receives = false;      // then the message that it takes:
    bool takes = false;
    EventName sender{};
    std::uint32_t touch = 0;
  };

  void open_level();
  // Plans the execution that the position has above the current one; nothing if there is none.
  std::optional<Plan> return_to_next_level();
  Plan plan_script();
  bool is_known() const {
    return levels_returned_ < to_return_.size() || (levels_returned_ == to_return_.size() && is_returning_ && was_ended_);
  }
  void rewind_to(const MessageRaces& races);
  Decision lose();
  // The next variant of the level; false if there is no other.
  bool advance(Level& level);
  bool is_possible(const Level& level, std::size_t index) const;
  std::vector<MessageRaces::Change> changes_of(const Level& level) const;
  // Makes the script of the level's current variant; false if it can't happen.
  bool make_script(Level& level);
  void look_for_other_races(EventId event);

  History history_;
  std::vector<Level> levels_;
  std::uint64_t executions_ = 0;  // new ones
  bool has_ended_ = false;        // the execution that was planned last
  // Of a position that was read: the choices of its levels, how many of these were made again, and whether its last
  // execution had ended.
  std::vector<std::vector<std::uint64_t>> to_return_;
  std::size_t levels_returned_ = 0;
  bool is_returning_ = false;
  bool was_ended_ = false;

  std::vector<Step> script_;
  std::size_t script_at_ = 0;
  History::Mark before_{};  // the current execution
  bool has_begun_ = false;
  bool has_other_races_ = false;
  bool is_lost_ = false;   // the current execution is not the variant that it should be
  bool has_lost_ = false;  // some execution
  System* system_ = nullptr;
  std::vector<ActorId> was_enabled_;  // before the last event
  std::unordered_set<std::uint64_t> seen_;  // hashes of traces
};

}  // namespace ravel
