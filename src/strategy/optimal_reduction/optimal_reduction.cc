// Dynamic partial-order reduction with source sets, sleep sets and wakeup trees (Abdulla, Aronis, Jonsson,
// Sagonas, "Source sets: a foundation for optimal dynamic partial order reduction", J. ACM 64:4, 2017, where
// it is called optimal DPOR).
//
// Two executions are equivalent if one becomes the other by swapping neighbouring independent events; a class
// of equivalent executions is a trace (history.h says what depends on what). All executions of a trace end in
// the same state, so one of each is enough.
//
// The idea. The events of an execution are nodes, one after the other. Each race in it, that is an event g
// that depends on an earlier event e of another actor and might have come first, asks for an execution in
// which it does: what comes before e, then all that does not depend on e, then g. That wakeup sequence is put
// into e's node's tree of what is still to be run there, unless what was run, or will be, covers it: a step
// that was explored at a node sleeps in everything that is run from there later, until something happens that
// depends on it; a sequence that could as well begin with a sleeping step is known. A sequence that is put
// into the tree wakes all sleepers of its node. So whatever happens after it is new, and no execution has to
// be given up. Of the sequence only that is kept which g needs, and which wakes a sleeper.
//
// Conditional dependence. If g reads what e changes and decides by it what it touches (`Touch::decides`), or
// if e keeps g's actor from moving (`Prevented`), nobody knows what g touches before e: so it is tried
// (step_trials.h). Whether two coarse touches conflict in the order in which they did not happen is tried,
// too. So all that trees and sleepers are compared by is known. Which races are known may change with what
// comes later in an execution: of those that a sleeper has stopped, or where g was tried, the later node is
// kept open (`Nodes::is_open`), and they are looked at again at the end of each execution that contains them.
//
// races.cc says what becomes of events that wait, and of time; execution_order.cc what becomes of messages;
// sequence_placer.cc how much memory all this takes, and what is done where that is too much.
//
// Messages alone (Reversals::kReceives): only what receives choose is decided otherwise, which message they
// take or that they go on without one. These are the race variants of G. Vidal, "Computing Race Variants in
// Message-Passing Concurrent Programming with Selective Receives" (2022), run one after the other as in
// reachability testing (Y. Lei, R. H. Carver, 2006), but kept in wakeup trees, so that none is run twice. If
// no execution shows another race, these were all traces; else coverage() says so, and it is not defined
// which choices of messages were met: a step that sleeps stands for all that commutes with it, also where the
// messages of that are possible after it only with other conflicts in another order, which is not run. Going
// from variant to variant without trees loses as much: of 13,936 random programs with and without such
// conflicts it meets fewer choices of messages in 8, and more in 1. It also repeats traces where receives of
// several actors want sends in orders that contradict each other (80 of 781).
//
// All this is held by comparison with exhaustive search (tests/strategy/optimal_reduction_test.cc, of
// messages alone tests/strategy/race_variants_test.cc; of random programs of each front end in its own tests,
// see docs/roadmap.md).
//
// Other ways to small trees. To run the branches of the first nodes first, so that they need not wait, is not
// sound: what is to be run after a branch is known only when all has been run that follows from what the node
// did before, because what sleeps after the branch leaves traces to that which show the races. Parsimonious
// reduction (Abdulla, Atig, Das, Jonsson, Sagonas, CAV 2024), which needs no trees, decides by the execution
// at hand which races to reverse, and what was run already, instead of by sleeping steps.

#include "strategy/optimal_reduction/optimal_reduction.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "strategy/optimal_reduction/asked_nodes.h"
#include "strategy/optimal_reduction/estimate.h"
#include "strategy/optimal_reduction/execution_order.h"
#include "strategy/optimal_reduction/given_leaf.h"
#include "strategy/optimal_reduction/patience.h"
#include "strategy/optimal_reduction/races.h"
#include "strategy/optimal_reduction/reduced_execution.h"
#include "strategy/optimal_reduction/saved_position.h"
#include "strategy/optimal_reduction/search_state.h"
#include "strategy/optimal_reduction/shared_tree.h"

