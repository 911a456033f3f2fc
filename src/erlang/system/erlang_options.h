// How a test of an Erlang program is run as a System, and what its first process calls.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/actor.h"
#include "erlang/machine/machine_options.h"
#include "erlang/system/process_roles.h"
#include "erlang/system/program.h"
#include "erlang/system/properties.h"
#include "erlang/system/texts.h"
#include "states/visited_hashes.h"

namespace ravel::erlang {

struct ErlangOptions {
  Properties properties;
  MachineOptions machine;
  // Whether an execution goes on when a process has ended abnormally. It does where executions are compared:
  // what others do afterwards belongs to the trace.
  // A story ends with its bug nevertheless, unless it is told for what comes after it.
  enum class AfterFailure : std::uint8_t { kStop, kGoOn, kGoOnAndTell } after_failure = AfterFailure::kStop;
  // What happens while the application controller starts or stops an application, and nobody else can go on:
  // all orders, or one (application_starts.h).
  enum class Starts : std::uint8_t { kExplored, kOnce } starts = Starts::kExplored;
  std::vector<std::string> explored_starts = {};  // with kOnce: of which all orders are explored nevertheless
  // Registered names of processes that take messages in the order in which they happen to be sent: that order
  // is not varied for their sake.
  std::vector<std::string> non_racing = {};
  // With MachineOptions::recurring: processes of which what they have asked is part of the state
  // (noted_requests.h).
  std::vector<ActorName> requests_in_state = {};
  StateStorage visited = {};    // with MachineOptions::recurring
  bool remembers_steps = true;  // with MachineOptions::recurring, where that is possible (known_steps.h)
  // How many bytes that may take before it begins anew, with hashes of states; exactly kept ones go with it.
  std::uint64_t step_memory_max = std::uint64_t{256} << 20;
  // With MachineOptions::recurring: ends that nobody can see come before all else, unless the program looks
  // at the list of all processes (unseen_ends.h).
  bool unseen_ends_come_first = true;
  // MODULE:FUNCTION, or empty. With MachineOptions::recurring: states of which it makes the same are one.
  std::string abstraction = {};
  // The module of a delaying explorer, or its file; empty: there is none in Erlang. It is called by
  // make_explorer()'s object.
  std::string explorer = {};
  bool tells_explorer = false;  // whether anybody takes what ravel:explorer/1 tells
  // Gets what the program prints, at once. Null: it belongs to the state.
  std::function<void(std::string_view)> on_output = {};
};

// What the first process calls: a function without arguments, or one that gets a test's name as its three
// arguments (module, function, path).
struct EntryCall {
  std::string module, function;
  std::optional<TestName> argument = {};
  Framework framework = {};
  Language language = Language::kErlang;  // in which the test is written
};

}  // namespace ravel::erlang
