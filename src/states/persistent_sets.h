// Which transitions of which states a reduced search takes: partial-order reduction over states.
//
// The idea: of the actors that can move in a state, first only one does, and the search goes on from there.
// When all that can be reached from the state was visited, it is known what can still happen there, as a set
// of effects. If a step that was taken in the state conflicts with something in that set which another actor
// does, that actor's transitions are taken in the state, too; all are, if it can't move there. So in the end
// the actors that move in a state form a persistent set (Godefroid, "Partial-Order Methods for the
// Verification of Concurrent Systems", 1996), found afterwards as in dynamic reduction (Flanagan, Godefroid,
// POPL 2005) and over graphs with cycles (Yang, Chen, Gopalakrishnan, Kirby, "Efficient stateful dynamic
// partial order reduction", 2008).
//
// Cycles: states that reach each other have one set of effects, known when the last of them is left (Tarjan's
// strongly connected components). And an actor that can move in a state must move somewhere after it, else it
// is taken there: nobody is ignored for ever.
//
// It keeps every end and every bug of a step, in some order of independent steps. It does not keep what
// formulas of temporal logic ask about.
//
// What can happen must not depend on whether others can move, as with faults and early timeouts; that time
// passes only where nobody can move is no exception, since no step comes too late for it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/system.h"
#include "states/effects.h"

namespace ravel {

class PersistentSets {
 public:
  struct Choice {
    StateNumber state;
    std::uint32_t index;  // of its transitions
  };

  // `go_to` brings the system to a state. `leave` is told of states to which nobody goes again, the largest
  // number first.
  PersistentSets(System& system, std::function<void(StateNumber)> go_to,
                 std::function<void(StateNumber)> leave)
      : system_(system), go_to_(std::move(go_to)), leave_(std::move(leave)) {}

  // A new state, after the last step or as the initial one, from which it goes on. The System is there, and
  // anywhere afterwards.
  void open(StateNumber state, std::optional<ActorId> last);
  // A new state in which nothing can move. The System is there.
  void add_end(StateNumber state);
  // The transition to take next. Nothing: all that has to be visited was.
  std::optional<Choice> next();
  // The transition that next() told was taken. The System is after it.
  void note_step(const Event& event);
  // Where it led to, if that is a state that was met before.
  void note_met(StateNumber state);

  // States in which not all transitions were taken.
  std::uint64_t reduced_states() const { return reduced_; }
  std::uint64_t bytes() const;

 private:
  using Index = std::uint32_t;
  // A state that may reach some state on the way to the present one: not all is known of it.
  struct OpenState {
    StateNumber state;
    Index low;             // the first open state that it is known to reach
    Index first_move;      // in moves_
    Effects::Set effects;  // of its steps, and of the closed states that follow
    bool takes_all;
  };
  struct Move {
    ActorId actor{};
    Effects::Step step{};
    bool is_planned = false, is_taken = false;
  };
  // By state: its place among the open ones, or what can happen after it.
  struct Known {
    std::uint32_t is_open : 1;
    std::uint32_t value : 31;
  };

  static constexpr std::uint32_t kStepsLately = 2048;

  std::span<Move> moves_of(Index open);
  void choose_first(Index open, std::optional<ActorId> last);
  void plan(Index open, ActorId actor);
  void plan_all(Index open);
  void plan_who_cannot_move();
  void complete_component(Index root);
  bool complete(Index open, Effects::Set after);
  void close(Index root, Effects::Set effects);
  void set_known(StateNumber state, Known known);

  System& system_;
  const std::function<void(StateNumber)> go_to_, leave_;
  Effects effects_;
  std::vector<Known> known_;  // by number
  std::vector<OpenState> open_;
  std::vector<Move> moves_;
  std::vector<Index> way_;  // open states: each reaches the next one
  Index taken_ = 0;         // in moves_: the one that next() told last
  // Effects of the last steps, and of those before them
  Effects::Set lately_ = Effects::kNone, before_ = Effects::kNone;
  std::uint32_t steps_lately_ = 0;
  std::vector<ActorId> to_plan_;
  std::uint64_t reduced_ = 0;
};

}  // namespace ravel