namespace ravel {

namespace reduction {

namespace {

constexpr const char kNoLeaf[] = "the next leaf of a part makes no sense";

constexpr const char kNotAsBefore[] =
    "independent events did not commute: a footprint leaves out what its event depends on";

// How many traces are remembered, to notice that one is repeated; 8 bytes each, and the table's.
constexpr std::size_t kTracesRemembered = std::size_t{1} << 22;

class Search final : public OptimalReduction, private Patience {
 public:
  explicit Search(ReductionOptions options)
      : reversals_(options.reversals),
        prefix_(std::move(options.prefix)),
        search_(options.limits.share_above),
        races_(reversals_, options.limits.cut_above, search_, execution_, *this) {}

  std::string name() const override {
    return reversals_ == Reversals::kAll ? "optimal partial-order reduction" : "race variants";
  }
  void begin_search(SearchServices& services) override { races_.begin(services.trials()); }
  std::optional<Plan> next_execution() override;
  Decision choose(const Point& point) override;
  void observe(const Event& event) override;
  Novelty end_execution(Outcome outcome) override;
  Coverage coverage() const override {
    Coverage coverage = all_of(CoverageUnit::kTraces);
    // Seldom, a trace is missed where trees were cut.
    coverage.is_complete = !search_.is_cut;
    if (search_.has_left_races) coverage.bounds.push_back({.on = BoundOn::kOtherRaces, .completed = 0});
    return coverage;
  }
  bool write_position(PositionWriter& writer) const override;
  bool read_position(PositionReader& reader, Trials& trials) override;
  std::optional<double> executions_estimate() const override {
    return estimate_executions(search_, has_ended_ ? 0 : 1);
  }
  std::size_t branches() const override { return search_.trees.size(); }
  void become_part(std::uint32_t from_level) override {
    search_.is_part = true;
    if ((from_level & kKeepsLeaves) != 0)
      leaves_.resize(std::min<std::size_t>(leaves_.size(), from_level & ~kKeepsLeaves));
    else
      search_.own_from = from_level;
  }
  bool pays_off() const override;
  std::shared_ptr<const CommonGround> common_ground() const override {
    auto ground = std::make_shared<ObjectsInCommon>();
    ground->objects = execution_.history().objects();
    ground->actors = actors_;
    return ground;
  }
  void stand_on(std::shared_ptr<const CommonGround> ground) override {
    ground_ = std::dynamic_pointer_cast<const ObjectsInCommon>(std::move(ground));
  }
  std::string take_notes() override { return std::exchange(notes_, {}); }
  std::unique_ptr<PartSource> make_source(System& system, std::string position) const override {
    auto tree = std::make_unique<SharedTree>(system, reversals_, prefix_.size(), ground_);
    if (!tree->begin(std::move(position))) return nullptr;
    return tree;
  }
  bool is_of_source(std::string_view position) const override { return SharedTree::is_position(position); }
  std::optional<std::vector<std::size_t>> causes_of(std::size_t event) const override {
    return execution_.history().causes_of(event);
  }

 private:
  bool ends_after(std::uint64_t steps) override { return gives_up(steps); }

  // ---- between executions
  void follow_prefix();
  void note_execution();
  bool branch();
  bool take_up_next_leaf();
  void write_own_position(PositionWriter& writer) const;
  void share_trees();
  Plan start_script();

  // ---- during one
  Decision take(const Point& point, std::size_t index, std::uint32_t node);
  Decision follow_script(const Point& point);
  std::size_t find_awake(const Point& point) const;
  void leave_script();
  bool repair_order(EventId receive, const StepName& wanted);

  const Reversals reversals_;
  const std::vector<Transition> prefix_;
  SearchState search_;
  ReducedExecution execution_{search_.nodes, search_.steps};
  Races races_;
  ExecutionOrder order_{execution_};  // of scripts that are repaired
  AskedNodes asked_;
  std::vector<bool> actors_;  // by number, whether it has moved in any execution

