// The state of a server of OTP's behaviours, as sys:get_state/1 would tell it: gen_server, gen_statem,
// gen_event, and what is built on these, such as supervisors and Elixir's GenServer and Agent.
//
// The idea: the behaviour's loop has the state as an argument, and keeps it in a slot of its stack frame
// while it waits for a message or a callback runs. Which slot that is, is read from the compiled code of the
// installed module (argument_flow.h), so no release of Erlang/OTP is assumed. Where the code does not say it,
// or the frame has another size, there is no answer.
//
// Cost: one look at the code of each of the three modules.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "erlang/beam/beam_file.h"
#include "erlang/machine/machine.h"

namespace ravel::erlang {

struct ServerState {
  enum class Kind : std::uint8_t {
    kState,     // the term is the state, as of gen_server, or {State, Data}, as of gen_statem
    kHandlers,  // the term is a list of what gen_event knows of its handlers: {_, Module, Id, State, ...}
  };
  Kind kind = Kind::kState;
  Term term;
  bool is_in_callback = false;  // as it was before the callback that runs
};

class ServerStates {
 public:
  // It must outlive this object.
  explicit ServerStates(const Machine& machine) : machine_(machine) {}

  std::optional<ServerState> find(const Process& process);

 private:
  // What a process has of the call that goes on at a place.
  struct Frame {
    const CodeWord* place = nullptr;
    const Term* slots = nullptr;
    std::size_t count = 0;
  };
  // Where one function keeps the state.
  struct Slot {
    std::size_t number = 0, frame_size = 0;
  };
  struct Key {
    const Module* module;
    std::string function, callee;  // at a receive: how many slots the frame has
    std::uint32_t arity;
    friend auto operator<=>(const Key&, const Key&) = default;
  };

  static void add_frames(const Process& process, const Machine& machine, std::vector<Frame>& frames);
  std::optional<Slot> slot(const Key& key, std::uint16_t argument);
  std::optional<Slot> find_slot(const Key& key, std::uint16_t argument);
  const BeamFile* file_of(const Module& module);
  std::optional<Term> term_in(const Frame& frame, const std::optional<Slot>& slot) const;

  const Machine& machine_;
  std::map<Key, std::optional<Slot>> slots_;
  std::map<const Module*, std::unique_ptr<BeamFile>> files_;  // null: it cannot be read
};

}  // namespace ravel::erlang
