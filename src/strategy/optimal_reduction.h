// Runs every trace, each once: dynamic partial-order reduction with source sets, sleep sets and wakeup trees (Abdulla, Aronis,
// Jonsson, Sagonas, "Source sets: a foundation for optimal dynamic partial order reduction", J. ACM 64:4, 2017, where it is
// called optimal DPOR).
//
// Two executions are equivalent if one becomes the other by swapping neighbouring independent events; a class of
// equivalent executions is a trace (history.h says what depends on what). All executions of a trace end in the same
// state, so one of each is enough.
//
// The idea. The events of an execution are nodes, one behind the other. Each race in it, that is an event g that
// depends on an earlier event e of another actor and might have come first, asks for an execution in which it does:
// what comes before e, then all that does not depend on e, then g. That wakeup sequence is put into e's node's tree of
// what is still to be run there, unless what was run, or will be, covers it: a step that was explored at a node sleeps
// in everything that is run from there later, until something happens that depends on it; a sequence that could as well
// begin with a sleeping step is known. One that is put into the tree wakes all sleepers of its node. So whatever
// happens behind it is new, and no execution has to be given up. Of the sequence only that is kept which g needs, and
// which wakes a sleeper.
//
// Conditional dependence. If g reads what e changes and decides by it what it touches (`Touch::decides`), or if e keeps
// g's actor from moving (`Prevented`), nobody knows what g touches before e: so it is tried (trial.h). Whether two
// coarse touches conflict in the order in which they did not happen is tried, too. So all that trees and sleepers are
// compared by is known. Which races are known may change with what comes later in an execution: of those that a sleeper
// has stopped, or where g was tried, the later node is kept open (`open_nodes_`), and they are looked at again at the
// end of each execution that contains them.
//
// Waiting. An event g may be possible only because of e, as a lock behind an unlock. Then it is put not before e but before what
// had taken it away, the last event in e's past that conflicts with g and before which g is possible: tried, or known if it
// acquires what g acquires. Of an actor that is stuck at the end of an execution all events are tried that may have kept it.
//
// Time. An event with which time passes (Access::kPass) was possible only because nobody could go on. So it is in the past of all
// that comes later, and all that came before is in its own: it has no races, nothing sleeps behind it, and what comes before it is
// explored as an execution of its own. Who is stuck there is what is stuck at the end of that.
//
// Messages. A receive that can take several messages decides among them, as it does whether to go on without one, and sends
// do not depend on each other: as if a mailbox had no order (after Aronis, Jonsson, Lang, Sagonas, "Optimal dynamic partial order
// reduction with observers", TACAS 2018, where sends depend on each other if a receive tells them apart). That it has one is left
// to the order of execution, which is another one than that of the nodes then: each receive finds its message first. A step of
// the script that finds another message is a reason to put the script in a better order and to begin again; if there is no
// order, there is no such trace.
//
// Messages alone (Reversals::kReceives): only what receives choose is decided otherwise, which message they take or
// that they go on without one. These are the race variants of G. Vidal, "Computing Race Variants in Message-Passing
// Concurrent Programming with Selective Receives" (2022), run one after the other as in reachability testing (Y. Lei,
// R. H. Carver, 2006), but kept in wakeup trees, so that none is run twice. If no execution shows another race, these
// were all traces; else coverage() says so, and it is not defined which choices of messages were met: a step that
// sleeps stands for all that commutes with it, also where the messages of that are possible behind it only with other
// conflicts in another order, which is not run. Going from variant to variant without trees loses as much: of 13,936
// random programs with and without such conflicts it meets fewer choices of messages in 8, and more in 1. It also
// repeats traces where receives of several actors want sends in orders that contradict each other (80 of 781).
//
// All this is held by comparison with exhaustive search (tests/strategy/optimal_reduction_test.cc, of messages alone
// tests/strategy/race_variants_test.cc; of random programs of each front end in its own tests, see docs/roadmap.md).
//
// Memory is polynomial in the length n of an execution: its events, with their footprints and clocks (n^2), and the
// wakeup trees of its nodes. As trees these have at most one leaf for each trace that is left, up to 2^(n+1) branches
// in programs that are known for it, of n readers and a writer or of n writers and a reader. But their parts are alike,
// and when there are many branches (WakeupTrees::kLargeMin) they are made a graph. For n readers and a writer that
// grows with n: 116 branches for 12 readers, where trees have 6,138, if it is made from the first branch on
// (tests/strategy/wakeup_trees_test.cc). That no program needs exponentially many is not shown, so there is a limit
// (TreeLimits::cut_above): where it is reached, of a wakeup sequence only the first step is kept, as with the source
// sets of the same article, so that from then on a node has a branch for each step at most that could be taken there. A
// branch is 20 bytes, as equal steps are kept once (step_pool.h), and one that is to be executed in another order than
// that of its nodes has this order besides, 8 bytes an event. And up to 64 MiB for the hashes of the first 4 million
// traces.
//
// Cut trees. What is behind a step that stands for a sequence is found by running whatever comes, with those asleep
// that only the rest of the sequence would have woken. So no trace is missed, but some may be run in vain, up to its
// end, and is counted as repeated: a message that a sleeping receive does not take may still be on its way. For the
// same reason only what happens in a sequence is taken for known, not what could come before it as well; and what is
// tried is tried behind each first part of it.
//
// Other ways to small trees. To run the branches of the first nodes first, so that they need not wait, is not sound:
// what is to be run behind a branch is known only when all has been run that follows from what the node did before,
// because what sleeps behind the branch leaves traces to that which show the races. Parsimonious reduction (Abdulla,
// Atig, Das, Jonsson, Sagonas, CAV 2024), which needs no trees, decides by the execution at hand which races to
// reverse, and what was run already, instead of by sleeping steps.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/strategy.h"
#include "strategy/history.h"
#include "strategy/number_map.h"
#include "strategy/step_pool.h"
#include "strategy/trial.h"
#include "strategy/wakeup_trees.h"

