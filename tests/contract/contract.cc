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
      swap_neighbours(execution);
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
};

}  // namespace

std::vector<std::string> broken_promises(System& system, const Effort& effort) {
  return Trial(system, effort).run();
}

}  // namespace ravel::contract
