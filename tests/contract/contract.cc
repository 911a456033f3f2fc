#include "tests/contract/contract.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/random.h"

namespace ravel::contract {

namespace {

// A step that was taken, and all that could be seen around it.
struct Seen {
  Transition transition;
  std::vector<Transition> enabled;  // before it
  std::vector<Touch> footprint;
  std::vector<std::pair<Transition, std::optional<Touch>>> pending = {};  // before it
  Outcome outcome = Outcome::kRunning;                                    // after it
  bool stops_others = false;
  std::optional<Fingerprint> state = {};  // after it
};

class Trial {
 public:
  Trial(System& system, const Effort& effort)
      : system_(system), parts_(system.parts()), effort_(effort), random_(effort.seed) {}

  std::vector<std::string> run() {
    for (std::size_t i = 0; i < effort_.executions; ++i) {
      const std::vector<Seen> execution = walk();
      repeat(execution);
      restore_in_between(execution);
      if (!effort_.names_recur) swap_neighbours(execution);
      if (parts_.numbers_states) number_states(execution);
    }
    std::vector<std::string> sentences;
    for (const auto& [kind, sentence] : broken_) sentences.push_back(kind + ": " + sentence);
    return sentences;
  }

 private:
  void complain(const std::string& kind, const std::string& sentence) { broken_.try_emplace(kind, sentence); }

  std::string text(const Transition& transition) const {
    return system_.actor_name(transition.actor).to_string() + "/" + std::to_string(transition.alternative);
  }
  static std::string text_of(std::span<const Touch> footprint) {
    std::string text;
    for (const Touch& touch : footprint)
      text += " " + std::to_string(touch.object) + "." + std::to_string(static_cast<int>(touch.access)) +
              "." + std::to_string(touch.message);
    return text;
  }
  std::vector<std::string> texts(std::span<const Transition> transitions) const {
    std::vector<std::string> all;
    for (const Transition& one : transitions) all.push_back(text(one));
    return all;
  }

  std::vector<Transition> enabled() {
    const auto span = system_.enabled();
    std::vector<Transition> all(span.begin(), span.end());
    if (all.empty() == (system_.outcome() == Outcome::kRunning))
      complain("outcome",
               all.empty() ? "nothing is enabled in a running system" : "something is enabled after the end");
    const auto is_ordered = [&](const Transition& one, const Transition& other) {
      if (one.actor != other.actor) return system_.actor_name(one.actor) < system_.actor_name(other.actor);
      return one.alternative < other.alternative;
    };
    for (std::size_t i = 1; i < all.size(); ++i)
      if (!is_ordered(all[i - 1], all[i]))
        complain("order", text(all[i - 1]) + " is listed before " + text(all[i]));
    for (const Transition& one : all)
      if (system_.find_actor(system_.actor_name(one.actor)) != one.actor)
        complain("names", text(one) + " is not found by its name");
    return all;
  }

  Seen take(const Transition& transition) {
    Seen seen{.transition = transition, .enabled = enabled(), .footprint = {}};
    if (parts_.pending)
      for (const Transition& one : seen.enabled) seen.pending.emplace_back(one, system_.pending(one));
    const Event event = system_.step(transition);
    if (event.actor != transition.actor || event.alternative != transition.alternative)
      complain("event", "the event of " + text(transition) + " is another one's");
    seen.footprint.assign(event.footprint.begin(), event.footprint.end());
    seen.outcome = system_.outcome();
    seen.stops_others = system_.stops_others();
    seen.state = system_.fingerprint();
    if (seen.state.has_value() != parts_.fingerprints)
      complain("parts", "fingerprints are there or not, whatever parts() says");
    return seen;
  }

  std::vector<Seen> walk() {
    std::vector<Seen> execution;
    system_.reset();
    while (system_.outcome() == Outcome::kRunning && execution.size() < effort_.events_max) {
      const std::vector<Transition> all = enabled();
      if (all.empty()) break;
      execution.push_back(take(all[random_.below(all.size())]));
      compare_with_pending(execution.back());
    }
    if (system_.outcome() != Outcome::kRunning) enabled();
    return execution;
  }

