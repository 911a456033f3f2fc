#include "strategy/optimal_reduction/saved_position.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "strategy/optimal_reduction/saved_names.h"
#include "strategy/optimal_reduction/saved_touches.h"

namespace ravel::reduction {

// ---- Writing ---------------------------------------------------------------------------------------------

namespace {

class StateWriter {
 public:
  StateWriter(const SearchState& search, const SystemView& system, const ObjectsInCommon* ground,
              PositionWriter& writer)
      : search_(search), ground_(ground), writer_(writer), names_(system, writer) {}

  void write() {
    const std::span<const ScriptStep> script = search_.script.steps();
    const auto nodes = static_cast<std::uint32_t>(script.size());
    std::vector<std::uint32_t> lists;
    for (std::uint32_t node = 0; node < nodes; ++node) lists.push_back(tree_of(node));
    const std::vector<std::uint32_t> branches = search_.trees.bottom_up(lists);
    for (const std::uint32_t branch : branches) places_.emplace(branch, places_.size());
    writer_.put((search_.has_left_races ? 1U : 0U) | (search_.is_cut ? 2U : 0U));
    writer_.put(search_.executions);
    writer_.put(search_.nodes.first_new());
    writer_.put_all(script, [&](const ScriptStep& step) {
      names_.put(step.step);
      writer_.put(step.node);
    });
    put_steps(branches, nodes);
    writer_.put_all(branches, [&](std::uint32_t branch) { put_branch(branch); });
    for (std::uint32_t node = 0; node < nodes; ++node) put_node(node);
    // A part is to be small, and another process has not seen the others' traces either.
    writer_.put(search_.is_part ? 0 : search_.seen.size());
    if (!search_.is_part) search_.seen.for_each([&](std::uint64_t hash) { writer_.put(hash); });
  }

 private:
  // What others have to go on from is known to them.
  std::uint32_t tree_of(std::uint32_t node) const {
    return search_.is_part && node < search_.own_from ? WakeupTrees::kNone : search_.nodes[node].pending;
  }

  // Each step once: from here on it is a number.
  void put_steps(const std::vector<std::uint32_t>& branches, std::uint32_t nodes) {
    std::vector<std::uint32_t> steps;
    const auto add = [&](std::uint32_t step) {
      if (steps_.emplace(step, steps_.size()).second) steps.push_back(step);
    };
    for (std::uint32_t node = 0; node < nodes; ++node)
      for (const std::uint32_t step : search_.nodes[node].done) add(step);
    for (const std::uint32_t branch : branches) add(search_.trees[branch].step);
    writer_.put_all(steps, [&](std::uint32_t number) {
      const Step& step = search_.steps[number];
      names_.put(step.name);
      const bool is_common = ground_ != nullptr && ground_->has(step.touches);
      writer_.put((is_common ? 1U : 0U) | (step.ends_all ? 2U : 0U));
      if (!is_common) return;
      put_touches(writer_, step);
    });
  }

  void put_branch(std::uint32_t number) {
    const WakeupTrees::Branch& branch = search_.trees[number];
    writer_.put(steps_.at(branch.step));
    writer_.put(places_.at(branch.first_child));
    writer_.put(places_.at(branch.next_sibling));
    const BranchDetails& details = search_.trees.details_of(number);
    writer_.put_all(details.order, [&](const EventName& event) { names_.put(event); });
    writer_.put_all(details.commutes, [&](const StepName& step) { names_.put(step); });
  }

  void put_node(std::uint32_t number) {
    const Node& node = search_.nodes[number];
    writer_.put_all(node.done, [&](std::uint32_t step) { writer_.put(steps_.at(step)); });
    writer_.put(places_.at(tree_of(number)));
    writer_.put_all(node.commutes, [&](const StepName& step) { names_.put(step); });
    writer_.put(node.executions_before);
    writer_.put(node.executions_before_step);
  }

