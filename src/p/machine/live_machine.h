// One machine or monitor of an execution, while it is there to be run.
//
// A machine rests before its next operation: it is to start, waits for an event, or stands at an instruction
// that is an operation, with its operands on the stack. What it is then is kept as one value (images.h).

#pragma once

#include <vector>

#include "p/code/code.h"

namespace ravel::p {

struct Message {
  Value event;
  Value payload;
};

enum class Phase : std::uint8_t {
  kStarting,     // its first state has still to be entered
  kIdle,         // before it takes an event from its queue
  kAtOperation,  // inside a handler, at instruction `pc`
  kHalted,
};

// What follows when the function that runs has returned.
enum class Stage : std::uint8_t {
  kHandler,     // nothing: the event is handled
  kExit,        // a function between two states, if there is one, and the entry of `target`
  kTransition,  // the entry of `target`
  kExitToHalt,  // the machine halts
};

// Who called: where it goes on, and where its slots begin.
struct Frame {
  std::uint32_t pc = 0;
  std::uint32_t base = 0;
};

struct LiveMachine {
  Phase phase = Phase::kStarting;
  Stage stage = Stage::kHandler;
  bool unwraps_payload = false;         // of the function between two states
  bool target_unwraps_payload = false;  // of the entry of `target`
  MachineId machine{};
  StateId state{};
  std::uint32_t bound = 0;   // place in Code::machines; of a monitor none
  std::uint32_t number = 0;  // as values have it; of a monitor none
  std::uint32_t children = 0;
  std::uint32_t pc = 0, base = 0;
  StateId target{};
  std::uint32_t between = kNowhere;  // FunctionId: the function between two states
  Value carried = Value::null();     // the payload, for that function and the entry
  std::vector<Value> fields = {};
  std::vector<Value> stack = {};
  std::vector<Frame> frames = {};
  std::vector<Message> queue = {};

  bool is_running() const { return phase == Phase::kAtOperation; }
  // Nothing of a handler is left.
  void rest(Phase next) {
    phase = next;
    stage = Stage::kHandler;
    unwraps_payload = target_unwraps_payload = false;
    pc = base = 0;
    target = {};
    between = kNowhere;
    carried = Value::null();
    stack.clear();
    frames.clear();
  }
};

}  // namespace ravel::p