  void compare_with_pending(const Seen& seen) {
    for (const auto& [transition, touch] : seen.pending) {
      if (transition != seen.transition || !touch || seen.footprint.empty()) continue;
      const auto is_it = [&](const Touch& one) { return one.object == touch->object; };
      if (std::ranges::none_of(seen.footprint, is_it))
        complain("pending", text(transition) + " does not touch what was told before: " +
                                std::to_string(touch->object) + ", but" + text_of(seen.footprint));
    }
  }

  // Whether this is what was seen before; says so if it is not.
  bool is_same(const Seen& was, const Seen& is, const std::string& when) {
    std::string what;
    if (was.enabled != is.enabled) what = "other transitions are enabled";
    if (was.footprint != is.footprint) what = "it touches something else";
    if (was.outcome != is.outcome || was.stops_others != is.stops_others) what = "the outcome is another one";
    if (was.state != is.state) what = "the state has another fingerprint";
    if (!what.empty()) complain("determinism", when + ", at " + text(was.transition) + ": " + what);
    return what.empty();
  }

  void follow(std::span<const Seen> execution, const std::string& when) {
    for (const Seen& seen : execution) {
      if (std::ranges::find(system_.enabled(), seen.transition) == system_.enabled().end()) {
        complain("determinism", when + " " + text(seen.transition) + " can't be taken");
        return;
      }
      if (!is_same(seen, take(seen.transition), when)) return;
    }
  }

  void repeat(const std::vector<Seen>& execution) {
    system_.reset();
    follow(execution, "after a reset");
  }

  // Saves some states on the way, goes elsewhere, and comes back to each of them, in any order.
  void restore_in_between(const std::vector<Seen>& execution) {
    std::vector<std::pair<std::size_t, Snapshot>> saved;
    system_.reset();
    for (std::size_t i = 0; i < execution.size(); ++i) {
      if (random_.below(3) == 0) {
        const std::optional<Snapshot> snapshot = system_.save();
        if (snapshot.has_value() != parts_.snapshots)
          complain("parts", "snapshots are there or not, whatever parts() says");
        if (snapshot) saved.emplace_back(i, *snapshot);
      }
      system_.step(execution[i].transition);
    }
    if (parts_.whole_snapshots) walk();
    while (!saved.empty()) {
      // What a System tells of an execution may not be in a snapshot: then the execution must have led there.
      const std::size_t place = parts_.whole_snapshots ? random_.below(saved.size()) : saved.size() - 1;
      system_.restore(saved[place].second);
      follow(std::span(execution).subspan(saved[place].first), "after a restore");
      system_.release(saved[place].second);
      saved.erase(saved.begin() + static_cast<std::ptrdiff_t>(place));
    }
  }

  // --- states that are numbered

  // What a step, or the reset, has led to.
  struct Reached {
    std::optional<StateNumber> number;
    Outcome outcome = Outcome::kRunning;
    std::string bug;  // if the state tells it
    std::vector<Transition> enabled;
    std::optional<Fingerprint> state;
    std::vector<Touch> footprint;  // of the step

    bool is_same_state(const Reached& other) const {
      return number == other.number && outcome == other.outcome && bug == other.bug &&
             enabled == other.enabled && state == other.state;
    }
  };
  struct Met {
    Reached reached;
    std::vector<Transition> way;            // that led there first
    std::map<std::size_t, Reached> next{};  // by the place of a transition among the enabled ones
  };

  Reached arrive(std::span<const Touch> footprint) {
    Reached reached{.number = {},
                    .outcome = system_.outcome(),
                    .bug = {},
                    .enabled = enabled(),
                    .state = system_.fingerprint(),
                    .footprint = {footprint.begin(), footprint.end()}};
    if (reached.outcome == Outcome::kBug && !system_.is_judged_by_execution()) {
      const Bug bug = system_.bug();
      reached.bug = bug.key() + " " + bug.actor;
      for (const std::string& line : bug.details) reached.bug += "\n" + line;
    }
    const std::optional<MetState> met = system_.number_state();
    if (!met && reached.outcome == Outcome::kRunning)
      complain("numbers", "a state in which others can go on has none");
    if (!met) return reached;
    reached.number = met->number;
    const bool is_next = static_cast<std::size_t>(met->number) == met_.size();
    if (met->is_new != is_next || static_cast<std::size_t>(met->number) > met_.size())
      complain("numbers", "they are not given in the order in which states were met first");
    return reached;
  }