  const SearchState& search_;
  const ObjectsInCommon* const ground_;
  PositionWriter& writer_;
  NameWriter names_;
  std::unordered_map<std::uint32_t, std::uint64_t> places_ = {{WakeupTrees::kNone, 0}};  // from 1 on
  std::unordered_map<std::uint32_t, std::uint64_t> steps_;                               // from 0 on
};

}  // namespace

void write_state(const SearchState& search, const SystemView& system, const ObjectsInCommon* ground,
                 PositionWriter& writer) {
  StateWriter(search, system, ground, writer).write();
}

// ---- Reading ---------------------------------------------------------------------------------------------

std::vector<Touch> touches_as_chosen(Footprint footprint, const StepName& name) {
  std::vector<Touch> touches(footprint.begin(), footprint.end());
  for (Touch& touch : touches) {
    if (touch.access == Access::kExpire && name.choice == Choice::kMessage)
      touch.access = Access::kReceiveOrExpire;
    if (touch.access == Access::kReceiveOrExpire && name.choice == Choice::kExpiry)
      touch.access = Access::kExpire;
  }
  return touches;
}

namespace {

// Makes the nodes of a position again. Whatever the bytes are, nothing is done with them that has not been
// found to fit: each part says false where they are damaged, or are of another program.
class StateReader {
 public:
  StateReader(PositionReader& reader, Trials& trials, std::size_t fixed, const ObjectsInCommon* ground,
              SearchState& search)
      : search_(search),
        trials_(trials),
        system_(trials.view()),
        reader_(reader),
        fixed_(fixed),
        ground_(ground),
        names_(reader) {}

  // What a copy of this process has written is as it should be.
  bool run() {
    return read() && (ground_ != nullptr || is_sound()) && can_run_script() && learn_nodes() &&
           resolve_nodes();
  }

  GivenLevels run_levels(std::uint32_t begin) {
    GivenLevels given{.begin = begin, .end = begin, .is_damaged = true};
    if (!read() || (ground_ == nullptr && !is_sound())) return given;
    std::uint32_t level = begin;
    while (level < search_.nodes.count() && search_.nodes[level].pending == kNone) ++level;
    given.is_damaged = false;
    if (level >= search_.nodes.count()) return given;
    given.end = level + 1;
    keep_only(given);
    given.is_damaged = !can_run_script() || !learn_nodes() || !resolve_nodes();
    return given;
  }

 private:
  static constexpr std::uint32_t kNone = WakeupTrees::kNone;
  // Deeper trees are made by executions of so many events, which a search has not either.
  static constexpr std::size_t kDepthMax = 20'000;

  StepName get_name() { return names_.get_step(); }
  bool is_damaged() const { return is_damaged_ || names_.is_damaged(); }

  bool read() {
    const std::uint64_t has_met = reader_.get();
    search_.has_left_races = (has_met & 1) != 0;
    search_.is_cut = (has_met & 2) != 0;
    search_.executions = reader_.get();
    search_.nodes.set_first_new(reader_.get32());
    reader_.get_all([&] {
      const StepName step = get_name();
      script_.push_back({.step = step, .node = reader_.get32()});
    });
    if (is_damaged() || search_.nodes.first_new() >= script_.size() || !read_order()) return false;
    reader_.get_all([&] { read_step(); });
    reader_.get_all([&] { read_branch(); });
    for (std::uint32_t number = 0; number < script_.size() && !is_damaged(); ++number) read_node(number);
    for (const ReadBranch& read : branches_)
      if (search_.trees[read.branch].uses == 0) is_damaged_ = true;
    if (is_damaged()) return false;
    for (const std::uint32_t step : read_steps_) search_.steps.drop(step);
    reader_.get_all([&] { search_.seen.insert(reader_.get()); });
    return reader_.is_complete();
  }