namespace ravel {

// Which races are decided otherwise.
enum class Reversals : std::uint8_t { kAll, kReceives };

// With how many branches wakeup trees become something else.
struct TreeLimits {
  std::size_t share_above = WakeupTrees::kLargeMin;        // their equal parts become one
  std::size_t cut_above = std::size_t{1} << 24;            // of what comes in, the first step is kept; 20 bytes a branch, and its step's
};

class OptimalReduction final : public Strategy {
 public:
  // Every execution contains the events of the steps of `prefix`, which are not decided anew: it explores the traces that
  // extend the partial one that these make. REQUIRES: they can be taken.
  explicit OptimalReduction(std::span<const Transition> prefix = {}, Reversals reversals = Reversals::kAll, TreeLimits limits = {})
      : reversals_(reversals), cut_above_(limits.cut_above), prefix_(prefix.begin(), prefix.end()), trees_(steps_, limits.share_above) {}

  std::string name() const override {
    return reversals_ == Reversals::kAll ? "optimal partial-order reduction" : "race variants";
  }
  std::optional<Plan> next_execution() override;
  Decision choose(const Point& point) override;
  void observe(const Event& event) override;
  Novelty end_execution(Outcome outcome) override;
  Coverage coverage() const override {
    return {.kind = has_left_races_ ? Coverage::Kind::kMessageTraces : Coverage::Kind::kAllTraces,
            .bound_completed = {}, .bound_current = {}};
  }
  bool write_position(PositionWriter& writer) const override;
  bool read_position(PositionReader& reader, System& system) override;
  std::optional<double> executions_estimate() const override;
  // How many branches of wakeup trees it holds.
  std::size_t branches() const { return trees_.size(); }
  std::optional<std::vector<std::size_t>> causes_of(std::size_t event) const override { return history_.causes_of(event); }

 private:
  static constexpr std::uint32_t kNone = WakeupTrees::kNone;