  bool has_begun_ = false;
  bool was_planned_ = false;   // an execution other than the first
  bool has_returned_ = false;  // to a position that was read, whose execution comes next
  bool has_ended_ = false;
  bool is_rejected_ = false;
  bool is_repaired_ = false;       // the script is to be executed in another order
  bool has_left_script_ = false;   // what sleeps is known
  std::uint32_t asleep_from_ = 0;  // the first node after which it is to be found out what sleeps
  std::uint32_t next_node_ = 0;    // of the step that was chosen
  std::uint32_t next_first_alternative_ = 0, next_alternatives_ = 1;  // of its actor
  std::vector<std::uint32_t*> lists_;                                 // of the nodes
  std::vector<std::uint32_t> path_;                // the branches that are taken, down to a leaf
  std::shared_ptr<const ObjectsInCommon> ground_;  // with who reads or has written positions
  std::string notes_;                              // executions that others have to look at (shared_tree.h)
  std::deque<std::string> leaves_;                 // of this part, not begun yet (given_leaf.h)
  std::uint32_t leaf_number_ = 0;                  // of the part's leaves, which one is run
};

// ---- Between executions ----------------------------------------------------------------------------------

std::optional<Plan> Search::next_execution() {
  has_ended_ = false;
  const bool is_first = !std::exchange(has_begun_, true);
  if (std::exchange(has_returned_, false)) {
    start_script();
    return Plan{.keep = 0};
  }
  if (is_first) {
    follow_prefix();
    return Plan{.keep = 0};
  }
  if (!std::exchange(is_repaired_, false)) {
    is_rejected_ = false;
    races_.reverse_all();
    if (has_given_up()) return std::nullopt;
    asked_.add_execution(std::exchange(search_.first_asked, AskedNodes::kNone));
    if (std::exchange(search_.reaches_up, false)) note_execution();
    if (search_.trees.is_large()) share_trees();
    if (!branch()) return std::nullopt;
    was_planned_ = true;
  }
  const Plan plan = start_script();
  return plan;
}

void Search::follow_prefix() {
  for (const Transition& transition : prefix_) {
    const StepName step{
        .event = {.actor = transition.actor}, .alternative = transition.alternative, .choice = Choice::kAny};
    search_.script.add({.step = step, .node = search_.nodes.add(true, search_.executions)});
  }
}

void Search::note_execution() {
  PositionWriter note;
  write_note(execution_, ground_.get(), note);
  PositionWriter notes;
  notes.put(leaf_number_);
  notes.put_position(note.bytes());
  notes_ += notes.bytes();
}

// What is given away are the branches of the first node that has some left.
bool Search::pays_off() const {
  if (!leaves_.empty()) return true;
  const Nodes& nodes = search_.nodes;
  for (std::uint32_t node = search_.own_from; node < nodes.count(); ++node)
    if (nodes[node].pending != WakeupTrees::kNone) return asked_.are_few_up_to(node);
  return false;
}

// Takes the next branch of the last node that has one left.
bool Search::branch() {
  Nodes& nodes = search_.nodes;
  WakeupTrees& trees = search_.trees;
  while (nodes.count() > search_.own_from) {
    Node& last = nodes.last();
    if (last.pending != WakeupTrees::kNone) break;
    for (const std::uint32_t step : last.done) search_.steps.drop(step);
    last.done.clear();
    nodes.shrink(nodes.count() - 1);
  }
  if (nodes.count() <= search_.own_from) return take_up_next_leaf();
  const std::uint32_t number = nodes.count() - 1;
  if (nodes[number].event != kNoEvent) {
    nodes[number].done.push_back(execution_.use_step(nodes[number].event));
    nodes[number].event = kNoEvent;
  }
  nodes.set_first_new(number);
  asleep_from_ = number;
  path_.clear();
  for (std::uint32_t at = nodes[number].pending; at != WakeupTrees::kNone; at = trees[at].first_child)
    path_.push_back(at);
  nodes.shrink(number);
  const std::uint64_t before_first = nodes[number].executions_before;
  for (const std::uint32_t at : path_) {
    Node& node = nodes[nodes.add(false, search_.executions)];
    node.step = search_.steps[trees[at].step].name;
    node.pending = trees.use(trees[at].next_sibling);
    node.commutes = trees.details_of(at).commutes;
  }
  nodes[number].executions_before = before_first;
  search_.script.follow(nodes, trees.details_of(path_.back()).order);
  trees.drop(path_.front());
  return true;
}

// Of the part, which has come to the end of one. The leaf before sleeps in it, as all between the two do.
bool Search::take_up_next_leaf() {
  if (leaves_.empty()) return false;
  const std::string bytes = std::move(leaves_.front());
  leaves_.pop_front();
  ++leaf_number_;
  Nodes& nodes = search_.nodes;
  GivenLeafReader reader(bytes);
  const std::uint32_t number = reader.get_number();
  CHECK_MESSAGE(number < nodes.count(), kNoLeaf);
  if (nodes[number].event != kNoEvent) {
    nodes[number].done.push_back(execution_.use_step(nodes[number].event));
    nodes[number].event = kNoEvent;
  }
  for (std::uint32_t node = number; node < nodes.count(); ++node) {
    search_.trees.drop(std::exchange(nodes[node].pending, WakeupTrees::kNone));
    if (node == number) continue;
    for (const std::uint32_t step : nodes[node].done) search_.steps.drop(step);
    nodes[node].done.clear();
  }
  nodes.set_first_new(number);
  asleep_from_ = number;
  nodes.shrink(number);
  reader.get_all([&] {
    Node& node = nodes[nodes.add(false, search_.executions)];
    reader.get_all([&] { node.done.push_back(reader.use_step(search_.steps)); });
    node.step = reader.get_name();
    reader.get_all([&] { node.commutes.push_back(reader.get_name()); });
  });
  std::vector<EventName> order;
  reader.get_all([&] { order.push_back(reader.get_event()); });
  CHECK_MESSAGE(reader.is_complete() && nodes.count() > number, kNoLeaf);
  search_.script.follow(nodes, order);
  search_.own_from = nodes.count();
  search_.asked_above = {};
  return true;
}

void Search::share_trees() {
  lists_.clear();
  for (std::uint32_t node = 0; node < search_.nodes.count(); ++node)
    if (search_.nodes[node].pending != WakeupTrees::kNone) lists_.push_back(&search_.nodes[node].pending);
  search_.trees.share(lists_);
}

Plan Search::start_script() {
  const std::uint32_t keep = execution_.go_back(search_.script);
  search_.script.start(keep);
  has_left_script_ = false;
  return {.keep = keep};
}

// ---- During an execution ---------------------------------------------------------------------------------

Decision Search::choose(const Point& point) {
  if (is_rejected_ || is_repaired_) return Decision::abandon();
  CHECK(point.depth == execution_.history().length());
  execution_.see(point);
  if (!search_.script.is_over()) return follow_script(point);
  if (!has_left_script_) leave_script();
  std::size_t chosen = find_awake(point);
  if (chosen == point.enabled.size()) {
    if (!search_.is_cut) {
      is_rejected_ = true;
      return Decision::abandon();
    }
    chosen = 0;
  }
  return take(point, chosen, search_.nodes.add(false, search_.executions));
}

Decision Search::take(const Point& point, std::size_t index, std::uint32_t node) {
  const ActorId actor = point.enabled[index].actor;
  next_node_ = node;
  next_first_alternative_ = std::ranges::find(point.enabled, actor, &Transition::actor)->alternative;
  next_alternatives_ =
      static_cast<std::uint32_t>(std::ranges::count(point.enabled, actor, &Transition::actor));
  return Decision::take(index, Return::kSeldom);
}

Decision Search::follow_script(const Point& point) {
  const ScriptStep& wanted = search_.script.wanted();
  for (std::size_t i = 0; i < point.enabled.size(); ++i)
    if (point.enabled[i].actor == wanted.step.event.actor &&
        point.enabled[i].alternative == wanted.step.alternative)
      return take(point, i, wanted.node);
  // Only what is not known to be possible may turn out not to be.
  CHECK_MESSAGE(wanted.node >= search_.nodes.first_new(), kNotAsBefore);
  is_rejected_ = true;
  return Decision::abandon();
}

// The first transition that does not sleep, one of the actor that moved last if there is one; the number of
// all if all sleep.
std::size_t Search::find_awake(const Point& point) const {
  const std::span<const Transition> enabled = point.enabled;
  if (point.previous)
    for (std::size_t i = 0; i < enabled.size(); ++i)
      if (enabled[i].actor == *point.previous && !execution_.is_asleep(enabled[i])) return i;
  for (std::size_t i = 0; i < enabled.size(); ++i)
    if (!execution_.is_asleep(enabled[i])) return i;
  return enabled.size();
}

void Search::observe(const Event& event) {
  const EventId id = execution_.append(event, next_node_);
  const auto actor = static_cast<std::uint32_t>(event.actor);
  if (actor >= actors_.size()) actors_.resize(actor + 1);
  actors_[actor] = true;
  Node& node = search_.nodes[next_node_];
  node.first_alternative = next_first_alternative_;
  node.alternatives = next_alternatives_;
  const StepName happened = execution_.step_of(id);
  node.step = happened;
  if (!search_.script.is_over()) {
    const StepName wanted = search_.script.wanted().step;
    search_.script.advance();
    if (wanted.choice == Choice::kAny || wanted == happened) return;
    (repair_order(id, wanted) ? is_repaired_ : is_rejected_) = true;
    return;
  }
  if (!search_.is_cut)
    for (const std::uint32_t step : node.asleep)
      if (search_.steps[step].name == happened) is_rejected_ = true;
  execution_.put_to_sleep(next_node_);
}

Novelty Search::end_execution(Outcome outcome) {
  has_ended_ = true;
  if (is_repaired_) return Novelty::kKnown;
  if (!search_.script.is_over()) is_rejected_ = true;
  if (is_rejected_ || outcome == Outcome::kRunning) {
    is_rejected_ = true;
    return Novelty::kDiscarded;
  }
  if (!has_left_script_) leave_script();
  const History& history = execution_.history();
  if (history.length() == 0) return Novelty::kNew;
  execution_.see_end();
  if (search_.seen.size() < kTracesRemembered && !search_.seen.insert(history.trace_hash()))
    return Novelty::kRepeated;
  ++search_.executions;
  return Novelty::kNew;
}

// From here on whatever comes is run, except for what sleeps.
void Search::leave_script() {
  has_left_script_ = true;
  if (search_.nodes.count() == 0) search_.nodes.asleep_at(0).clear();
  for (std::uint32_t node = asleep_from_; node < search_.nodes.count(); ++node) execution_.put_to_sleep(node);
}

// A receive of the script, the last event, did not find the message that it is to take. Puts the script in an
// order in which it does, now that it is known which others it finds; false if there is none.
bool Search::repair_order(EventId receive, const StepName& wanted) {
  if (wanted.choice != Choice::kMessage && wanted.choice != Choice::kExpiry) return false;
  const History& history = execution_.history();
  order_.choose_before(receive);
  std::optional<ExecutionOrder::Order> order;
  if (wanted.choice == Choice::kExpiry) {
    order = order_.for_expiry(receive);
  } else {
    Sent message;
    // What a damaged position names need not be a message.
    for (EventId event = 0; event < receive; ++event) {
      const std::span<const Touch> touches = history.touches(history[event]);
      if (history[event].name == wanted.sender && wanted.touch < touches.size() &&
          is_send(touches[wanted.touch].access))
        message = {.event = event, .touch = wanted.touch};
    }
    if (message.event != kNoEvent) order = order_.for_message(receive, message);
  }
  return order && search_.script.reorder(*order, history);
}

// ---- Positions -------------------------------------------------------------------------------------------

void Search::write_own_position(PositionWriter& writer) const {
  writer.put(was_planned_ ? 1 : 0);
  if (was_planned_) write_state(search_, execution_.system(), ground_.get(), writer);
}

bool Search::write_position(PositionWriter& writer) const {
  if (has_ended_) return false;
  if (leaf_number_ == 0) {
    write_own_position(writer);
    return true;
  }
  // For the tree, which knows the leaves.
  PositionWriter own;
  write_own_position(own);
  writer.put(kLeavesPosition);
  writer.put(leaf_number_);
  writer.put_position(own.bytes());
  return true;
}

bool Search::read_position(PositionReader& reader, Trials& trials) {
  std::uint64_t kind = reader.get();
  if (kind == kLeavesPosition) {
    reader.get_all([&] { leaves_.emplace_back(reader.get_position()); });
    kind = reader.get();
  }
  if (kind == 0) return !reader.is_damaged();
  if (kind > 1) return false;
  execution_.set_system(trials.view());
  if (!read_state(reader, trials, prefix_.size(), ground_.get(), search_)) return false;
  asleep_from_ = 0;
  has_returned_ = was_planned_ = true;
  return true;
}

}  // namespace

}  // namespace reduction

std::unique_ptr<OptimalReduction> make_optimal_reduction(ReductionOptions options) {
  return std::make_unique<reduction::Search>(std::move(options));
}

}  // namespace ravel