  // In the state that was met as number `from`, or before the first one.
  Reached note(std::optional<StateNumber> from, std::size_t place, const Reached& reached,
               const std::vector<Transition>& way) {
    const std::string last = way.empty() ? "the reset" : text(way.back());
    if (reached.number) {
      if (static_cast<std::size_t>(*reached.number) == met_.size())
        met_.push_back({.reached = reached, .way = way});
      else if (!met_.at(static_cast<std::size_t>(*reached.number)).reached.is_same_state(reached))
        complain("equal numbers", "after " + last + " the same number is something else");
    }
    if (!from) return reached;
    const auto [known, is_new] = met_.at(static_cast<std::size_t>(*from)).next.try_emplace(place, reached);
    if (!known->second.is_same_state(reached))
      complain("equal numbers", last + " leads to something else from a state of the same number");
    if (known->second.footprint != reached.footprint)
      complain("equal numbers", last + " touches something else in a state of the same number:" +
                                    text_of(known->second.footprint) + ", and" + text_of(reached.footprint));
    return reached;
  }

  // Takes a transition of a state that was met; which number it leads to.
  Reached take_from(StateNumber from, std::size_t place, std::vector<Transition>& way) {
    const Transition transition = met_.at(static_cast<std::size_t>(from)).reached.enabled[place];
    way.push_back(transition);
    if (std::ranges::find(system_.enabled(), transition) == system_.enabled().end()) return {};
    const Seen seen = take(transition);
    return note(from, place, arrive(seen.footprint), way);
  }

  void walk_from(StateNumber from, std::size_t steps, std::vector<Transition> way) {
    for (std::size_t i = 0; i < steps; ++i) {
      const Reached& here = met_.at(static_cast<std::size_t>(from)).reached;
      if (here.outcome != Outcome::kRunning) return;
      const Reached reached = take_from(from, random_.below(here.enabled.size()), way);
      if (!reached.number) return;
      from = *reached.number;
    }
  }

  void number_states(const std::vector<Seen>& execution) {
    system_.reset();
    std::vector<Transition> way;
    Reached here = note({}, 0, arrive({}), way);
    for (const Seen& seen : execution) {
      if (!here.number) return;
      const auto place = std::ranges::find(here.enabled, seen.transition) - here.enabled.begin();
      if (here.enabled != seen.enabled) {
        complain("determinism", "other transitions are enabled where states are numbered");
        return;
      }
      here = take_from(*here.number, static_cast<std::size_t>(place), way);
      if (here.outcome != seen.outcome || here.state != seen.state || here.footprint != seen.footprint)
        complain("determinism", text(seen.transition) + " does something else where states are numbered");
    }
    for (int i = 0; i < 8; ++i) {
      const auto number = static_cast<std::uint32_t>(random_.below(met_.size()));
      const Met met = met_[number];
      if (met.reached.outcome != Outcome::kRunning) continue;
      system_.go_to(StateNumber{number});
      if (!arrive({}).is_same_state(met.reached)) {
        complain("going to numbers", "the state is not as it was");
        return;
      }
      walk_from(StateNumber{number}, 6, met.way);
      system_.reset();
      for (const Transition& transition : met.way) system_.step(transition);
      if (!arrive({}).is_same_state(met.reached)) {
        complain("equal numbers", "the same way leads to another state");
        return;
      }
      walk_from(StateNumber{number}, 2, met.way);
    }
  }

  // --- events that commute

