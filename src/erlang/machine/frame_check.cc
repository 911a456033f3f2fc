#include "erlang/machine/frame_check.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/check.h"
#include "erlang/beam/opcode.h"
#include "erlang/machine/frame_state.h"

namespace ravel::erlang {

namespace {

constexpr std::size_t kAllWords = kRegistersMax / 64;
constexpr std::size_t kDestinationsMax = 2;  // of get_list
using Usages = std::array<OperandUsage, kOpcodeMax + 1>;

const Usages& usages() {
  static const Usages kUsages = [] {
    Usages all;
    for (std::uint32_t number = 1; number <= kOpcodeMax; ++number)
      all[number] = OperandUsage::of(opcode_info(number).signature);
    return all;
  }();
  return kUsages;
}

// The functions whose registers fit sets of kWords words.
template <std::size_t kWords>
class FrameCheck {
 public:
  FrameCheck(const BeamFile& file, std::string_view name)
      : file_(file), name_(name), usages_(usages()), saved_of_label_(file.label_instructions.size(), kNone) {
    // erl_eval's receive, written by hand, calls a fun for each message.
    may_call_in_receive_ = file.module_name() == "prim_eval";
  }

  enum class Verdict : std::uint8_t { kGood, kBad, kTooWide };  // kTooWide: it uses registers that do not fit
  Verdict check(const Function& function);
  const std::string& problem() const { return problem_; }

 private:
  using State = FrameState<kWords>;
  static constexpr std::uint32_t kNone = 0xffffffff;
  struct Saved {
    State state;
    std::uint32_t label = 0;
    bool is_new = false;  // has changed since the code after it was followed
  };

  void follow(std::uint32_t from);
  // Checks one instruction and changes the state accordingly. False: control does not go on after it.
  bool step(const Instruction& instruction);
  bool step_frame(const Instruction& instruction);
  bool step_call(const Instruction& instruction);
  bool step_catch(const Instruction& instruction);
  bool step_receive(const Instruction& instruction);
  void step_generic(const Instruction& instruction);
  void step_match_commands(std::span<const Operand> operands);
  void branch(const Operand& label, const State& state);
  bool take_if_new(std::uint32_t label);
  bool is_exit(const Operand& index) const;

  bool fits(std::size_t number) {
    if (number < kWords * 64) [[likely]]
      return true;
    if (kWords == kAllWords) {
      fail("uses x" + std::to_string(number) + ", which does not exist");
    } else if (verdict_ == Verdict::kGood) {
      verdict_ = Verdict::kTooWide;
    }
    return false;
  }
  void read_x(std::int64_t number) {
    const auto i = static_cast<std::size_t>(number);
    if (!fits(i)) return;
    if (!state_.set.has(i) || (i == 0 && state_.x0_is_nothing)) [[unlikely]]
      fail("reads x" + std::to_string(number) + ", which is not set");
  }
  void read_below(std::int64_t count) {
    if (count > 0 && !fits(static_cast<std::size_t>(count - 1))) return;
    if ((count > 0 && state_.x0_is_nothing) || !state_.set.has_all_below(static_cast<std::size_t>(count)))
        [[unlikely]]
      fail("needs " + std::to_string(count) + " x registers, which are not all set");
  }
  void write_x(std::int64_t number) {
    if (!fits(static_cast<std::size_t>(number))) return;
    state_.set.add(static_cast<std::size_t>(number));
    if (number == 0) state_.x0_is_nothing = false;
  }
  void keep_x(std::int64_t count) {
    state_.set.keep_below(static_cast<std::size_t>(count));
    if (count == 0) state_.x0_is_nothing = false;
  }
  bool has_slot(std::int64_t number) {
    if (number < state_.slots) [[likely]]
      return true;
    fail("uses y" + std::to_string(number) + " outside of its stack frame");
    return false;
  }
  void read(const Operand& operand) {
    if (operand.kind == OperandKind::kX) read_x(operand.value);
    if (operand.kind != OperandKind::kY) return;
    if (!has_slot(operand.value)) return;
    if (state_.catches.has(static_cast<std::size_t>(operand.value))) [[unlikely]]
      fail("reads y" + std::to_string(operand.value) + ", which holds an open catch");
  }
  void write(const Operand& operand) {
    if (operand.kind == OperandKind::kX) write_x(operand.value);
    if (operand.kind != OperandKind::kY) return;
    if (has_slot(operand.value)) state_.catches.remove(static_cast<std::size_t>(operand.value));
  }
  void need_frame() {
    if (state_.frame < 0) [[unlikely]]
      fail("needs a stack frame, and there is none");
  }
  void need_no_frame() {
    if (state_.frame != kNoFrame) [[unlikely]]
      fail("needs that there is no stack frame, and there is one");
  }
  void need_no_receive() {
    if (state_.in_receive && !may_call_in_receive_) [[unlikely]]
      fail("stands in the middle of a receive");
  }
  void make_frame(std::int64_t size) {
    need_no_frame();
    need_no_receive();
    if (size > 0 && !fits(static_cast<std::size_t>(size - 1))) return;
    state_.set_frame(static_cast<std::int32_t>(size));
    state_.catches.clear();
  }
  void drop_frame(std::int64_t size) {
    need_frame();
    need_no_receive();
    if (state_.frame != size) [[unlikely]]
      fail("drops a stack frame of " + std::to_string(size) + " slots, and it has " +
           std::to_string(state_.frame));
    state_.set_frame(kNoFrame);
    state_.catches.clear();
  }
  // A call from a frame comes back with its result in x0 and nothing else.
  void call() {
    need_frame();
    need_no_receive();
    come_back();
  }
  void come_back() {
    keep_x(0);
    write_x(0);
    state_.is_building = false;
  }
  void fail(const std::string& what);

