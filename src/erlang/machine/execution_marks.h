// Which instructions have been executed and which built-ins called: for tests that hold that every one of
// them is.
//
// As with a debugger's breakpoints, each instruction is loaded as `first_run` and its own handler kept here;
// that handler puts the own one back the first time and notes what was there. So code that has run once runs
// as ever, and a machine that was not asked to mark anything never meets the instruction.
//
// An instruction of a file for which the loader emits nothing counts as executed with the one after it; one
// that was joined with its predecessor counts with that.
#pragma once

#include <bitset>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/check.h"
#include "erlang/beam/opcode.h"
#include "erlang/machine/instruction.h"

namespace ravel::erlang {

struct Builtin;

class ExecutionMarks {
 public:
  // For the loader: the instruction at `place`, a place in code, has this handler; it is (also) there for
  // that opcode.
  void add(std::uint32_t place, std::int32_t handler) { pending_[place].handler = handler; }
  void add_opcode(std::uint32_t place, Opcode opcode) { pending_[place].opcodes.push_back(opcode); }
  // The code from here on is given back.
  void forget_from(std::uint32_t place) {
    std::erase_if(pending_, [place](const auto& one) { return one.first >= place; });
  }

  // For the interpreter: notes what is executed there, and returns its handler. REQUIRES: it was added, and
  // not taken yet.
  std::int32_t take(std::uint32_t place) {
    const auto found = pending_.find(place);
    CHECK_MESSAGE(found != pending_.end(), "an instruction that runs for the first time is known");
    const std::int32_t handler = found->second.handler;
    handlers_.insert(handler);
    for (const Opcode opcode : found->second.opcodes) opcodes_.set(static_cast<std::size_t>(opcode));
    pending_.erase(found);
    return handler;
  }
  // ... and that this instruction calls this built-in, a row of the machine's table.
  void add_builtin(const Builtin* builtin) { builtins_.insert(builtin); }
  // The handler of what has not been executed yet; none: it has.
  const std::int32_t* pending_handler(std::uint32_t place) const {
    const auto found = pending_.find(place);
    return found == pending_.end() ? nullptr : &found->second.handler;
  }

  // What has been executed: instructions of files, by their number, and handlers.
  const std::bitset<kOpcodeMax + 1>& opcodes() const { return opcodes_; }
  bool has_run(std::int32_t handler) const { return handlers_.contains(handler); }
  bool has_called(const Builtin* builtin) const { return builtins_.contains(builtin); }

 private:
  struct Pending {
    std::int32_t handler = 0;
    std::vector<Opcode> opcodes;
  };
  std::unordered_map<std::uint32_t, Pending> pending_;  // by place
  std::bitset<kOpcodeMax + 1> opcodes_;
  std::unordered_set<std::int32_t> handlers_;
  std::unordered_set<const Builtin*> builtins_;
};

}  // namespace ravel::erlang