  // What a step touches behind certain events.
  struct Tried {
    bool is_possible = false, ends_all = false;
    StepName name = {};
    std::uint64_t close_key = 0;
    std::vector<Touch> touches = {};
    std::vector<EventName> causes = {};
  };
  struct Node {
    StepName step;
    EventId event = kNoEvent;
    std::uint32_t first_alternative = 0, alternatives = 1;
    bool is_fixed = false;             // by the prefix
    std::uint64_t executions_before = 0;  // its first
    std::uint64_t executions_before_step = 0;  // the first with the step that it takes now
    std::vector<std::uint32_t> asleep; // steps that were explored at earlier nodes
    std::vector<std::uint32_t> done;   // and here
    std::unordered_map<std::uint64_t, Tried> tried;  // by a hash of the step and what comes between it and this node
    std::vector<StepName> commutes;    // steps with which its event does not conflict on a closer look
    std::uint32_t pending = kNone;     // the list of the branches that are left
  };
  struct ScriptStep {
    StepName step;
    std::uint32_t node;
  };
  // `by` has kept an actor from taking this step.
  struct Prevented { EventId by; EventName step; };
  // An actor that could not take this step when nobody could go on, after so many events.
  struct Stuck { EventName step; std::uint32_t length; };
  // What is to come last in a wakeup sequence.
  struct Last {
    StepName name;
    std::uint64_t close_key;
    bool ends_all;
    std::span<const Touch> touches;
    EventId event;      // as it happened in this execution, or none
    std::vector<EventId>& needs;  // what it must come after: needs_
    bool is_tried = false;        // it did not happen in this execution
    TouchSummary summary = TouchSummary::of(touches);
  };
  // What is asked again and again of an event of a wakeup sequence: nothing, if it is removed from that since it is in the tree.
  struct Candidate {
    TouchSummary summary;
    std::uint32_t actor;  // kNone if it is removed
    bool is_removed = false, is_needed = false;
  };

  void write_nodes(PositionWriter& writer) const;
  class LeafSums;
  class Returner;
  std::uint32_t add_node(bool is_fixed);
  bool branch();
  void share_trees();
  void put_in_order();
  void start_script();
  void end_script();
  bool is_in_order() const { return in_order_ == history_.length(); }
  void put_to_sleep(std::uint32_t node);
  bool repair_order(EventId receive, const StepName& wanted);
  void note_prevented(std::span<const Transition> enabled);
  bool is_asleep(const Transition& transition) const;

  static StepName step_of(const History& history, EventId event);
  StepName step_of(EventId event) const { return step_of(history_, event); }
  std::uint32_t use_step(EventId event);
  static bool is_same(const StepName& one, const StepName& other);
  static bool touches_depend(std::span<const Touch> those, std::span<const Touch> these);
  enum class Dependence : std::uint8_t { kNone, kCoarse, kPlain };
  static Dependence dependence(std::span<const Touch> those, std::span<const Touch> these);
  bool depends_on(const Step& step, std::uint32_t index, const Last& last);

  void find_races();
  void reverse_conflicts(std::uint32_t later);
  void find_alternatives(std::uint32_t node);
  void collect_sequence(std::uint32_t from, EventId last);
  bool reverse(std::uint32_t node, EventId later);
  bool reverse_unknown(std::uint32_t node, EventId later);
  bool may_have_kept(EventId earlier, EventId later) const;
  void take_message(std::uint32_t receive, Sent sent);
  void expire(std::uint32_t receive);
  void prevent(const Prevented& prevented);
  void reverse_past(EventId passed, EventId later);
  void note_stuck(System& system);
  void unblock(const Stuck& stuck);
  Last other_choice(EventId receive, const StepName& name, Access access);
  template <class Place>
  bool for_sequences(Place place);
  bool try_step(std::uint32_t node, const StepName& name);
  bool try_behind_sequence(std::uint32_t node, const StepName& name);
  bool try_steps(std::uint32_t node, std::size_t length, std::span<const StepName> steps);
  std::uint64_t hash_of(const StepName& name) const;
  std::uint64_t hash_of_sequence(std::size_t length) const;
  bool has_let_happen(EventId earlier, EventId later) const;

  bool is_part_of(const Step& step, const Last& last) const;
  bool find_place(std::uint32_t node, const Last& last);
  void make_candidates();
  void remove_candidate(std::uint32_t index);
  void mark_needed(EventId event);
  void attach(const Last& last, std::vector<EventName> order);
  void attach_first(std::vector<EventName> order);
  // The first of the sequence on which the step depends; kNone if it can come before all of it.
  std::uint32_t find_waking(const Step& step, const Last& last);