  bool is_ordered(const std::vector<Seen>& execution, std::size_t earlier) {
    const Seen &one = execution[earlier], &other = execution[earlier + 1];
    if (one.transition.actor == other.transition.actor || other.outcome != Outcome::kRunning) return true;
    const auto begins = [&](const Touch& touch) {
      return touch.access == Access::kCreate && system_.owner_of(touch.object) == other.transition.actor;
    };
    if (std::ranges::any_of(one.footprint, begins)) return true;
    bool is_coarse = false;
    for (const Touch& a : one.footprint) {
      for (const Touch& b : other.footprint) {
        if (a.access == Access::kPass || b.access == Access::kPass) return true;
        if (a.object != b.object) continue;
        const bool is_of_messages = is_message(a.access) && is_message(b.access);
        if (!is_of_messages && !conflicts(a.access, b.access)) continue;
        if (!a.is_coarse || !b.is_coarse) return true;
        is_coarse = true;
      }
    }
    return is_coarse && system_.conflict_closely(earlier, earlier + 1);
  }
  static bool is_message(Access access) {
    return is_send(access) || access == Access::kReceive || access == Access::kReceiveOrExpire ||
           access == Access::kExpire || access == Access::kRemove;
  }

  // Whether a message arrives or is in vain may be another question in the other order: then it makes no
  // difference.
  static bool is_same_footprint(const std::vector<Touch>& one, const std::vector<Touch>& other) {
    return std::ranges::equal(one, other, [](Touch a, Touch b) {
      if (is_send(a.access) && is_send(b.access)) a.access = b.access;
      return a == b;
    });
  }

  void swap_neighbours(const std::vector<Seen>& execution) {
    for (std::size_t i = 0; i + 1 < execution.size(); ++i) {
      look_for_blocked(execution, i);
      if (random_.below(4) != 0) continue;
      // Coarse touches are asked for in the execution itself.
      system_.reset();
      for (std::size_t j = 0; j <= i + 1; ++j) system_.step(execution[j].transition);
      if (!is_ordered(execution, i)) swap(execution, i);
    }
  }

  void swap(const std::vector<Seen>& execution, std::size_t i) {
    const Seen &first = execution[i], &second = execution[i + 1];
    const std::vector<std::string> after = texts(system_.enabled());
    const std::string both = text(first.transition) + " and " + text(second.transition);
    system_.reset();
    for (std::size_t j = 0; j < i; ++j) system_.step(execution[j].transition);
    for (const Seen* const seen : {&second, &first}) {
      const auto now = system_.enabled();
      if (std::ranges::find(now, seen->transition) == now.end()) {
        complain("footprints", both + " do not conflict, and can't be swapped: " + text(seen->transition) +
                                   " is not enabled");
        return;
      }
      const Seen swapped = take(seen->transition);
      if (!is_same_footprint(swapped.footprint, seen->footprint))
        complain("footprints",
                 both + " do not conflict, and touch something else when swapped: " + text(seen->transition) +
                     text_of(seen->footprint) + " became" + text_of(swapped.footprint));
      if (seen == &first && (swapped.state != second.state || swapped.outcome != second.outcome))
        complain("footprints", both + " do not conflict, and lead to another state when swapped");
    }
    if (system_.outcome() == Outcome::kRunning && texts(system_.enabled()) != after)
      complain("footprints", both + " do not conflict, and others are enabled when they are swapped");
  }

  // An operation that another actor's step makes impossible.
  void look_for_blocked(const std::vector<Seen>& execution, std::size_t i) {
    const Seen &event = execution[i], &next = execution[i + 1];
    if (system_.operations_block()) return;
    for (const Transition& one : event.enabled) {
      const bool is_of_time = one.kind == TransitionKind::kPasses || one.kind == TransitionKind::kEarly;
      if (one.actor == event.transition.actor || is_of_time || one.alternative != 0) continue;
      const auto is_there = [&](const Transition& other) { return other.actor == one.actor; };
      if (std::ranges::any_of(next.enabled, is_there)) continue;
      const auto is_owned = [&](const Touch& touch) {
        return touch.access == Access::kPass || system_.owner_of(touch.object) == one.actor;
      };
      if (std::ranges::any_of(event.footprint, is_owned)) continue;
      complain("operations_block",
               text(event.transition) + " makes what " + text(one) + " has come to impossible");
    }
  }

  System& system_;
  const SystemParts parts_;
  const Effort effort_;
  Random random_;
  std::map<std::string, std::string> broken_;  // by kind
  std::vector<Met> met_;                       // by number
};

}  // namespace

std::vector<std::string> broken_promises(System& system, const Effort& effort) {
  return Trial(system, effort).run();
}

}  // namespace ravel::contract