  // Which step is which node's: each has one.
  bool read_order() {
    steps_.resize(script_.size());
    std::vector<bool> is_there(script_.size(), false);
    for (const ScriptStep& step : script_) {
      if (step.node >= steps_.size() || is_there[step.node]) return false;
      is_there[step.node] = true;
      steps_[step.node] = step.step;
    }
    return true;
  }

  void read_node(std::uint32_t number) {
    search_.nodes.add(number < fixed_, search_.executions);
    Node& node = search_.nodes[number];
    reader_.get_all([&] { node.done.push_back(get_step()); });
    node.pending = search_.trees.use(get_list().branch);
    reader_.get_all([&] { node.commutes.push_back(get_name()); });
    node.executions_before = reader_.get();
    node.executions_before_step = reader_.get();
    if (node.executions_before > node.executions_before_step ||
        node.executions_before_step > search_.executions)
      is_damaged_ = true;
    search_.nodes.set_open(number);
  }

  void read_step() {
    const StepName name = get_name();
    const std::uint64_t kind = reader_.get();
    touches_.clear();
    bool is_common = (kind & 1) != 0;
    std::uint64_t close_key = is_common ? get_touches(reader_, touches_, is_damaged_) : 0;
    if (ground_ == nullptr) {
      // Whoever has written it had more in common with others.
      is_common = false;
      close_key = 0;
      touches_.clear();
    }
    read_steps_.push_back(search_.steps.use(name, close_key, (kind & 2) != 0, touches_));
    if (!is_common) unknown_.insert(read_steps_.back());
  }
  // The step of a number, in use once more.
  std::uint32_t get_step() {
    const std::uint64_t number = reader_.get();
    if (number < read_steps_.size()) return search_.steps.use_again(read_steps_[number]);
    is_damaged_ = true;
    return search_.steps.use({}, 0, false, {});
  }

  // A branch of a tree, which comes after its children and siblings.
  struct ReadBranch {
    std::uint32_t branch = kNone;
    std::size_t height = 0;
  };

  ReadBranch get_list() {
    const std::uint64_t place = reader_.get();
    if (place > branches_.size()) is_damaged_ = true;
    return place == 0 || is_damaged_ ? ReadBranch() : branches_[place - 1];
  }

  void read_branch() {
    const std::uint32_t step = get_step();
    const ReadBranch child = get_list(), sibling = get_list();
    BranchDetails details;
    reader_.get_all([&] { details.order.push_back(names_.get_event()); });
    reader_.get_all([&] { details.commutes.push_back(get_name()); });
    const std::uint32_t branch = search_.trees.add(step, child.branch, std::move(details), sibling.branch);
    branches_.push_back({.branch = branch, .height = std::max(child.height + 1, sibling.height)});
    if (branches_.back().height > kDepthMax) is_damaged_ = true;
  }

  // --- whether the steps of each actor follow each other ---

  // How many steps each actor has done.
  using Counts = std::map<ActorId, std::uint32_t>;
  // What has to be done before a list is taken: so many steps of these actors, and by all that is to be
  // executed in an order of its own, so many of each and of no others.
  struct Before {
    Counts some;
    std::optional<Counts> all;
  };

  static bool comes_next(Counts& counts, const EventName& event) {
    return counts[event.actor]++ == event.ordinal;
  }

  bool is_sound() {
    Counts in_script, done;
    for (const ScriptStep& step : script_)
      if (!comes_next(in_script, step.step.event)) return false;
    for (const ReadBranch& read : branches_)
      if (!is_sound_list(read.branch)) return false;
    for (std::uint32_t number = 0; number < script_.size(); ++number) {
      const Node& node = search_.nodes[number];
      for (const std::uint32_t step : node.done) {
        const EventName& event = search_.steps[step].name.event;
        if (done[event.actor] != event.ordinal) return false;
      }
      const Before& before = before_[node.pending];
      for (const auto& [actor, count] : before.some)
        if (done[actor] != count) return false;
      std::erase_if(done, [](const auto& one) { return one.second == 0; });
      if (before.all && *before.all != done) return false;
      if (!comes_next(done, steps_[number].event)) return false;
    }
    return true;
  }