  const BeamFile& file_;
  const std::string_view name_;
  const Usages& usages_;
  bool may_call_in_receive_ = false;
  // Of the function being checked:
  const Function* function_ = nullptr;
  std::vector<std::uint32_t> saved_of_label_;  // index in saved_
  std::vector<Saved> saved_;                   // the state at each label that was reached
  std::size_t new_count_ = 0;                  // of saved_ that are new
  std::uint32_t at_ = 0;
  State state_;
  Verdict verdict_ = Verdict::kGood;
  std::string problem_;
};

template <std::size_t kWords>
void FrameCheck<kWords>::fail(const std::string& what) {
  if (verdict_ != Verdict::kGood) return;
  verdict_ = Verdict::kBad;
  problem_ = std::string(name_) + ": the file is damaged: in the function " +
             file_.atoms[function_->function_atom] + "/" + std::to_string(function_->arity) +
             ", instruction " + std::to_string(at_ - function_->first_instruction + 1) + " (" +
             opcode_info(file_.instructions[at_].opcode).name + ") " + what + ". Compile the module again.";
}

// erlang:error, exit and throw: they are built in and never come back.
template <std::size_t kWords>
bool FrameCheck<kWords>::is_exit(const Operand& index) const {
  const Import& import = file_.imports[static_cast<std::size_t>(index.value)];
  if (file_.atoms[import.module_atom] != "erlang") return false;
  const std::string& name = file_.atoms[import.function_atom];
  return (name == "error" && import.arity >= 1 && import.arity <= 3) ||
         ((name == "exit" || name == "throw") && import.arity == 1);
}

template <std::size_t kWords>
typename FrameCheck<kWords>::Verdict FrameCheck<kWords>::check(const Function& function) {
  function_ = &function;
  for (const Saved& saved : saved_) saved_of_label_[saved.label] = kNone;
  saved_.clear();
  new_count_ = 0;
  state_ = State{};
  verdict_ = Verdict::kGood;
  for (std::uint32_t i = 0; i < function.arity; ++i) write_x(i);
  follow(function.entry_instruction);
  while (new_count_ > 0 && verdict_ == Verdict::kGood) {
    // Only what is jumped to backwards is left, at least the head of the function.
    std::uint32_t first = function.end_instruction;
    for (const Saved& saved : saved_)
      if (saved.is_new) first = std::min(first, file_.label_instructions[saved.label]);
    take_if_new(static_cast<std::uint32_t>(file_.operands_of(file_.instructions[first])[0].value));
    follow(first + 1);
  }
  return verdict_;
}

// Makes the state at a label the current one, unless the code after it was followed with that already.
template <std::size_t kWords>
bool FrameCheck<kWords>::take_if_new(std::uint32_t label) {
  const std::uint32_t known = saved_of_label_[label];
  if (known == kNone || !saved_[known].is_new) return false;
  saved_[known].is_new = false;
  --new_count_;
  state_ = saved_[known].state;
  return true;
}

// Goes on from an instruction to the end of the function: over all code that what came before leads to.
template <std::size_t kWords>
void FrameCheck<kWords>::follow(std::uint32_t from) {
  bool is_alive = true;
  for (std::uint32_t at = from; at < function_->end_instruction; ++at) {
    const Instruction& instruction = file_.instructions[at];
    at_ = at;
    if (instruction.opcode == Opcode::kLabel) {
      const Operand& number = file_.operands_of(instruction)[0];
      if (is_alive) branch({number.value, OperandKind::kLabel}, state_);
      is_alive = take_if_new(static_cast<std::uint32_t>(number.value));
    } else if (is_alive) {
      is_alive = step(instruction);
      if (verdict_ != Verdict::kGood) return;
    } else if (new_count_ == 0) {
      return;
    }
  }
  if (is_alive) fail("lets the control run past the end of the function");
}

// The state is one of those with which a label is reached.
template <std::size_t kWords>
void FrameCheck<kWords>::branch(const Operand& label, const State& state) {
  const auto number = static_cast<std::uint32_t>(label.value);
  const std::uint32_t target = file_.label_instructions[number];
  if (target < function_->first_instruction || target >= function_->end_instruction)
    return fail("jumps into another function");
  std::uint32_t& known = saved_of_label_[number];
  if (known == kNone) {
    known = static_cast<std::uint32_t>(saved_.size());
    saved_.push_back({.state = state, .label = number, .is_new = true});
    ++new_count_;
  } else if (saved_[known].state.join(state) && !saved_[known].is_new) {
    saved_[known].is_new = true;
    ++new_count_;
  }
}

template <std::size_t kWords>
bool FrameCheck<kWords>::step(const Instruction& instruction) {
  const auto operands = file_.operands_of(instruction);
  switch (instruction.opcode) {
    case Opcode::kLine:
    case Opcode::kOnLoad:
    case Opcode::kNifStart:
    case Opcode::kExecutableLine:
    case Opcode::kDebugLine:
    case Opcode::kFclearerror:
    case Opcode::kFcheckerror:
    case Opcode::kRecvMark:  // the label is of the receive that is meant
    case Opcode::kRecvSet: return true;
    case Opcode::kFuncInfo:
      need_no_frame();
      read_below(function_->arity);
      return false;

    case Opcode::kAllocate:
    case Opcode::kAllocateZero:
    case Opcode::kAllocateHeap:
    case Opcode::kAllocateHeapZero:
    case Opcode::kDeallocate:
    case Opcode::kTrim: return step_frame(instruction);

    case Opcode::kCallExt:
    case Opcode::kCall:
    case Opcode::kCallFun:
    case Opcode::kCallFun2:
    case Opcode::kApply:
    case Opcode::kCallExtLast:
    case Opcode::kCallLast:
    case Opcode::kApplyLast:
    case Opcode::kCallExtOnly:
    case Opcode::kCallOnly:
    case Opcode::kReturn:
    case Opcode::kSend: return step_call(instruction);

    case Opcode::kJump:
    case Opcode::kSelectVal:
    case Opcode::kSelectTupleArity:
    case Opcode::kBadmatch:
    case Opcode::kCaseEnd:
    case Opcode::kTryCaseEnd:
    case Opcode::kBadrecord:
    case Opcode::kRaise:
    case Opcode::kIfEnd: step_generic(instruction); return false;

    case Opcode::kCatch:
    case Opcode::kTry:
    case Opcode::kCatchEnd:
    case Opcode::kTryCase:
    case Opcode::kRawRaise:
    case Opcode::kBuildStacktrace: return step_catch(instruction);

    case Opcode::kLoopRec:
    case Opcode::kLoopRecEnd:
    case Opcode::kRemoveMessage:
    case Opcode::kWait:
    case Opcode::kWaitTimeout:
    case Opcode::kTimeout: return step_receive(instruction);

    case Opcode::kMove:
    case Opcode::kFmove:
      read(operands[0]);
      write(operands[1]);
      return true;
    case Opcode::kSwap:
      read(operands[0]);
      read(operands[1]);
      return true;
    case Opcode::kMakeFun2:
      read_below(file_.lambdas[static_cast<std::size_t>(operands[0].value)].free_count);
      write_x(0);
      return true;
    case Opcode::kBsInitWritable: read_x(0); return true;
    case Opcode::kBsPutInteger:
    case Opcode::kBsPutBinary:
    case Opcode::kBsPutFloat:
    case Opcode::kBsPutString:
    case Opcode::kBsPutUtf8:
    case Opcode::kBsPutUtf16:
    case Opcode::kBsPutUtf32:
      if (!state_.is_building) fail("adds to a binary that nothing has begun");
      step_generic(instruction);
      return true;
    case Opcode::kBsInit2:
    case Opcode::kBsInitBits:
    case Opcode::kBsAppend:
    case Opcode::kBsPrivateAppend:
      step_generic(instruction);
      state_.is_building = true;
      return true;
    case Opcode::kBsMatch: step_match_commands(operands); return true;
    default: step_generic(instruction); return true;
  }
}

// Making and dropping frames.
template <std::size_t kWords>
bool FrameCheck<kWords>::step_frame(const Instruction& instruction) {
  const auto operands = file_.operands_of(instruction);
  switch (instruction.opcode) {
    case Opcode::kAllocate:
    case Opcode::kAllocateZero:
    case Opcode::kAllocateHeap:
    case Opcode::kAllocateHeapZero:
      step_generic(instruction);
      make_frame(operands[0].value);
      return true;
    case Opcode::kDeallocate: drop_frame(operands[0].value); return true;
    case Opcode::kTrim: {
      const std::int64_t dropped = operands[0].value, left = operands[1].value;
      need_frame();
      need_no_receive();
      if (state_.frame != dropped + left) {
        fail("leaves " + std::to_string(left) + " of " + std::to_string(state_.frame) +
             " slots by dropping " + std::to_string(dropped));
      }
      state_.catches.remove_below(static_cast<std::size_t>(dropped));
      if (!state_.catches.is_empty()) fail("moves an open catch");
      state_.set_frame(static_cast<std::int32_t>(left));
      return true;
    }
    default: CHECK(false);
  }
  return false;
}

// Calls, and what ends as one.
template <std::size_t kWords>
bool FrameCheck<kWords>::step_call(const Instruction& instruction) {
  const auto operands = file_.operands_of(instruction);
  switch (instruction.opcode) {
    case Opcode::kCallExt:
      if (is_exit(operands[1])) {
        read_below(operands[0].value);
        return false;
      }
      [[fallthrough]];
    case Opcode::kCall:
      read_below(operands[0].value);
      call();
      return true;
    case Opcode::kCallFun:
      read_below(operands[0].value + 1);
      call();
      return true;
    case Opcode::kCallFun2:
      read_below(operands[1].value);
      read(operands[2]);
      call();
      return true;
    case Opcode::kApply:
      read_below(operands[0].value + 2);
      call();
      return true;
    case Opcode::kCallExtLast:
      // What is written about the frame of a call that raises an exception is not always right.
      if (is_exit(operands[1])) {
        read_below(operands[0].value);
        return false;
      }
      [[fallthrough]];
    case Opcode::kCallLast:
      read_below(operands[0].value);
      drop_frame(operands[2].value);
      return false;
    case Opcode::kApplyLast:
      read_below(operands[0].value + 2);
      drop_frame(operands[1].value);
      return false;
    case Opcode::kCallExtOnly:
      if (is_exit(operands[1])) {
        read_below(operands[0].value);
        return false;
      }
      [[fallthrough]];
    case Opcode::kCallOnly:
      read_below(operands[0].value);
      need_no_frame();
      need_no_receive();
      return false;
    case Opcode::kReturn:
      read_x(0);
      need_no_frame();
      need_no_receive();
      return false;
    case Opcode::kSend:  // may be where the process waits, as before a call
      read_below(2);
      need_no_receive();
      come_back();
      return true;
    default: CHECK(false);
  }
  return false;
}

// Catching exceptions, and raising them again.
template <std::size_t kWords>
bool FrameCheck<kWords>::step_catch(const Instruction& instruction) {
  const auto operands = file_.operands_of(instruction);
  switch (instruction.opcode) {
    case Opcode::kCatch:
    case Opcode::kTry: {
      const auto slot = static_cast<std::size_t>(operands[0].value);
      if (!has_slot(operands[0].value)) return false;
      // An exception goes to the catch in the lowest slot: inner ones must be lower.
      if (state_.catches.has_any_below(slot + 1)) fail("opens a catch inside of one in a lower slot");
      state_.catches.add(slot);
      State caught = state_;
      caught.in_receive = caught.has_message = caught.is_building = false;
      caught.set.clear();
      for (std::size_t x = 0; x < 4; ++x) caught.set.add(x);
      caught.x0_is_nothing = true;
      branch(operands[1], caught);
      return true;
    }
    // A call that never comes back may stand before the next two; then the paths to them have only x0 in
    // common, and they look at it.
    case Opcode::kCatchEnd:
      write(operands[0]);
      if (!state_.set.has(0)) fail("reads x0, which is not set");
      come_back();
      return true;
    case Opcode::kTryCase:
      write(operands[0]);
      if (!state_.set.has(0)) fail("reads x0, which is not set");
      come_back();
      write_x(1);
      write_x(2);
      return true;
    case Opcode::kRawRaise:
      read_below(3);
      write_x(0);
      return true;
    case Opcode::kBuildStacktrace:
      read_x(0);
      keep_x(1);
      return true;
    default: CHECK(false);
  }
  return false;
}

// Looking at messages, and waiting for them.
template <std::size_t kWords>
bool FrameCheck<kWords>::step_receive(const Instruction& instruction) {
  const auto operands = file_.operands_of(instruction);
  switch (instruction.opcode) {
    // A process that waits keeps no x register, and goes on at loop_rec.
    case Opcode::kLoopRec:
      keep_x(0);
      state_.in_receive = true;
      state_.has_message = false;
      branch(operands[0], state_);
      state_.has_message = true;
      write(operands[1]);
      return true;
    case Opcode::kLoopRecEnd:
      if (!state_.has_message) fail("leaves a message, and there is none");
      state_.has_message = false;
      branch(operands[0], state_);
      return false;
    case Opcode::kRemoveMessage:
      if (!state_.has_message) fail("takes a message, and there is none");
      state_.in_receive = state_.has_message = false;
      return true;
    case Opcode::kWait: return false;
    case Opcode::kWaitTimeout:
      read(operands[1]);
      keep_x(0);
      return true;
    case Opcode::kTimeout:
      keep_x(0);
      state_.in_receive = state_.has_message = false;
      return true;
    default: CHECK(false);
  }
  return false;
}

// An instruction that reads, may jump to a label instead, and writes, as its signature says.
template <std::size_t kWords>
void FrameCheck<kWords>::step_generic(const Instruction& instruction) {
  const auto operands = file_.operands_of(instruction);
  const OperandUsage& usage = usages_[static_cast<std::size_t>(instruction.opcode)];
  const Operand* destinations[kDestinationsMax] = {};
  std::size_t destination_count = 0;
  const std::size_t fixed = std::min<std::size_t>(operands.size(), usage.list_at);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Operand& operand = operands[i];
    if (operand.kind == OperandKind::kX || operand.kind == OperandKind::kY) {
      if (!usage.writes(i)) {
        read(operand);
      } else if (i < fixed) {
        destinations[destination_count++] = &operand;
      }
    } else if (operand.kind == OperandKind::kLabel) {
      branch(operand, state_);
    }
  }
  if (usage.live_at < operands.size()) {
    const std::int64_t live = operands[usage.live_at].value;
    read_below(live);
    keep_x(live);
    state_.is_building = false;
  }
  for (std::size_t k = 0; k < destination_count; ++k) write(*destinations[k]);
  if (usage.list_written == 0) return;
  for (std::size_t i = fixed + 1; i < operands.size(); ++i)
    if (usage.writes(i)) write(operands[i]);
}

// The registers among the commands of bs_match are written; commands that make a term say how many live.
template <std::size_t kWords>
void FrameCheck<kWords>::step_match_commands(std::span<const Operand> operands) {
  if (operands[0].kind == OperandKind::kLabel) branch(operands[0], state_);
  read(operands[1]);
  const auto is_register = [](const Operand& operand) {
    return operand.kind == OperandKind::kX || operand.kind == OperandKind::kY;
  };
  const std::span<const Operand> list = operands.subspan(3);
  for (std::size_t i = 0; i < list.size();) {
    std::size_t end = i + 1;
    while (end < list.size() && list[end].kind != OperandKind::kAtom) ++end;
    if (is_register(list[end - 1])) {
      for (std::size_t k = i + 2; k + 1 < end; ++k) read(list[k]);  // a size
      read_below(list[i + 1].value);
      keep_x(list[i + 1].value);
      read(operands[1]);
      write(list[end - 1]);
    }
    i = end;
  }
}

}  // namespace

Status check_frames(const BeamFile& file, std::string_view name_for_messages) {
  FrameCheck<1> narrow(file, name_for_messages);
  std::optional<FrameCheck<kAllWords>> wide;
  for (const Function& function : file.functions) {
    switch (narrow.check(function)) {
      case FrameCheck<1>::Verdict::kGood: continue;
      case FrameCheck<1>::Verdict::kBad: return Error{narrow.problem()};
      case FrameCheck<1>::Verdict::kTooWide: break;
    }
    if (!wide) wide.emplace(file, name_for_messages);
    const auto verdict = wide->check(function);
    if (verdict == FrameCheck<kAllWords>::Verdict::kBad) return Error{wide->problem()};
    CHECK(verdict == FrameCheck<kAllWords>::Verdict::kGood);
  }
  return Success{};
}

}  // namespace ravel::erlang
