// How an interrupted reduction finds its way back, and how much is left of one.
//
// A position is the nodes of the execution that is planned, with the names of the steps that were explored at them and with their
// wakeup trees. What steps touch is not in it: objects have other numbers in another System. It is seen again, by taking each step
// once more where it belongs, before the search goes on.
#include <algorithm>

#include "base/check.h"
#include "strategy/optimal_reduction.h"

namespace ravel {

// ---- Writing ---------------------------------------------------------------------------------------------

bool OptimalReduction::write_position(PositionWriter& writer) const {
  if (has_ended_) return false;
  writer.put(to_return_ ? 1 : was_planned_ ? 2 : 0);
  if (to_return_) {
    writer.put_all(*to_return_, [&](char c) { writer.put(static_cast<std::uint8_t>(c)); });
    return true;
  }
  if (!was_planned_) return true;
  PositionWriter body;
  write_nodes(body);
  writer.put_all(body.bytes(), [&](char c) { writer.put(static_cast<std::uint8_t>(c)); });
  return true;
}

void OptimalReduction::write_nodes(PositionWriter& writer) const {
  const auto put_event = [&](const EventName& event) {
    const std::string text = system_->actor_name(event.actor).to_string();
    writer.put_all(text, [&](char c) { writer.put(static_cast<std::uint8_t>(c)); });
    writer.put(event.ordinal);
  };
  const auto put_name = [&](const StepName& name) {
    put_event(name.event);
    writer.put(name.alternative);
    writer.put(static_cast<std::uint64_t>(name.choice));
    if (name.choice != Choice::kMessage) return;
    put_event(name.sender);
    writer.put(name.touch);
  };
  const auto put_branches = [&](const auto& self, std::uint32_t first) -> void {
    for (std::uint32_t at = first; at != kNone; at = branches_[at].next_sibling) {
      writer.put(1);
      put_name(branches_[at].step.name);
      writer.put_all(branches_[at].order, put_event);
      writer.put_all(branches_[at].commutes, put_name);
      self(self, branches_[at].first_child);
    }
    writer.put(0);
  };
  writer.put(executions_);
  writer.put(first_new_);
  writer.put_all(script_, [&](const ScriptStep& step) {
    put_name(step.step);
    writer.put(step.node);
  });
  for (std::uint32_t node = 0; node < script_.size(); ++node) {
    writer.put_all(nodes_[node].done, [&](std::uint32_t step) { put_name(steps_[step].name); });
    put_branches(put_branches, nodes_[node].pending);
    writer.put_all(nodes_[node].commutes, put_name);
    writer.put(nodes_[node].executions_before);
  }
  writer.put_all(seen_, [&](std::uint64_t hash) { writer.put(hash); });
}

// ---- Reading ---------------------------------------------------------------------------------------------

bool OptimalReduction::read_position(PositionReader& reader) {
  const std::uint64_t kind = reader.get();
  if (kind == 0) return !reader.is_damaged();
  to_return_.emplace();
  reader.get_all([&] { to_return_->push_back(static_cast<char>(reader.get())); });
  return kind <= 2 && !reader.is_damaged();
}

// Makes the nodes again, now that there is a System; false if the position does not fit the program.
bool OptimalReduction::return_to_nodes() {
  const std::string bytes = std::move(*to_return_);
  to_return_.reset();
  PositionReader reader(bytes);
  // An actor is known to the System when it has been met, which may be later than its name is read: until everything was taken
  // once, the number of an actor is that of its name here.
  std::vector<std::string> names;
  const auto get_event = [&] {
    std::string text;
    reader.get_all([&] { text.push_back(static_cast<char>(reader.get())); });
    const auto known = std::ranges::find(names, text);
    const auto index = static_cast<std::uint32_t>(known - names.begin());
    if (known == names.end()) names.push_back(text);
    return EventName{.actor = ActorId{index}, .ordinal = reader.get32()};
  };
  const auto get_name = [&] {
    StepName name{.event = get_event()};
    name.alternative = reader.get32();
    name.choice = static_cast<Choice>(reader.get());
    if (name.choice != Choice::kMessage) return name;
    name.sender = get_event();
    name.touch = reader.get32();
    return name;
  };
  const auto find = [&](EventName& event) {
    const auto name = ActorName::parse(names[static_cast<std::uint32_t>(event.actor)]);
    const std::optional<ActorId> actor = name.ok() ? system_->find_actor(*name) : std::nullopt;
    if (actor) event.actor = *actor;
    return actor.has_value();
  };
  const auto resolve = [&](StepName& name) {
    return find(name.event) && (name.choice != Choice::kMessage || find(name.sender));
  };
  // Takes a step and notes what it touches.
  std::uint64_t learned = 0;
  const auto take = [&](StepName name, Step* step) {
    if (!resolve(name)) return false;
    const std::span<const Transition> enabled = system_->enabled();
    const auto place = std::ranges::find_if(enabled, [&](const Transition& one) {
      return one.actor == name.event.actor && one.alternative == name.alternative;
    });
    if (place == enabled.end()) return false;
    const Transition transition = *place;
    const Event event = system_->step(transition);
    if (step == nullptr) return true;
    step->ends_all = system_->stops_others();
    step->close_key = ++learned;
    step->touches.assign(event.footprint.begin(), event.footprint.end());
    for (Touch& touch : step->touches) {
      if (touch.access == Access::kExpire && name.choice == Choice::kMessage) touch.access = Access::kReceiveOrExpire;
      if (touch.access == Access::kReceiveOrExpire && name.choice == Choice::kExpiry) touch.access = Access::kExpire;
    }
    return true;
  };

  std::vector<StepName> steps;  // of the nodes
  executions_ = reader.get();
  first_new_ = reader.get32();
  std::vector<ScriptStep> script;
  reader.get_all([&] {
    const StepName step = get_name();
    script.push_back({.step = step, .node = reader.get32()});
  });
  steps.resize(script.size());
  for (const ScriptStep& step : script) {
    if (step.node >= steps.size()) return false;
    steps[step.node] = step.step;
  }
  if (first_new_ >= script.size()) return false;
  for (std::uint32_t number = 0; number < script.size(); ++number) {
    add_node(number < prefix_.size());
    reader.get_all([&] {
      const std::uint32_t step = new_step({});
      steps_[step].name = get_name();
      nodes_[number].done.push_back(step);
    });
    const auto get_branches = [&](const auto& self, std::uint32_t* link) -> void {
      while (!reader.is_damaged() && reader.get() != 0) {
        const std::uint32_t added = new_branch();
        *link = added;
        branches_[added].step.name = get_name();
        reader.get_all([&] { branches_[added].order.push_back(get_event()); });
        reader.get_all([&] { branches_[added].commutes.push_back(get_name()); });
        self(self, &branches_[added].first_child);
        link = &branches_[added].next_sibling;
      }
    };
    nodes_[number].pending = kNone;
    get_branches(get_branches, &nodes_[number].pending);
    reader.get_all([&] { nodes_[number].commutes.push_back(get_name()); });
    nodes_[number].executions_before = reader.get();
    nodes_[number].is_open = true;
  }
  reader.get_all([&] { seen_.insert(reader.get()); });
  if (!reader.is_complete()) return false;

  const auto learn_done = [&](std::uint32_t node, Step& step) {
    system_->reset();
    return std::ranges::all_of(script, [&](const ScriptStep& one) { return one.node >= node || take(one.step, nullptr); }) &&
           take(step.name, &step);
  };
  // What a path of the tree touches, in the order that its leaf asks for.
  std::vector<std::uint32_t> path;
  const auto learn_path = [&](std::uint32_t node) {
    std::vector<std::pair<StepName, Step*>> run;
    for (std::uint32_t before = 0; before < node; ++before) run.emplace_back(steps[before], nullptr);
    for (const std::uint32_t at : path) run.emplace_back(branches_[at].step.name, &branches_[at].step);
    const std::vector<EventName>& order = branches_[path.back()].order;
    if (!order.empty())
      std::ranges::stable_sort(run, {}, [&](const auto& one) { return std::ranges::find(order, one.first.event); });
    system_->reset();
    return std::ranges::all_of(run, [&](const auto& one) { return take(one.first, one.second); });
  };
  const auto learn_tree = [&](const auto& self, std::uint32_t node, std::uint32_t first) -> bool {
    for (std::uint32_t at = first; at != kNone; at = branches_[at].next_sibling) {
      path.push_back(at);
      const std::uint32_t child = branches_[at].first_child;
      if (child != kNone ? !self(self, node, child) : !learn_path(node)) return false;
      path.pop_back();
    }
    return true;
  };
  for (std::uint32_t node = 0; node < node_count_; ++node) {
    for (const std::uint32_t step : nodes_[node].done)
      if (!learn_done(node, steps_[step])) return false;
    if (!learn_tree(learn_tree, node, nodes_[node].pending)) return false;
  }

  const auto resolve_tree = [&](const auto& self, std::uint32_t first) -> bool {
    for (std::uint32_t at = first; at != kNone; at = branches_[at].next_sibling)
      if (!resolve(branches_[at].step.name) || !std::ranges::all_of(branches_[at].order, find) ||
          !std::ranges::all_of(branches_[at].commutes, resolve) || !self(self, branches_[at].first_child))
        return false;
    return true;
  };
  system_->reset();
  for (ScriptStep& step : script) {
    if (!resolve(step.step)) return false;
    nodes_[step.node].step = step.step;
  }
  for (std::uint32_t node = 0; node < node_count_; ++node) {
    for (const std::uint32_t step : nodes_[node].done)
      if (!resolve(steps_[step].name)) return false;
    if (!std::ranges::all_of(nodes_[node].commutes, resolve) || !resolve_tree(resolve_tree, nodes_[node].pending)) return false;
  }
  script_ = std::move(script);
  asleep_from_ = 0;
  return true;
}

// ---- The estimate ----------------------------------------------------------------------------------------

// What was run, and what the branches that are left lead to: each to as many executions as those that were run at the same node
// on average; where none was, to one.
std::optional<double> OptimalReduction::executions_estimate() const {
  if (executions_ == 0 || node_count_ == 0) return std::nullopt;
  double left = 0;
  for (std::uint32_t number = node_count_; number-- > 0;) {
    const Node& node = nodes_[number];
    double pending = 0;
    for (std::uint32_t at = node.pending; at != kNone; at = branches_[at].next_sibling) ++pending;
    if (pending == 0) continue;
    const double run = static_cast<double>(executions_ - node.executions_before) + left;
    left += pending * run / static_cast<double>(node.done.size() + 1);
  }
  return static_cast<double>(executions_) + left + (has_ended_ ? 0 : 1);
}

}  // namespace ravel
