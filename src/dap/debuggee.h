// One execution under a debugger: where it is, who its threads are, what they have at hand, and where it
// stops when it goes on or back.
//
// A position is a number of steps that were taken. Who debugs sees the program between two steps: the
// threads are the actors, and the stack of one shows the operation before which it waits. Numbers of frames
// and of groups of variables are good until the next move.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "check/subject.h"
#include "engine/inspecting.h"
#include "engine/recording.h"
#include "engine/timeline.h"

namespace ravel::dap {

using Number = std::int64_t;  // of threads, frames and groups of variables, from 1

struct ThreadName {
  Number id = 0;
  std::string name;
};

struct SourcePlace {
  std::string name = {};  // empty: no place is known
  std::string path = {};  // absolute; empty: the file is not there
  std::uint32_t line = 0;
};

struct StackFrame {
  Number id = 0;
  std::string name;
  SourcePlace place;
};

struct Variable {
  std::string name, value;
};

// Variables of one kind: the mailbox, the locks, ...
struct Scope {
  std::string name;
  Number reference = 0;
  std::size_t size = 0;  // how many variables
};

enum class StopReason : std::uint8_t { kEntry, kStep, kBreakpoint, kBug, kEnd };

struct Stop {
  StopReason reason = StopReason::kStep;
  Number thread = 1;
  std::string text = {};  // of a bug and of the end
};

struct Breakpoint {
  std::uint32_t line = 0;
  bool is_met = false;  // some step of the execution is there
};

class Debuggee {
 public:
  // Runs the execution of a ticket once. The front ends must outlive the debuggee.
  static Result<std::unique_ptr<Debuggee>> open(const FrontEnds& front_ends, const std::string& ticket,
                                                std::span<const std::string> files);

  // What is to be told before it begins, such as that the program has changed.
  const std::vector<std::string>& remarks() const { return remarks_; }
  const std::optional<Bug>& bug() const { return recording_.bug; }
  std::size_t length() const { return timeline_->length(); }
  std::size_t position() const { return timeline_->position(); }
  bool is_at_end() const { return position() == length(); }

  // The breakpoints of one file take the place of those that it had.
  std::vector<Breakpoint> set_breakpoints(const std::string& path, std::span<const std::uint32_t> lines);

  // Moves. An error: the program did not do again what it did before.
  Result<Stop> begin();
  Result<Stop> go_on();
  Result<Stop> go_back();
  // Until this thread has taken its next step, or a breakpoint.
  Result<Stop> step(Number thread);
  // One step, whoever takes it.
  Result<Stop> step_any();
  // To before the last step that this thread has taken.
  Result<Stop> step_back(Number thread);
  // Where it is now.
  Stop stop_here(StopReason reason) const;

  std::vector<ThreadName> threads();
  // Nothing: there is no such thread now.
  std::optional<std::vector<StackFrame>> stack(Number thread);
  std::optional<std::vector<Scope>> scopes(Number frame);
  std::optional<std::vector<Variable>> variables(Number reference) const;
  // The value of what has this name in the thread of the frame, or is shared.
  std::optional<std::string> value_of(const std::string& name, Number frame);
  // What the program has printed since this was last asked, at the furthest position so far.
  std::string take_output();

 private:
  Debuggee(Subject subject, Recording recording, std::vector<std::string> remarks);

  Result<Stop> move_to(std::size_t position, StopReason reason, std::optional<Number> thread = {});
  Result<Stop> end_or(std::size_t position, StopReason reason, std::optional<Number> thread);
  bool is_breakpoint(std::size_t position) const;
  const RecordedEvent* next_event() const;
  const RecordedEvent* next_event_of(ActorId actor) const;
  std::optional<ActorId> actor_at_end() const;
  std::optional<ActorId> actor_of(Number thread) const;
  std::string name_of(ActorId actor) const;
  SourcePlace place_of(const std::string& file, std::uint32_t line) const;
  const std::vector<ActorState>& states();
  const ActorState* state_of(std::optional<ActorId> actor);
  void add_scopes(const ActorState& state, const std::string& only_name, std::vector<Scope>& scopes);
  Scope add_scope(std::string name, std::vector<Variable> variables);
  std::vector<Variable> step_variables() const;

  const Subject subject_;
  const Recording recording_;
  const std::vector<std::string> remarks_;
  std::unique_ptr<Timeline> timeline_;
  std::set<std::pair<std::string, std::uint32_t>> breakpoints_;  // canonical path, line
  mutable std::map<std::string, std::string> paths_;             // by file of an event
  std::string output_;                                           // that was taken
  // Of this position.
  std::optional<std::vector<ActorState>> states_;
  std::vector<ActorId> frames_;                   // by number - 1
  std::vector<std::vector<Variable>> variables_;  // by reference - 1
};

}  // namespace ravel::dap