  // Finds out what has to be done before a list, of which the children and siblings of the first are known
  // already; false if that contradicts itself.
  bool is_sound_list(std::uint32_t list) {
    const WakeupTrees::Branch& branch = search_.trees[list];
    const EventName& event = search_.steps[branch.step].name.event;
    Before before = before_[branch.first_child];
    const std::vector<EventName>& order = search_.trees.details_of(list).order;
    if (branch.first_child == kNone && !order.empty()) {
      before.all.emplace();
      for (const EventName& one : order)
        if (!comes_next(*before.all, one)) return false;
    }
    const auto below = before.some.find(event.actor);
    if (below != before.some.end() && below->second != event.ordinal + 1) return false;
    before.some[event.actor] = event.ordinal;
    if (before.all) {
      std::uint32_t& count = (*before.all)[event.actor];
      if (count != event.ordinal + 1) return false;
      if (--count == 0) before.all->erase(event.actor);
    }
    const Before& sibling = before_[branch.next_sibling];
    for (const auto& [actor, count] : sibling.some)
      if (before.some.emplace(actor, count).first->second != count) return false;
    if (before.all && sibling.all && *before.all != *sibling.all) return false;
    if (!before.all) before.all = sibling.all;
    before_[list] = std::move(before);
    return true;
  }

  // --- what steps touch ---

  bool resolve(EventName& event) const { return names_.resolve(event, system_); }
  bool resolve(StepName& name) const { return names_.resolve(name, system_); }

  // Takes a step; if it is one that is remembered, its number becomes that of the step with what it touches.
  bool take(StepName name, std::uint32_t* number) {
    const StepName unresolved = name;
    if (!resolve(name)) return false;
    const std::span<const Transition> enabled = system_.enabled();
    const auto place = std::ranges::find_if(enabled, [&](const Transition& one) {
      return one.actor == name.event.actor && one.alternative == name.alternative;
    });
    if (place == enabled.end()) return false;
    const Transition transition = *place;
    const Event event = trials_.take(transition);
    ++taken_;
    if (number == nullptr) return true;
    touches_ = touches_as_chosen(event.footprint, name);
    const bool is_coarse = std::ranges::any_of(touches_, &Touch::is_coarse);
    const std::uint64_t close_key = is_coarse ? system_.close_key(taken_ - 1) : 0;
    search_.steps.drop(*number);
    *number = search_.steps.use(unresolved, close_key, system_.stops_others(), touches_);
    return true;
  }

  void begin() {
    trials_.begin();
    taken_ = 0;
  }

  // What is not new in the script was done before, and can be done again.
  bool can_run_script() {
    begin();
    for (const ScriptStep& step : script_)
      if (!take(step.step, nullptr)) return step.node >= search_.nodes.first_new();
    return true;
  }

  void keep_only(const GivenLevels& given) {
    for (std::uint32_t number = 0; number < search_.nodes.count(); ++number) {
      Node& node = search_.nodes[number];
      if (number >= given.begin && number < given.end) {
        node.done.push_back(search_.steps.use(steps_[number], 0, false, {}));
        unknown_.insert(node.done.back());
        continue;
      }
      for (const std::uint32_t step : node.done) search_.steps.drop(step);
      node.done.clear();
      search_.trees.drop(std::exchange(node.pending, kNone));
    }
  }

  bool learn_nodes() {
    for (std::uint32_t node = 0; node < search_.nodes.count(); ++node) {
      for (std::uint32_t& step : search_.nodes[node].done)
        if (!learn_done(node, step)) return false;
      if (!learn_tree(node, search_.nodes[node].pending)) return false;
    }
    return true;
  }

  bool learn_done(std::uint32_t node, std::uint32_t& step) {
    if (!unknown_.contains(step)) return true;
    begin();
    for (const ScriptStep& one : script_)
      if (one.node < node && !take(one.step, nullptr)) return false;
    return take(search_.steps[step].name, &step);
  }

