// Applications that a test starts and stops: what happens meanwhile comes in one order
// (ErlangOptions::Starts::kOnce).
//
// The idea: mnesia has twenty processes, and starting it takes eight hundred events, most of which nobody
// would call part of the test that starts it in its setup. When a process asks the application controller for
// a start or a stop while nobody else can go on, all that follows comes in one order until nobody but that
// process can move: who moved last goes on, or else the first by name. Each of these events comes after all
// before it and before all after it, as one with which time passes (Access::kPass), so reduction finds no
// races with them; they hold for themselves what a mix project's applications hold, which are started before
// the test.
//
// That somebody asks while others can go on is no such start: those others may race with it. As whether they
// could still go on depends on the order of independent events, a search that meets one has to begin again
// with all orders explored of all that start or stop this application.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/transition.h"
#include "erlang/machine/machine.h"
#include "erlang/system/actor_table.h"

namespace ravel::erlang {

class ApplicationStarts {
 public:
  // `explored`: starts and stops of which all orders are explored ("stop_application mnesia"). All must
  // outlive this object.
  ApplicationStarts(const Machine& machine, const ActorTable& actors,
                    const std::vector<std::string>& explored)
      : machine_(machine), actors_(actors), explored_(explored) {}

  // Who is asked: a pid, or none.
  void set_controller(Term application_controller) { controller_ = application_controller; }

  // After a step of `who`, where so many transitions had been enabled: whether it begins a start or a stop.
  // REQUIRES: !is_going_on().
  bool begins(Term who, std::size_t could_move);
  bool is_going_on() const { return !progress_.starter.is_none(); }
  // After a step of `who` with which it went on.
  void note_event(Term who) {
    progress_.last = who;
    ++progress_.events;
  }
  // Leaves the one that comes next, unless it is over. REQUIRES: is_going_on().
  void keep_to_one_order(std::vector<Transition>& enabled);

  // How far it is, as a part of a snapshot.
  struct Progress {
    std::uint32_t events = 0;     // since somebody has asked for a start or a stop
    Term starter = Term::none();  // who that was, if it is not over
    Term last = Term::none();     // who has moved last since
  };
  const Progress& progress() const { return progress_; }
  void go_back_to(const Progress& progress) { progress_ = progress; }

  // Of all executions: what was asked for while others could go on, besides what is explored.
  std::span<const std::string> concurrent() const { return concurrent_; }
  // And where those were asked for that came in one order, each once.
  std::span<const std::vector<const CodeWord*>> places() const { return places_; }

 private:
  std::optional<std::string> start_asked_for() const;  // by the last step

  const Machine& machine_;
  const ActorTable& actors_;
  const std::vector<std::string>& explored_;
  Term controller_ = Term::none();
  Progress progress_;
  std::vector<std::string> concurrent_;
  std::vector<std::vector<const CodeWord*>> places_;
};

}  // namespace ravel::erlang
