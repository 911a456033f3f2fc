// Selectively uniform random walk: every order of the events that matter has the same chance.
//
// In each execution the interesting events are those that are pending on one object, drawn from those on
// which several actors have conflicted. An actor is drawn with the weight of the interesting events that it
// has left, and no other may take one before it has, as long as there is something else to do. If the numbers
// of events are right, each order of the interesting events is equally likely, however the others are spread
// over the program. They are estimated from the executions before, of which the first one is a random walk.
// If that ended while others could have gone on, the second one is a census, in which whoever was started
// last goes first, so that nobody is cut off by the end of those that started it. Objects that are parts of
// an array or a block are interesting together in some executions: whether one or all of them are is drawn
// first, where the paper draws one word. What is not interesting is drawn by the weight of all events that
// are left, so that its orders are nearly uniform as well. Where somebody's last event ends the execution for
// the others, too, as the end of main() does, few executions are those that end early: it is taken with the
// chance that they have among all that begin like this one. Source: H. Zhao, D. Wolff, U. Mathur, A.
// Roychoudhury, "Selectively uniform concurrency testing" (ASPLOS 2025).
//
// What a transition will touch is asked from the System. Where that does not know, every event is
// interesting, and what is left is the uniform random walk of the same paper.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "strategy/actor_counts.h"
#include "strategy/actor_table.h"
#include "strategy/history/number_map.h"
#include "strategy/sampling.h"
#include "strategy/variables.h"

namespace ravel {

class SelectivelyUniform final : public Sampling {
 public:
  SelectivelyUniform(std::uint64_t seed, std::optional<std::uint64_t> executions, WholeOf whole_of = {})
      : Sampling(seed, executions), whole_of_(std::move(whole_of)) {}

  std::string name() const override {
    return "selectively uniform random walk, seed " + std::to_string(seed());
  }

 private:
  struct Object {
    std::uint64_t number;
    ActorCounts counts = {};
    std::uint64_t execution = 0;  // the last execution in which something was pending on it
    std::uint32_t actor = 0;      // the first actor of that execution
    bool is_shared = false;       // in some execution several actors were
    bool is_written = false;
    bool is_target = false;                   // shared and written
    bool is_whole = false;                    // stands for its parts
    std::uint32_t parts = 0;                  // then: how many of them are targets
    std::optional<std::uint32_t> whole = {};  // of a target: of what it is a part
  };
  // What a transition will touch first.
  struct Pending {
    std::uint64_t object = 0;
    bool is_known = false;
    bool is_read = false;
  };
  struct Mover {
    std::uint32_t index;  // of its first transition
    std::uint32_t actor;
    Pending pending = {};  // of that, if there is a target
    bool is_interesting = false;
    std::uint64_t weight = 0;
  };

  static Pending pending_of(const Point& point, std::size_t index);
  void begin() override;
  Decision draw(const Point& point) override;
  void note(const Event& event) override;
  void end(Outcome outcome) override;
  void write_learned(PositionWriter& writer) const override;
  bool read_learned(PositionReader& reader) override;

  std::uint32_t index_of_object(std::uint64_t number);
  std::uint32_t index_of_whole(std::uint64_t number);
  void add_target(std::uint32_t object);
  void join(std::uint32_t object, std::uint32_t whole);
  std::uint32_t draw_target();
  bool is_on_target(std::uint64_t object) const;
  void count(std::uint32_t index, std::uint32_t actor);
  void draw_next();
  void draw_end();
  void note_end(Outcome outcome);

  // The actor whose last event has ended an execution while others could go on, and how many events it had
  // then.
  struct Ender {
    std::uint32_t actor;
    std::uint64_t events;
  };

  const WholeOf whole_of_;
  ActorTable actors_;
  ActorCounts all_;  // of all events, where objects are not known
  NumberMap index_of_object_, index_of_whole_;
  std::vector<Object> objects_;
  std::vector<std::uint32_t> targets_;  // objects to draw from, by number; no wholes
  std::vector<std::uint32_t> wholes_;   // of several targets, by number
  std::vector<std::uint32_t> unions_;   // the wholes, and the targets in none of them; empty: not listed yet
  bool knows_pending_ = false;          // the System tells what transitions will touch
  bool is_census_ = false;              // this execution, or the next one
  std::optional<Ender> ender_;
  // There were several enders, or several numbers of events of one: nobody knows when it ends
  bool ends_vary_ = false;
  std::optional<std::uint32_t> target_;  // the object of this execution
  std::optional<std::uint32_t> next_;    // the actor whose interesting event is next
  Pending chosen_;                       // of the chosen transition
  std::vector<Mover> movers_;            // actors that can move now
  std::vector<std::uint32_t> there_;     // the actors of this execution, so far
  std::uint32_t last_ = 0;               // the actor that has moved last
  std::vector<std::uint32_t> touched_;   // the objects of this execution
};

}  // namespace ravel
