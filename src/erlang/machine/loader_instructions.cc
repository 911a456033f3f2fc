// The loader's translation of each BEAM instruction (loader.h): which one is translated how, and what is
// neither in the table of rows (instruction_rows.h) nor about terms (loader_terms.cc).
#include <algorithm>
#include <optional>

#include "base/check.h"
#include "erlang/machine/instruction_rows.h"
#include "erlang/machine/loader.h"
#include "erlang/machine/loader_operands.h"
#include "erlang/machine/machine.h"
#include "erlang/machine/preloaded_modules.h"
#include "erlang/term/release.h"

namespace ravel::erlang {

std::size_t Loader::translate_instruction(std::size_t i) {
  const Instruction& instruction = file_.instructions[i];
  const Operands operands = file_.operands_of(instruction);
  const Opcode opcode = instruction.opcode;
  switch (opcode) {
    case Opcode::kLabel: labels_[number(operands[0])] = static_cast<std::uint32_t>(out_.size()); return 1;
    case Opcode::kLine: note_line(operands); return 1;
    case Opcode::kOnLoad: on_load_ = static_cast<std::uint32_t>(out_.size()); return 1;
    case Opcode::kFuncInfo:
      begin(Op::function_clause, arity_);
      word(module_->name.bits());
      word(function_.bits());
      return 1;
    case Opcode::kIntCodeEnd:
    case Opcode::kNifStart:
    case Opcode::kExecutableLine:
    case Opcode::kDebugLine:
    case Opcode::kFclearerror:
    case Opcode::kFcheckerror:
    case Opcode::kRecvMark:
    case Opcode::kRecvSet:
    case Opcode::kRecvMarkerBind:
    case Opcode::kRecvMarkerClear:
    case Opcode::kRecvMarkerUse:
      return 1;  // nothing to do

    // What may become one with the instructions after it.
    case Opcode::kMove: return translate_move(i);
    case Opcode::kDeallocate: return translate_deallocate(i);
    case Opcode::kCallFun:
    case Opcode::kCallFun2: return translate_call_fun(i);
    case Opcode::kGetTupleElement: return translate_get_tuple_element(i);
    case Opcode::kIsNonemptyList:
      if (fuse_with_get_list(i)) return 2;
      break;
    case Opcode::kIsTuple:
      if (fuse_with_test_arity(i)) return 2;
      break;

    case Opcode::kRecvMarkerReserve: translate_nil_to(operands[0]); return 1;
    case Opcode::kInitYregs: translate_init_yregs(i); return 1;
    case Opcode::kCallExt:
    case Opcode::kCallExtLast:
    case Opcode::kCallExtOnly: translate_call_ext(opcode, operands); return 1;
    case Opcode::kBif0: translate_bif(operands, 0, false, false); return 1;
    case Opcode::kBif1: translate_bif(operands, 1, true, false); return 1;
    case Opcode::kBif2: translate_bif(operands, 2, true, false); return 1;
    case Opcode::kBif3: translate_bif(operands, 3, true, false); return 1;
    case Opcode::kGcBif1: translate_bif(operands, 1, true, true); return 1;
    case Opcode::kGcBif2: translate_bif(operands, 2, true, true); return 1;
    case Opcode::kGcBif3: translate_bif(operands, 3, true, true); return 1;
    case Opcode::kIsLt:
    case Opcode::kIsGe:
    case Opcode::kIsEq:
    case Opcode::kIsNe:
    case Opcode::kIsEqExact:
    case Opcode::kIsNeExact: translate_comparison(opcode, operands); return 1;
    case Opcode::kSelectVal: translate_select(operands); return 1;
    case Opcode::kSelectTupleArity: translate_select_arity(operands); return 1;
    case Opcode::kGetList: translate_get_list(operands); return 1;
    case Opcode::kPutList: translate_put_list(operands); return 1;
    case Opcode::kPutTuple2: translate_put_tuple(operands); return 1;
    case Opcode::kUpdateRecord: translate_update_record(operands); return 1;
    case Opcode::kPutMapAssoc:
    case Opcode::kPutMapExact: translate_put_map(opcode, operands); return 1;
    case Opcode::kHasMapFields:
    case Opcode::kGetMapElements: translate_map_fields(opcode, operands); return 1;
    case Opcode::kMakeFun2:
    case Opcode::kMakeFun3: translate_make_fun(opcode, operands); return 1;
    case Opcode::kFmove: translate_float_move(operands); return 1;
    case Opcode::kBsMatch: translate_match_commands(operands); return 1;
    case Opcode::kBsMatchString: translate_match_string(operands); return 1;
    case Opcode::kBsCreateBin: translate_create_binary(operands); return 1;
    case Opcode::kBsPutString: translate_put_string(operands); return 1;
    case Opcode::kIsAnyNativeRecord:
    case Opcode::kIsNativeRecord:
    case Opcode::kGetRecordElements:
    case Opcode::kPutRecord:
    case Opcode::kIsRecordAccessible:
    case Opcode::kGetRecordField: translate_native_record(opcode, operands); return 1;
    default: break;
  }
  const InstructionRow* const row = find_instruction_row(opcode);
  CHECK_MESSAGE(row != nullptr, "the reader lets only instructions pass here that can be loaded");
  translate_row(*row, operands);
  return 1;
}

void Loader::translate_row(const InstructionRow& row, Operands operands) {
  Op op = row.op;
  const auto half = [&](const Part& part) -> std::uint64_t {
    switch (part.kind) {
      case PartKind::kNumber: return number(operands[part.operand]);
      case PartKind::kNumberAndOne: return number(operands[part.operand]) + 1;
      case PartKind::kRegister: return reg(operands[part.operand]);
      case PartKind::kTested: {
        const std::uint16_t in = in_register(operands[part.operand], 0);
        if ((in & kYBit) != 0) op = static_cast<Op>(static_cast<std::uint16_t>(op) + 1);
        return in & ~kYBit;
      }
      default: return 0;
    }
  };
  const std::uint64_t a = half(row.a), b = half(row.b);
  begin(op, a, b);
  for (const Part& part : row.words) {
    if (part.kind == PartKind::kNothing) return;
    add_part(part, operands);
  }
}

// A word after the head of an instruction.
void Loader::add_part(const Part& part, Operands operands) {
  const Operand& operand = operands[part.operand];
  switch (part.kind) {
    case PartKind::kNumber: word(number(operand)); break;
    case PartKind::kSource: word(source(operand)); break;
    case PartKind::kConstant: word(constant(operand).bits()); break;
    case PartKind::kJump: jump_word(operand); break;
    case PartKind::kHandler:
      fixups_.push_back({static_cast<std::uint32_t>(out_.size()), start_,
                         static_cast<std::uint32_t>(operand.value), Fixup::How::kCatch});
      word(0);
      break;
    case PartKind::kHeapWords: word(heap_words(operand)); break;
    case PartKind::kTupleHeader: word(make_header(Kind::kTuple, number(operand)).bits()); break;
    case PartKind::kTwoNumbers: {
      CodeWord both{};
      both.quad.a = static_cast<std::uint16_t>(operand.value);
      both.quad.b = static_cast<std::uint16_t>(operands[part.operand + std::size_t{1}].value);
      out_.push_back(both);
      break;
    }
    case PartKind::kNil: word(Term::nil().bits()); break;
    case PartKind::kUnitAndFlags:
      halves(operand.value, bit_flags(operands[part.operand + std::size_t{1}]));
      break;
    case PartKind::kUnitOfContinued: halves(1, operand.value); break;
    case PartKind::kZeroAndFlags: halves(0, bit_flags(operand)); break;
    case PartKind::kFlags: word(bit_flags(operand)); break;
    default: CHECK_MESSAGE(false, "a row has a half of a head among its words");
  }
}

void Loader::halves(std::int64_t low, std::int64_t high) {
  CodeWord both{};
  both.pair = {static_cast<std::int32_t>(low), static_cast<std::int32_t>(high)};
  out_.push_back(both);
}

// Null if it is the last one.
const Instruction* Loader::instruction_after(std::size_t i) const {
  return i + 1 < file_.instructions.size() ? &file_.instructions[i + 1] : nullptr;
}

void Loader::note_line(Operands operands) {
  if (is_preloaded(file_.module_name())) return;
  const LineItem& item = file_.lines.items[number(operands[0])];
  module_->lines.push_back({static_cast<std::uint32_t>(out_.size()), item.line, item.file});
}

std::size_t Loader::translate_move(std::size_t i) {
  const Operands one = file_.operands_of(file_.instructions[i]);
  const Operand &from = one[0], &to = one[1];
  if (is_register(from)) {
    // Two moves of the same shape become one, unless the second reads what the first writes.
    if (is_x(from) || is_x(to)) {
      if (i + 1 < file_.instructions.size() && file_.instructions[i + 1].opcode == Opcode::kMove) {
        const Operands two = file_.operands_of(file_.instructions[i + 1]);
        if (two[0].kind == from.kind && two[1].kind == to.kind && two[0] != to) {
          begin(is_y(from) ? Op::move2_yx : is_y(to) ? Op::move2_xy : Op::move2_xx, number(from), number(to));
          CodeWord second{};
          second.quad.a = static_cast<std::uint16_t>(two[0].value);
          second.quad.b = static_cast<std::uint16_t>(two[1].value);
          out_.push_back(second);
          return 2;
        }
      }
    }
    const Op op =
        is_x(from) ? (is_x(to) ? Op::move_xx : Op::move_xy) : (is_x(to) ? Op::move_yx : Op::move_yy);
    begin(op, number(from), number(to));
    return 1;
  }
  const Term value = constant(from);
  begin(is_x(to) ? Op::move_cx : Op::move_cy, 0, number(to));
  word(value.bits());
  return 1;
}

void Loader::translate_comparison(Opcode opcode, Operands operands) {
  const Operand& fail = operands[0];
  const Operand* left = &operands[1];
  const Operand* right = &operands[2];
  const auto is_immediate = [&](const Operand& operand) {
    return !is_register(operand) && constant(operand).is_immediate();
  };
  if (opcode == Opcode::kIsEqExact || opcode == Opcode::kIsNeExact) {
    if (!is_register(*left)) std::swap(left, right);
    if (is_register(*left) && is_immediate(*right)) {
      const bool is_eq = opcode == Opcode::kIsEqExact;
      if (is_x(*left)) {
        begin(is_eq ? Op::is_eq_exact_xc : Op::is_ne_exact_xc, number(*left));
      } else if (is_eq) {
        begin(Op::is_eq_exact_yc, number(*left));
      } else {
        const std::uint16_t in = in_x(*left, 0);
        begin(Op::is_ne_exact_xc, in);
      }
      jump_word(fail);
      word(constant(*right).bits());
      return;
    }
  }
  const bool both_x = is_x(*left) && is_x(*right);
  std::optional<Op> xx;
  Op general{};
  switch (opcode) {
    case Opcode::kIsLt:
      general = Op::is_lt;
      xx = Op::is_lt_xx;
      break;
    case Opcode::kIsGe:
      general = Op::is_ge;
      xx = Op::is_ge_xx;
      break;
    case Opcode::kIsEqExact:
      general = Op::is_eq_exact;
      xx = Op::is_eq_exact_xx;
      break;
    case Opcode::kIsNeExact: general = Op::is_ne_exact; break;
    case Opcode::kIsEq: general = Op::is_eq; break;
    default: general = Op::is_ne; break;
  }
  if (both_x && xx) {
    begin(*xx, number(*left), number(*right));
    jump_word(fail);
    return;
  }
  const bool is_ordering = opcode == Opcode::kIsLt || opcode == Opcode::kIsGe;
  if (is_ordering && is_x(*left) && is_small_integer(*right)) {
    begin(opcode == Opcode::kIsLt ? Op::is_lt_xc : Op::is_ge_xc, number(*left));
    jump_word(fail);
    word(constant(*right).bits());
    return;
  }
  if (is_ordering && is_small_integer(*left) && is_x(*right)) {
    begin(opcode == Opcode::kIsLt ? Op::is_lt_cx : Op::is_ge_cx, number(*right));
    jump_word(fail);
    word(constant(*left).bits());
    return;
  }
  const std::uint64_t left_word = source(*left), right_word = source(*right);
  begin(general);
  jump_word(fail);
  word(left_word);
  word(right_word);
}

void Loader::translate_select(Operands operands) {
  const Operands list = operands.subspan(3);
  struct Case {
    Term value;
    std::uint32_t label;
  };
  std::vector<Case> cases;
  bool all_immediate = true, all_small = true;
  for (std::size_t i = 0; i + 1 < list.size(); i += 2) {
    cases.push_back({constant(list[i]), static_cast<std::uint32_t>(list[i + 1].value)});
    all_immediate = all_immediate && cases.back().value.is_immediate();
    all_small = all_small && cases.back().value.is_small();
  }
  const std::uint16_t in = in_x(operands[0], 0);
  if (!all_immediate) {
    for (const Case& one : cases) {
      begin(Op::is_ne_exact);
      jump_word(one.label);
      word(x_operand(in));
      word(one.value.bits());
    }
    begin(Op::jump);
    jump_word(operands[1]);
    return;
  }
  if (all_small && cases.size() >= 4) {
    const auto [least, most] =
        std::ranges::minmax(cases, {}, [](const Case& c) { return c.value.small_value(); });
    const std::int64_t low = least.value.small_value();
    const auto width = static_cast<std::uint64_t>(most.value.small_value() - low) + 1;
    if (width <= cases.size() * 4 && width < 4096) {
      begin(Op::select_table, in, width);
      jump_word(operands[1]);
      word(static_cast<std::uint64_t>(low));
      const std::size_t first = out_.size();
      for (std::uint64_t k = 0; k < (width + 1) / 2; ++k) word(0);
      std::vector<std::uint32_t> labels(width, static_cast<std::uint32_t>(operands[1].value));
      for (const Case& one : cases)
        labels[static_cast<std::size_t>(one.value.small_value() - low)] = one.label;
      for (std::uint64_t k = 0; k < width; ++k) jump_half(first + k / 2, static_cast<int>(k % 2), labels[k]);
      return;
    }
  }
  const bool is_linear = cases.size() <= 6;
  if (!is_linear) std::ranges::sort(cases, {}, [](const Case& c) { return c.value.bits(); });
  begin(is_linear ? Op::select_linear : Op::select_binary, in, cases.size());
  jump_word(operands[1]);
  for (const Case& one : cases) word(one.value.bits());
  const std::size_t first = out_.size();
  for (std::size_t k = 0; k < cases.size(); ++k) word(0);
  for (std::size_t k = 0; k < cases.size(); ++k) jump_half(first + k, 0, cases[k].label);
}

void Loader::translate_select_arity(Operands operands) {
  const Operands list = operands.subspan(3);
  const std::uint16_t in = in_x(operands[0], 0);
  const std::size_t count = list.size() / 2;
  begin(Op::select_arity, in, count);
  jump_word(operands[1]);
  for (std::size_t k = 0; k < count; ++k) word(make_header(Kind::kTuple, number(list[2 * k])).bits());
  const std::size_t first = out_.size();
  for (std::size_t k = 0; k < count; ++k) word(0);
  for (std::size_t k = 0; k < count; ++k)
    jump_half(first + k, 0, static_cast<std::uint32_t>(list[2 * k + 1].value));
}

void Loader::translate_call_ext(Opcode opcode, Operands operands) {
  const std::uint64_t arity = number(operands[0]);
  const Export* target = imports_[number(operands[1])];
  if (target->builtin != nullptr) {
    // As in OTP, the frame stays during the call, so that the caller is in the stack trace.
    if (opcode == Opcode::kCallExtOnly) begin(Op::allocate, 0);
    begin(is_operation(target->builtin->effect) ? Op::call_operation : Op::call_builtin, arity);
    pointer(target->builtin);
    if (opcode != Opcode::kCallExt) begin(Op::deallocate_return);
    return;
  }
  if (const auto special = machine_.code.special_body(target->module, target->function, target->arity);
      special == Op::apply_body || special == Op::apply_fun_body) {
    const CallKind kind = opcode == Opcode::kCallExt       ? CallKind::kInner
                          : opcode == Opcode::kCallExtLast ? CallKind::kLast
                                                           : CallKind::kOnly;
    begin(special == Op::apply_body ? Op::apply_call : Op::apply_fun_call, 0,
          static_cast<std::uint64_t>(kind));
    return;
  }
  switch (opcode) {
    case Opcode::kCallExt: begin(Op::call_ext); break;
    case Opcode::kCallExtOnly: begin(Op::call_ext_only); break;
    default: begin(Op::call_ext_last); break;
  }
  pointer(target);
}

void Loader::translate_arithmetic(const Builtin& builtin, const Operand& fail, std::uint16_t to,
                                  const Operand& left, const Operand& right, bool& done) {
  struct Row {
    std::string_view name;
    Op general;
    std::optional<Op> xc, xx;
  };
  static constexpr Row kRows[] = {
      {"+", Op::add, Op::add_xc, Op::add_xx},
      {"-", Op::subtract, Op::subtract_xc, Op::subtract_xx},
      {"*", Op::multiply, {}, {}},
      {"div", Op::integer_divide, {}, {}},
      {"rem", Op::remainder, {}, {}},
      {"band", Op::bit_and, {}, {}},
      {"bor", Op::bit_or, {}, {}},
      {"bxor", Op::bit_xor, {}, {}},
      {"bsl", Op::shift_left, {}, {}},
      {"bsr", Op::shift_right, {}, {}},
      {"element", Op::element, {}, {}},
  };
  const auto row = std::ranges::find(kRows, builtin.name, &Row::name);
  done = builtin.module == "erlang" && row != std::end(kRows);
  if (!done) return;
  const bool to_x = (to & kYBit) == 0;
  const std::uint64_t left_word = source(left), right_word = source(right);
  if (row->xc && to_x && is_x(left) && is_small_integer(right)) {
    begin(*row->xc, to, number(left));
  } else if (row->xx && to_x && is_x(left) && is_x(right)) {
    begin(*row->xx, to, number(left));
  } else {
    begin(row->general, to);
  }
  const bool is_increment = fail.kind == OperandKind::kNoLabel && row->xc &&
                            ((is_register(left) && is_small_integer(right)) ||
                             (builtin.name == "+" && is_small_integer(left) && is_register(right)));
  pointer(is_increment && !installed_release().explains_increments ? nullptr : &builtin);
  word(left_word);
  word(right_word);
  jump_word(fail);
}

void Loader::translate_bif(Operands operands, std::size_t sources, bool has_fail, bool has_live) {
  std::size_t at = 0;
  const Operand no_label{.value = 0, .kind = OperandKind::kNoLabel};
  const Operand& fail = has_fail ? operands[at++] : no_label;
  if (has_live) ++at;
  const Import& import = file_.imports[number(operands[at])];
  const Export* target = imports_[number(operands[at++])];
  const std::uint16_t to = reg(operands[at + sources]);
  const Builtin* builtin = target->builtin;
  if (builtin == nullptr) {
    // A guard function of a later release: calling it is an error of the call, not of the file.
    builtin =
        machine_.code.missing_builtin(atom(import.module_atom), atom(import.function_atom), import.arity);
  }
  if (sources == 0 && builtin->module == "erlang" && builtin->name == "self") return begin(Op::self, to);
  if (sources == 2) {
    bool done = false;
    translate_arithmetic(*builtin, fail, to, operands[at], operands[at + 1], done);
    if (done) return;
  }
  std::uint64_t words[3] = {};
  for (std::size_t k = 0; k < sources; ++k) words[k] = source(operands[at + k]);
  constexpr Op kOps[] = {Op::bif0, Op::bif1, Op::bif2, Op::bif3};
  begin(kOps[sources], to);
  pointer(builtin);
  for (std::size_t k = 0; k < sources; ++k) word(words[k]);
  if (sources > 0) jump_word(fail);
}

std::size_t Loader::translate_deallocate(std::size_t i) {
  const Instruction* const next = instruction_after(i);
  const bool returns = next != nullptr && next->opcode == Opcode::kReturn;
  begin(returns ? Op::deallocate_return : Op::deallocate);
  return returns ? 2 : 1;
}

std::size_t Loader::translate_call_fun(std::size_t i) {
  const Instruction& instruction = file_.instructions[i];
  const Operands operands = file_.operands_of(instruction);
  const bool names_fun = instruction.opcode == Opcode::kCallFun2;
  const std::uint64_t arity = number(operands[names_fun ? 1 : 0]);
  if (names_fun) {
    const Operand& fun = operands[2];
    if (is_y(fun)) {
      begin(Op::move_yx, number(fun), arity);
    } else if (!is_x(fun)) {
      const Term value = constant(fun);
      begin(Op::move_cx, 0, arity);
      word(value.bits());
    } else if (number(fun) != arity) {
      begin(Op::move_xx, number(fun), arity);
    }
  }
  // The compiler has no instruction for calling a fun last; OTP's loader makes one of these three.
  const bool is_last = i + 2 < file_.instructions.size() &&
                       file_.instructions[i + 1].opcode == Opcode::kDeallocate &&
                       file_.instructions[i + 2].opcode == Opcode::kReturn;
  begin(is_last ? Op::call_fun_last : Op::call_fun, arity);
  return is_last ? 3 : 1;
}

void Loader::translate_nil_to(const Operand& to) {
  begin(is_y(to) ? Op::move_cy : Op::move_cx, 0, number(to));
  word(Term::nil().bits());
}

void Loader::translate_init_yregs(std::size_t i) {
  // A new frame holds [] already.
  const bool is_after_allocate = i > 0 && (file_.instructions[i - 1].opcode == Opcode::kAllocate ||
                                           file_.instructions[i - 1].opcode == Opcode::kAllocateHeap);
  if (is_after_allocate) return;
  for (const Operand& slot : file_.operands_of(file_.instructions[i]).subspan(1)) translate_nil_to(slot);
}

bool Loader::fuse_with_get_list(std::size_t i) {
  const Operands operands = file_.operands_of(file_.instructions[i]);
  const Instruction* const next = instruction_after(i);
  if (next == nullptr || next->opcode != Opcode::kGetList || !is_x(operands[1])) return false;
  const Operands parts = file_.operands_of(*next);
  if (parts[0] != operands[1]) return false;
  begin(Op::is_nonempty_list_get_list, number(operands[1]));
  const std::size_t at = out_.size();
  jump_word(operands[0]);
  out_[at].quad.c = reg(parts[1]);
  out_[at].quad.d = reg(parts[2]);
  return true;
}

bool Loader::fuse_with_test_arity(std::size_t i) {
  const Operands operands = file_.operands_of(file_.instructions[i]);
  const Instruction* const next = instruction_after(i);
  if (next == nullptr || next->opcode != Opcode::kTestArity || !is_register(operands[1])) return false;
  const Operands arity = file_.operands_of(*next);
  if (arity[0] != operands[0] || arity[1] != operands[1] || arity[2].value >= 65536) return false;
  begin(is_y(operands[1]) ? Op::is_tuple_of_arity_y : Op::is_tuple_of_arity_x, number(operands[1]),
        number(arity[2]));
  jump_word(operands[0]);
  return true;
}

}  // namespace ravel::erlang