  // Marks the nodes before `end` and the sequence in in_config_.
  void mark_config(std::uint32_t end);
  bool in_config(EventId event) const { return in_config_[event] != 0; }
  void mark_before(std::span<const EventId> events);
  void find_takeable(EventId receive, std::vector<Sent>& messages) const;
  std::vector<EventName> order_as_executed(std::uint32_t end, const Last& last);
  bool order_for_message(EventId receive, Sent message, std::vector<EventName>& order);
  bool order_for_expiry(EventId receive, std::vector<EventName>& order);
  std::size_t put_before_rivals(EventId wanted, std::vector<EventName>& order);

  const Reversals reversals_;
  const std::size_t cut_above_;
  bool is_cut_ = false;                     // some wakeup sequence was
  bool has_left_races_ = false;             // some that are not to be decided otherwise
  History history_;
  Trial trial_;
  std::vector<Transition> to_try_;
  std::vector<History::Mark> marks_;        // by position: before that event
  std::vector<std::uint32_t> node_of_;      // by position
  std::uint32_t in_order_ = 0;              // so many first events are those of the first nodes, in their order
  std::vector<EventId> late_sends_;         // events with messages that earlier receives could have taken
  std::vector<Node> nodes_;
  std::uint32_t node_count_ = 0;             // nodes_ keeps more, for their storage
  std::uint32_t executed_ = 0;              // how many of them have an event
  std::uint32_t first_new_ = 0;             // the first node that this execution does not share with the one before
  std::vector<Transition> prefix_;

  StepPool steps_;
  WakeupTrees trees_;

  std::vector<ScriptStep> script_;
  std::uint32_t script_in_order_ = 0;       // so many first steps are those of the first nodes, as these say
  std::size_t script_at_ = 0;
  bool is_script_over_ = false;
  std::uint32_t next_node_ = 0;
  bool is_rejected_ = false;
  bool is_repaired_ = false;                // the script is to be executed in another order
  bool has_begun_ = false;
  bool was_planned_ = false;                // an execution other than the first
  bool has_returned_ = false;               // to a position that was read, whose execution comes next
  std::uint32_t asleep_from_ = 0;           // the first node behind which it is to be seen what sleeps
  std::uint64_t executions_ = 0;            // new ones
  bool has_ended_ = false;
  bool has_stopped_others_ = false;         // the last event
  std::uint32_t next_first_alternative_ = 0, next_alternatives_ = 1;
  System* system_ = nullptr;
  std::vector<ActorId> was_enabled_;        // before the last event
  std::vector<Prevented> prevented_;
  std::vector<Stuck> stuck_;                // at the end of the execution, and where time passed
  std::unordered_map<std::uint64_t, bool> close_;  // by two steps: whether they depend on each other on a closer look
  NumberSet seen_;  // hashes of traces

  std::vector<std::uint32_t*> lists_;       // of the nodes
  std::vector<std::uint32_t> path_;         // the branches that are taken, down to a leaf
  std::vector<std::vector<std::uint32_t>> nodes_of_actor_;

  // A place in a wakeup tree: the node, and the branches above.
  struct Above { StepName step; bool is_known; };  // is_known: it is in the sequence
  std::uint32_t place_node_ = 0;
  std::vector<Above> above_;
  std::vector<std::uint32_t> place_path_;
  // A step that does not conflict with one of the sequence, or with the last, on a closer look.
  struct Commuting { std::uint32_t index; StepName step; EventId event = kNoEvent; };
  std::vector<Commuting> commuting_;
  std::vector<std::uint8_t> is_tried_;      // by position
  bool is_last_removed_ = false;
  bool is_open_ = false;
  std::vector<std::uint8_t> open_nodes_, open_now_;  // by node: whether what comes later makes a difference to its races
  std::vector<Touch> other_touches_;
  std::vector<EventId> sequence_;           // a wakeup sequence without its last step
  std::vector<EventId> needs_;              // of that last step
  std::vector<Candidate> candidates_;       // by place in it
  std::vector<std::uint32_t> place_of_;     // by event, if that is in it
  TouchSummary sequence_summary_;           // of them all
  std::vector<std::uint8_t> in_config_, before_;      // by position
  std::vector<EventId> config_;                       // in the order of execution
  std::vector<Sent> takeable_;
};

}  // namespace ravel
