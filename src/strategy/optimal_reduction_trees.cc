// Wakeup trees: what is known already, where a sequence belongs, what of it is needed, and in which order its events
// can be executed.

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "strategy/optimal_reduction.h"

namespace ravel {

namespace {

// Of how many pairs of steps it is remembered whether they depend on each other on a closer look.
constexpr std::size_t kPairsRemembered = std::size_t{1} << 20;

}  // namespace

// Finds where the sequence belongs in the tree of a node, and shortens it to what it needs; false if what it leads to is known
// or will be.
bool OptimalReduction::find_place(std::uint32_t number, const Last& last) {
  if (gives_up(sequence_.size())) return false;
  const Node& node = nodes_[number];
  place_node_ = number;
  make_candidates();
  is_last_removed_ = false;
  commuting_.clear();
  above_.clear();
  for (const std::vector<std::uint32_t>* const steps : {&node.asleep, &node.done})
    for (const std::uint32_t step : *steps) {
      const std::uint32_t waking = find_waking(steps_[step], last);
      if (waking == kNone) {
        if (is_cut_ && !is_part_of(steps_[step], last)) continue;
        // What else it could have decided is seen only where it is run.
        if (is_cut_ && last.is_tried && steps == &node.asleep && steps_[step].name == last.name && last.name.event != node.step.event) continue;
        if (!is_part_of(steps_[step], last)) is_open_ = true;
        return false;
      }
      if (waking < sequence_.size()) candidates_[waking].is_needed = true;
    }
  // What the node does now depends on the last step, and on nothing before that.
  const Occurrence& now = history_[node.event];
  if (may_conflict(now.summary, sequence_summary_))
    for (std::uint32_t i = 0; i < sequence_.size(); ++i)
      if (may_conflict(now.summary, candidates_[i].summary) &&
          dependence(history_.touches(now), history_.touches(history_[sequence_[i]])) == Dependence::kCoarse)
        commuting_.push_back({.index = i, .step = step_of(node.event)});
  place_path_.clear();
  std::uint32_t child = node.pending;
  while (child != kNone) {
    const WakeupTrees::Branch& branch = trees_[child];
    const Step& step = steps_[branch.step];
    const std::uint32_t waking = find_waking(step, last);
    if (waking != kNone || (is_cut_ && !is_part_of(step, last))) {
      if (waking < sequence_.size()) candidates_[waking].is_needed = true;
      child = branch.next_sibling;
      continue;
    }
    bool is_known = false;
    for (std::uint32_t i = 0; i < sequence_.size(); ++i) {
      if (candidates_[i].actor != static_cast<std::uint32_t>(step.name.event.actor) ||
          history_[sequence_[i]].name != step.name.event)
        continue;
      remove_candidate(i);
      is_known = true;
    }
    if (!is_known && step.name.event == last.name.event) {
      is_last_removed_ = true;
      is_known = true;
    }
    if (branch.first_child == kNone) return false;
    above_.push_back({.step = step.name,
                      .is_known = is_known});
    place_path_.push_back(child);
    child = branch.first_child;
  }
  // What is needed needs its past.
  for (const EventId need : last.needs) mark_needed(need);
  for (std::size_t i = sequence_.size(); i-- > 0;)
    if (candidates_[i].is_needed)
      for (const EventId cause : history_.predecessors(history_[sequence_[i]])) mark_needed(cause);
  bool is_empty = is_last_removed_;
  std::size_t kept = 0;
  for (Commuting& pair : commuting_)
    if (pair.index == sequence_.size()) pair.index = kNone;
  for (std::size_t i = 0; i < sequence_.size(); ++i) {
    if (!candidates_[i].is_removed && !candidates_[i].is_needed) continue;
    if (!candidates_[i].is_removed) is_empty = false;
    candidates_[kept] = candidates_[i];
    for (Commuting& pair : commuting_)
      if (pair.index == i) pair.event = sequence_[i];
    sequence_[kept++] = sequence_[i];
  }
  sequence_.resize(kept);
  candidates_.resize(kept);
  return !is_empty;
}

void OptimalReduction::make_candidates() {
  candidates_.clear();
  place_of_.resize(std::max(place_of_.size(), history_.length()));
  sequence_summary_ = {};
  for (const EventId event : sequence_) {
    const Occurrence& known = history_[event];
    place_of_[event] = static_cast<std::uint32_t>(candidates_.size());
    sequence_summary_.add(known.summary);
    candidates_.push_back({.summary = known.summary, .actor = static_cast<std::uint32_t>(known.name.actor)});
  }
}

void OptimalReduction::remove_candidate(std::uint32_t index) {
  candidates_[index] = {.summary = {}, .actor = kNone, .is_removed = true, .is_needed = candidates_[index].is_needed};
}

void OptimalReduction::mark_needed(EventId event) {
  const std::uint32_t place = place_of_[event];  // whatever, if it is not in the sequence
  if (place < sequence_.size() && sequence_[place] == event) candidates_[place].is_needed = true;
}

// Puts the sequence where find_place() has found.
void OptimalReduction::attach(const Last& last, std::vector<EventName> order) {
  const bool is_one_step = place_path_.empty() && sequence_.empty();
  if (trees_.size() >= cut_above_ && !is_one_step) return attach_first(std::move(order));
  if (!order.empty())
    for (const Above& above : above_)
      if (!above.is_known) order.push_back(above.step.event);
  std::uint32_t added = kNone;  // from the last to the first
  const auto add = [&](std::uint32_t step, EventId event) {
    BranchDetails details;
    if (added == kNone) details.order = std::move(order);
    for (const Commuting& pair : commuting_)
      if (event == kNoEvent ? pair.index == kNone : pair.event == event) details.commutes.push_back(pair.step);
    added = trees_.add(step, added, std::move(details));
  };
  if (!is_last_removed_) add(steps_.use(last.name, last.close_key, last.ends_all, last.touches), kNoEvent);
  for (std::size_t i = sequence_.size(); i-- > 0;)
    if (!candidates_[i].is_removed) add(use_step(sequence_[i]), sequence_[i]);
  trees_.append(nodes_[place_node_].pending, place_path_, added);
}

// Of the sequence only its first step, behind which whatever comes will be run: an own branch, or one that has led to its place.
void OptimalReduction::attach_first(std::vector<EventName> order) {
  is_cut_ = true;
  std::uint32_t& list = nodes_[place_node_].pending;
  if (!place_path_.empty()) {
    std::uint32_t leaf = place_path_.front();
    while (trees_[leaf].first_child != kNone) leaf = trees_[leaf].first_child;
    order = trees_.details_of(leaf).order;
  }
  const EventName first = place_path_.empty() ? history_[sequence_.front()].name : steps_[trees_[place_path_.front()].step].name.event;
  std::erase_if(order, [&](const EventName& name) {
    return name != first && std::none_of(nodes_.begin(), nodes_.begin() + place_node_,
                                         [&](const Node& node) { return node.step.event == name; });
  });
  if (!place_path_.empty()) return trees_.cut_behind(list, place_path_.front(), std::move(order));
  BranchDetails details{.order = std::move(order), .commutes = {}};
  for (const Commuting& pair : commuting_)
    if (pair.event == sequence_.front()) details.commutes.push_back(pair.step);
  trees_.append(list, {}, trees_.add(use_step(sequence_.front()), kNone, std::move(details)));
}

bool OptimalReduction::is_part_of(const Step& step, const Last& last) const {
  if (step.name.event == last.name.event) return true;
  return std::ranges::any_of(sequence_, [&](EventId event) {
    return history_[event].name == step.name.event &&
           std::ranges::any_of(last.needs, [&](EventId need) { return need == event || history_.precedes(event, need); });
  });
}

std::uint32_t OptimalReduction::find_waking(const Step& step, const Last& last) {
  const auto end = static_cast<std::uint32_t>(sequence_.size());
  const ActorId actor = step.name.event.actor;
  std::uint32_t own = 0;  // the first of its actor
  while (own < end && candidates_[own].actor != static_cast<std::uint32_t>(actor)) ++own;
  bool is_initial = own < end && is_same(step.name, step_of(sequence_[own]));
  for (std::uint32_t i = 0; i < own && is_initial; ++i)
    if (!candidates_[i].is_removed && history_.precedes(sequence_[i], sequence_[own])) is_initial = false;
  if (is_initial) return kNone;
  if (step.ends_all || may_conflict(step.summary, sequence_summary_))
    for (std::uint32_t i = 0; i < own; ++i)
      if (!candidates_[i].is_removed && (step.ends_all || may_conflict(step.summary, candidates_[i].summary)) &&
          depends_on(step, i, last))
        return i;
  if (own < end) return own;
  if (is_last_removed_) return kNone;
  if (last.name.event.actor == actor) {
    return is_same(step.name, last.name) ? kNone : end;
  }
  return depends_on(step, end, last) ? end : kNone;
}

// Whether a step at the node of the sequence and number `index` of that, its last step behind all others, depend on each other.
bool OptimalReduction::depends_on(const Step& step, std::uint32_t index, const Last& last) {
  const bool is_last = index == sequence_.size();
  if (step.ends_all || (is_last && last.ends_all)) return true;
  const Dependence found = dependence(step.touches, is_last ? last.touches : history_.touches(history_[sequence_[index]]));
  if (found != Dependence::kCoarse) return found == Dependence::kPlain;
  const StepName steps[] = {step.name, is_last ? last.name : step_of(sequence_[index])};
  const std::uint64_t key = combine(step.close_key, is_last ? last.close_key : history_[sequence_[index]].close_key);
  if (close_.size() > kPairsRemembered) close_.clear();
  auto [place, is_new] = close_.try_emplace(key, true);
  if (is_new && try_steps(place_node_, index, steps))
    place->second = trial_.history().precedes(static_cast<EventId>(trial_.history().length() - 2),
                                              static_cast<EventId>(trial_.history().length() - 1));
  if (!place->second) commuting_.push_back({.index = index, .step = step.name});
  return place->second;
}

// ---- The order in which events are executed --------------------------------------------------------------

// The nodes before `end` and the sequence, and the last step where it was executed or behind them.
std::vector<EventName> OptimalReduction::order_as_executed(std::uint32_t end, const Last& last) {
  mark_config(end);
  std::vector<EventName> order;
  bool has_last = false;
  for (EventId event = 0; event < history_.length(); ++event) {
    if (event == last.event) has_last = true;
    if (event == last.event || in_config(event)) order.push_back(history_[event].name);
  }
  if (!has_last) order.push_back(last.name.event);
  return order;
}

void OptimalReduction::mark_config(std::uint32_t end) {
  in_config_.assign(history_.length(), 0);
  before_.assign(history_.length(), 0);
  for (std::uint32_t node = 0; node < end; ++node)
    if (nodes_[node].event != kNoEvent) in_config_[nodes_[node].event] = 1;
  for (const EventId event : sequence_) in_config_[event] = 1;
  config_.clear();
  for (EventId event = 0; event < history_.length(); ++event)
    if (in_config(event)) config_.push_back(event);
}

// All that has to be executed before some events, by causality and by what receives observe; marks them in before_.
void OptimalReduction::mark_before(std::span<const EventId> events) {
  // What receives observe: the first has to come before the second.
  std::vector<std::pair<EventId, EventId>> observed;
  for (const EventId event : config_) {
    const Occurrence& known = history_[event];
    for (const Sent& rival : history_.rivals(known))
      if (in_config(rival.event)) observed.emplace_back(known.taken.event, rival.event);
    for (const LateReceive& late : history_.late_receives(known)) {
      if (!in_config(late.receive)) continue;
      const EventId taken = history_[late.receive].taken.event;
      observed.emplace_back(taken == kNoEvent ? late.receive : taken, event);
    }
  }
  for (const EventId event : events)
    if (in_config(event)) before_[event] = 1;
  for (std::size_t i = config_.size(); i-- > 0;) {
    const EventId event = config_[i];
    if (before_[event] == 0) continue;
    for (const EventId cause : history_.predecessors(history_[event]))
      if (in_config(cause)) before_[cause] = 1;
    for (const auto& [earlier, later] : observed)
      if (later == event) before_[earlier] = 1;
  }
}

// The messages of the config that a receive could have taken, as far as known.
void OptimalReduction::find_takeable(EventId receive, std::vector<Sent>& messages) const {
  messages.clear();
  const Occurrence& known = history_[receive];
  if (known.taken.event != kNoEvent) messages.push_back(known.taken);
  for (const Sent& rival : history_.rivals(known)) messages.push_back(rival);
  for (const EventId event : config_)
    for (const LateReceive& late : history_.late_receives(history_[event]))
      if (late.receive == receive) messages.push_back({.event = event, .touch = late.touch});
  std::erase_if(messages, [&](const Sent& sent) { return !in_config(sent.event); });
}

// The config in an order in which the receive behind it takes a certain message; false if there is none.
bool OptimalReduction::order_for_message(EventId receive, Sent message, std::vector<EventName>& order) {
  find_takeable(receive, takeable_);
  const EventId first[] = {message.event};
  mark_before(first);
  for (const Sent& rival : takeable_)
    if (rival.event == message.event ? rival.touch < message.touch : before_[rival.event] != 0) return false;
  put_before_rivals(message.event, order);
  order.push_back(history_[receive].name);
  return true;
}

bool OptimalReduction::order_for_expiry(EventId receive, std::vector<EventName>& order) {
  find_takeable(receive, takeable_);
  const Occurrence& known = history_[receive];
  std::vector<EventId> causes;  // what it depends on if it goes on without a message: then it leaves its mailbox as it is
  for (const EventId cause : history_.predecessors(known))
    if (history_[cause].name.actor == known.name.actor || history_.conflicts_apart_from(receive, known.receive_touch, cause))
      causes.push_back(cause);
  mark_before(causes);
  for (const Sent& rival : takeable_)
    if (before_[rival.event] != 0) return false;
  const std::size_t place = put_before_rivals(kNoEvent, order);
  order.insert(order.begin() + static_cast<std::ptrdiff_t>(place), known.name);
  return true;
}

// Everything up to the first message that the receive could take instead stays, then comes what was marked, then the rest.
// Returns where the rest begins.
std::size_t OptimalReduction::put_before_rivals(EventId wanted, std::vector<EventName>& order) {
  const auto is_rival = [&](EventId event) {
    return event != wanted && std::ranges::find(takeable_, event, &Sent::event) != takeable_.end();
  };
  order.clear();
  std::size_t stays = 0;
  while (stays < config_.size() && !is_rival(config_[stays])) ++stays;
  for (std::size_t i = 0; i < stays; ++i) order.push_back(history_[config_[i]].name);
  for (std::size_t i = stays; i < config_.size(); ++i)
    if (before_[config_[i]] != 0) order.push_back(history_[config_[i]].name);
  const std::size_t place = order.size();
  for (std::size_t i = stays; i < config_.size(); ++i)
    if (before_[config_[i]] == 0) order.push_back(history_[config_[i]].name);
  return place;
}

// A receive of the script, the last event, did not find the message that it is to take. Puts the script in an order in which
// it does, now that it is known which others it finds; false if there is none.
bool OptimalReduction::repair_order(EventId receive, const StepName& wanted) {
  if (wanted.choice != Choice::kMessage && wanted.choice != Choice::kExpiry) return false;
  config_.clear();
  in_config_.assign(history_.length(), 1);
  before_.assign(history_.length(), 0);
  in_config_[receive] = 0;
  Sent message;
  for (EventId event = 0; event < receive; ++event) {
    config_.push_back(event);
    if (history_[event].name == wanted.sender) message = {.event = event, .touch = wanted.touch};
  }
  std::vector<EventName> order;
  if (wanted.choice == Choice::kExpiry ? !order_for_expiry(receive, order)
                                       : message.event == kNoEvent || !order_for_message(receive, message, order))
    return false;
  std::vector<ScriptStep> script;
  for (const EventName& name : order)
    for (EventId event = 0; event <= receive; ++event)
      if (history_[event].name == name) script.push_back(script_[event]);
  script.insert(script.end(), script_.begin() + static_cast<std::ptrdiff_t>(script_at_), script_.end());
  const bool is_same = std::ranges::equal(script, script_, {}, &ScriptStep::node, &ScriptStep::node);
  script_in_order_ = 0;
  script_ = std::move(script);
  return !is_same;
}

}  // namespace ravel