  // What is part of several trees does the same in each.
  bool learn_tree(std::uint32_t node, std::uint32_t first) {
    for (std::uint32_t at = first; at != kNone && !learned_.contains(at);
         at = search_.trees[at].next_sibling) {
      path_.push_back(at);
      const std::uint32_t child = search_.trees[at].first_child;
      const bool is_right =
          child == kNone ? learn_path(node) : learned_.contains(child) || learn_tree(node, child);
      if (!is_right) return false;
      path_.pop_back();
    }
    for (std::uint32_t at = first; at != kNone && learned_.insert(at).second;)
      at = search_.trees[at].next_sibling;
    return true;
  }

  // What a path of the tree touches, in the order that its leaf asks for.
  bool learn_path(std::uint32_t node) {
    std::vector<std::pair<StepName, std::uint32_t*>> run;
    for (std::uint32_t before = 0; before < node; ++before) run.emplace_back(steps_[before], nullptr);
    std::vector<std::uint32_t> taken;
    for (const std::uint32_t at : path_) taken.push_back(search_.trees[at].step);
    if (std::ranges::none_of(taken, [&](std::uint32_t step) { return unknown_.contains(step); })) return true;
    for (std::uint32_t& step : taken) run.emplace_back(search_.steps[step].name, &step);
    const std::vector<EventName>& order = search_.trees.details_of(path_.back()).order;
    if (!order.empty())
      std::ranges::stable_sort(run, {},
                               [&](const auto& one) { return std::ranges::find(order, one.first.event); });
    begin();
    if (!std::ranges::all_of(run, [&](const auto& one) { return take(one.first, one.second); })) return false;
    for (std::size_t i = 0; i < path_.size(); ++i) search_.trees.change_step(path_[i], taken[i]);
    return true;
  }

  // --- the numbers that the System gives to actors ---

  bool resolve_nodes() {
    const auto resolve_one = [&](auto& name) { return resolve(name); };
    for (ScriptStep& step : script_) {
      if (!resolve(step.step)) return false;
      search_.nodes[step.node].step = step.step;
    }
    for (std::uint32_t number = 0; number < search_.nodes.count(); ++number) {
      Node& node = search_.nodes[number];
      if (!std::ranges::all_of(node.commutes, resolve_one)) return false;
    }
    search_.script.set(std::move(script_));
    return search_.trees.rename(resolve_one) && search_.steps.rename(resolve_one);
  }

  SearchState& search_;
  Trials& trials_;
  SystemView& system_;
  PositionReader& reader_;
  const std::size_t fixed_;
  const ObjectsInCommon* const ground_;
  bool is_damaged_ = false;
  NameReader names_;
  std::vector<ScriptStep> script_;
  std::vector<StepName> steps_;  // by node
  std::vector<std::uint32_t> read_steps_;
  std::unordered_set<std::uint32_t> unknown_;  // of these, those of which it is not known what they touch
  std::vector<ReadBranch> branches_;
  std::unordered_map<std::uint32_t, Before> before_;  // by list; nothing before an empty one
  std::unordered_set<std::uint32_t> learned_;         // lists of which it is known what all their steps touch
  std::vector<std::uint32_t> path_;                   // the branches down to a leaf
  std::vector<Touch> touches_;
  std::size_t taken_ = 0;  // how many steps, since the initial state
};

}  // namespace

bool read_state(PositionReader& reader, Trials& trials, std::size_t fixed, const ObjectsInCommon* ground,
                SearchState& search) {
  return StateReader(reader, trials, fixed, ground, search).run();
}

GivenLevels read_levels(PositionReader& reader, Trials& trials, std::size_t fixed,
                        const ObjectsInCommon* ground, std::uint32_t begin, SearchState& search) {
  return StateReader(reader, trials, fixed, ground, search).run_levels(begin);
}

}  // namespace ravel::reduction
