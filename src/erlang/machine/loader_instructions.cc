// The loader's translation of each BEAM instruction (loader.h).
#include <algorithm>
#include <optional>

#include "erlang/machine/loader.h"
#include "erlang/machine/machine.h"
#include "erlang/machine/preloaded_modules.h"
#include "erlang/term/release.h"

namespace ravel::erlang {

namespace {

bool is_x(const Operand& operand) { return operand.kind == OperandKind::kX; }
bool is_y(const Operand& operand) { return operand.kind == OperandKind::kY; }
bool is_register(const Operand& operand) { return is_x(operand) || is_y(operand); }
bool is_small_integer(const Operand& operand) {
  return operand.kind == OperandKind::kInteger && fits_small(operand.value);
}
std::uint64_t number(const Operand& operand) { return static_cast<std::uint64_t>(operand.value); }

constexpr Op kYVariant(Op for_x) { return static_cast<Op>(static_cast<std::uint16_t>(for_x) + 1); }

}  // namespace

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
    const Op op = is_x(from) ? (is_x(to) ? Op::move_xx : Op::move_xy) : (is_x(to) ? Op::move_yx : Op::move_yy);
    begin(op, number(from), number(to));
    return 1;
  }
  const Term value = constant(from);
  begin(is_x(to) ? Op::move_cx : Op::move_cy, 0, number(to));
  word(value.bits());
  return 1;
}

void Loader::translate_test(Op for_x, const Operand& fail, const Operand& tested) {
  const std::uint16_t in = in_register(tested, 0);
  begin((in & kYBit) != 0 ? kYVariant(for_x) : for_x, in & ~kYBit);
  jump_word(fail);
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
    case Opcode::kIsLt: general = Op::is_lt; xx = Op::is_lt_xx; break;
    case Opcode::kIsGe: general = Op::is_ge; xx = Op::is_ge_xx; break;
    case Opcode::kIsEqExact: general = Op::is_eq_exact; xx = Op::is_eq_exact_xx; break;
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
    const auto [least, most] = std::ranges::minmax(cases, {}, [](const Case& c) { return c.value.small_value(); });
    const std::int64_t low = least.value.small_value();
    const auto width = static_cast<std::uint64_t>(most.value.small_value() - low) + 1;
    if (width <= cases.size() * 4 && width < 4096) {
      begin(Op::select_table, in, width);
      jump_word(operands[1]);
      word(static_cast<std::uint64_t>(low));
      const std::size_t first = out_.size();
      for (std::uint64_t k = 0; k < (width + 1) / 2; ++k) word(0);
      std::vector<std::uint32_t> labels(width, static_cast<std::uint32_t>(operands[1].value));
      for (const Case& one : cases) labels[static_cast<std::size_t>(one.value.small_value() - low)] = one.label;
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
  for (std::size_t k = 0; k < count; ++k) jump_half(first + k, 0, static_cast<std::uint32_t>(list[2 * k + 1].value));
}

void Loader::translate_call_ext(Opcode opcode, Operands operands) {
  const std::uint64_t arity = number(operands[0]);
  const Export* target = imports_[number(operands[1])];
  if (target->builtin != nullptr) {
    // As in OTP, the frame stays during the call, so that the caller is in the stack trace.
    if (opcode == Opcode::kCallExtOnly) begin(Op::allocate, 0);
    begin(target->builtin->effect == Effect::kOperation ? Op::call_operation : Op::call_builtin, arity);
    pointer(target->builtin);
    if (opcode != Opcode::kCallExt) begin(Op::deallocate_return);
    return;
  }
  if (const auto special = machine_.special_body(target->module, target->function, target->arity);
      special == Op::apply_body || special == Op::apply_fun_body) {
    const CallKind kind = opcode == Opcode::kCallExt       ? CallKind::kInner
                          : opcode == Opcode::kCallExtLast ? CallKind::kLast
                                                           : CallKind::kOnly;
    begin(special == Op::apply_body ? Op::apply_call : Op::apply_fun_call, 0, static_cast<std::uint64_t>(kind));
    return;
  }
  switch (opcode) {
    case Opcode::kCallExt: begin(Op::call_ext); break;
    case Opcode::kCallExtOnly: begin(Op::call_ext_only); break;
    default: begin(Op::call_ext_last); break;
  }
  pointer(target);
}

void Loader::translate_arithmetic(const Builtin& builtin, const Operand& fail, std::uint16_t to, const Operand& left,
                                  const Operand& right, bool& done) {
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
    builtin = machine_.missing_builtin(atom(import.module_atom), atom(import.function_atom), import.arity);
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

void Loader::translate_native_record(Opcode opcode, Operands operands) {
  // A field's name is a constant. A source may need an instruction before, so sources come first.
  const auto pairs = [&](Operands list, bool are_sources) {
    std::vector<std::uint64_t> words;
    for (std::size_t k = 0; k < list.size(); k += 2) {
      words.push_back(constant(list[k]).bits());
      words.push_back(are_sources ? source(list[k + 1]) : reg(list[k + 1]));
    }
    return words;
  };
  switch (opcode) {
    case Opcode::kPutRecord: {
      const Operands list = operands.subspan(6);
      const Term id = constant(operands[1]);
      const bool is_own = id.is_atom();
      literals_.push_back(is_own ? machine_.intern_literal(machine_.heap.tuple({module_->name, id})) : id);
      const std::uint64_t id_word = literals_.back().bits();
      const std::uint64_t from = source(operands[2]);
      const std::vector<std::uint64_t> words = pairs(list, true);
      begin(Op::put_record, reg(operands[3]), list.size());
      word(id_word);
      word(from);
      word(is_own ? 0 : 1);
      for (const std::uint64_t one : words) word(one);
      return;
    }
    case Opcode::kGetRecordElements: {
      const std::uint64_t from = source(operands[1]);
      const std::vector<std::uint64_t> words = pairs(operands.subspan(3), false);
      begin(Op::get_record_elements, 0, words.size() / 2);
      jump_word(operands[0]);
      word(from);
      for (const std::uint64_t one : words) word(one);
      return;
    }
    case Opcode::kGetRecordField: {
      const std::uint64_t from = source(operands[1]), id = constant(operands[2]).bits(), field = constant(operands[3]).bits();
      begin(Op::get_record_field, reg(operands[4]));
      jump_word(operands[0]);
      word(from);
      word(id);
      word(field);
      return;
    }
    default: break;
  }
  const std::uint64_t value = source(operands[1]);
  begin(opcode == Opcode::kIsAnyNativeRecord ? Op::is_native_record
        : opcode == Opcode::kIsNativeRecord  ? Op::is_native_record_of
                                             : Op::is_record_accessible);
  jump_word(operands[0]);
  word(value);
  if (opcode == Opcode::kIsNativeRecord) {
    word(constant(operands[2]).bits());
    word(constant(operands[3]).bits());
  } else if (opcode == Opcode::kIsRecordAccessible) {
    word(constant(operands[2]) == atoms::kExternal ? Term::none().bits() : module_->name.bits());
  }
}

std::size_t Loader::translate_instruction(std::size_t i) {
  const Instruction& instruction = file_.instructions[i];
  const Operands operands = file_.operands_of(instruction);
  const Opcode opcode = instruction.opcode;
  const Instruction* next = i + 1 < file_.instructions.size() ? &file_.instructions[i + 1] : nullptr;
  switch (opcode) {
    case Opcode::kLabel: labels_[number(operands[0])] = static_cast<std::uint32_t>(out_.size()); break;
    case Opcode::kLine: {
      if (is_preloaded(file_.module_name())) break;
      const LineItem& item = file_.lines.items[number(operands[0])];
      module_->lines.push_back({static_cast<std::uint32_t>(out_.size()), item.line, item.file});
      break;
    }
    case Opcode::kOnLoad:
      on_load_ = static_cast<std::uint32_t>(out_.size());
      break;
    case Opcode::kFuncInfo:
      begin(Op::function_clause, arity_);
      word(module_->name.bits());
      word(function_.bits());
      break;
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
    case Opcode::kRecvMarkerUse: break;
    case Opcode::kRecvMarkerReserve: {
      const std::uint16_t to = reg(operands[0]);
      begin((to & kYBit) != 0 ? Op::move_cy : Op::move_cx, 0, to & ~kYBit);
      word(Term::nil().bits());
      break;
    }

    case Opcode::kMove: return translate_move(i);
    case Opcode::kSwap: begin(Op::swap, reg(operands[0]), reg(operands[1])); break;
    case Opcode::kInit:
      begin(Op::move_cy, 0, number(operands[0]));
      word(Term::nil().bits());
      break;
    case Opcode::kInitYregs: {
      // A new frame holds [] already.
      const bool is_after_allocate = i > 0 && (file_.instructions[i - 1].opcode == Opcode::kAllocate ||
                                               file_.instructions[i - 1].opcode == Opcode::kAllocateHeap);
      if (is_after_allocate) break;
      for (const Operand& slot : operands.subspan(1)) {
        begin(Op::move_cy, 0, number(slot));
        word(Term::nil().bits());
      }
      break;
    }
    case Opcode::kAllocate:
    case Opcode::kAllocateZero: begin(Op::allocate, number(operands[0])); break;
    case Opcode::kAllocateHeap:
    case Opcode::kAllocateHeapZero:
      begin(Op::allocate_heap, number(operands[0]), number(operands[2]));
      word(heap_words(operands[1]));
      break;
    case Opcode::kTestHeap:
      begin(Op::test_heap, 0, number(operands[1]));
      word(heap_words(operands[0]));
      break;
    case Opcode::kDeallocate:
      if (next != nullptr && next->opcode == Opcode::kReturn) {
        begin(Op::deallocate_return);
        return std::size_t{2};
      }
      begin(Op::deallocate);
      break;
    case Opcode::kTrim: begin(Op::trim, number(operands[0])); break;

    case Opcode::kJump: begin(Op::jump); jump_word(operands[0]); break;
    case Opcode::kCall: begin(Op::call); jump_word(operands[1]); break;
    case Opcode::kCallOnly: begin(Op::call_only); jump_word(operands[1]); break;
    case Opcode::kCallLast: begin(Op::call_last); jump_word(operands[1]); break;
    case Opcode::kCallExt:
    case Opcode::kCallExtLast:
    case Opcode::kCallExtOnly: translate_call_ext(opcode, operands); break;
    case Opcode::kCallFun:
    case Opcode::kCallFun2: {
      const std::uint64_t arity = number(operands[opcode == Opcode::kCallFun ? 0 : 1]);
      if (opcode == Opcode::kCallFun2) {
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
      const bool is_last = i + 2 < file_.instructions.size() && next->opcode == Opcode::kDeallocate &&
                           file_.instructions[i + 2].opcode == Opcode::kReturn;
      begin(is_last ? Op::call_fun_last : Op::call_fun, arity);
      if (is_last) return std::size_t{3};
      break;
    }
    case Opcode::kApply: begin(Op::apply, number(operands[0])); break;
    case Opcode::kApplyLast: begin(Op::apply_last, number(operands[0])); break;
    case Opcode::kReturn: begin(Op::return_); break;

    case Opcode::kBif0: translate_bif(operands, 0, false, false); break;
    case Opcode::kBif1: translate_bif(operands, 1, true, false); break;
    case Opcode::kBif2: translate_bif(operands, 2, true, false); break;
    case Opcode::kBif3: translate_bif(operands, 3, true, false); break;
    case Opcode::kGcBif1: translate_bif(operands, 1, true, true); break;
    case Opcode::kGcBif2: translate_bif(operands, 2, true, true); break;
    case Opcode::kGcBif3: translate_bif(operands, 3, true, true); break;

    case Opcode::kIsInteger: translate_test(Op::is_integer_x, operands[0], operands[1]); break;
    case Opcode::kIsFloat: translate_test(Op::is_float_x, operands[0], operands[1]); break;
    case Opcode::kIsNumber: translate_test(Op::is_number_x, operands[0], operands[1]); break;
    case Opcode::kIsAtom: translate_test(Op::is_atom_x, operands[0], operands[1]); break;
    case Opcode::kIsPid: translate_test(Op::is_pid_x, operands[0], operands[1]); break;
    case Opcode::kIsReference: translate_test(Op::is_reference_x, operands[0], operands[1]); break;
    case Opcode::kIsPort: translate_test(Op::is_port_x, operands[0], operands[1]); break;
    case Opcode::kIsNil: translate_test(Op::is_nil_x, operands[0], operands[1]); break;
    case Opcode::kIsBinary: translate_test(Op::is_binary_x, operands[0], operands[1]); break;
    case Opcode::kIsBitstr: translate_test(Op::is_bitstring_x, operands[0], operands[1]); break;
    case Opcode::kIsList: translate_test(Op::is_list_x, operands[0], operands[1]); break;
    case Opcode::kIsNonemptyList:
      if (next != nullptr && next->opcode == Opcode::kGetList && is_x(operands[1]) &&
          file_.operands_of(*next)[0] == operands[1]) {
        const Operands parts = file_.operands_of(*next);
        begin(Op::is_nonempty_list_get_list, number(operands[1]));
        const std::size_t at = out_.size();
        jump_word(operands[0]);
        out_[at].quad.c = reg(parts[1]);
        out_[at].quad.d = reg(parts[2]);
        return std::size_t{2};
      }
      translate_test(Op::is_nonempty_list_x, operands[0], operands[1]);
      break;
    case Opcode::kIsTuple:
      if (next != nullptr && next->opcode == Opcode::kTestArity && is_register(operands[1])) {
        const Operands arity = file_.operands_of(*next);
        if (arity[0] == operands[0] && arity[1] == operands[1] && arity[2].value < 65536) {
          begin(is_y(operands[1]) ? Op::is_tuple_of_arity_y : Op::is_tuple_of_arity_x, number(operands[1]),
                number(arity[2]));
          jump_word(operands[0]);
          return std::size_t{2};
        }
      }
      translate_test(Op::is_tuple_x, operands[0], operands[1]);
      break;
    case Opcode::kIsFunction: translate_test(Op::is_function_x, operands[0], operands[1]); break;
    case Opcode::kIsBoolean: translate_test(Op::is_boolean_x, operands[0], operands[1]); break;
    case Opcode::kIsMap: translate_test(Op::is_map_x, operands[0], operands[1]); break;
    case Opcode::kTestArity: {
      const std::uint16_t in = in_register(operands[1], 0);
      begin((in & kYBit) != 0 ? Op::test_arity_y : Op::test_arity_x, in & ~kYBit);
      jump_word(operands[0]);
      word(make_header(Kind::kTuple, number(operands[2])).bits());
      break;
    }
    case Opcode::kIsTaggedTuple: {
      const std::uint16_t in = in_register(operands[1], 0);
      begin((in & kYBit) != 0 ? Op::is_tagged_tuple_y : Op::is_tagged_tuple_x, in & ~kYBit);
      jump_word(operands[0]);
      word(make_header(Kind::kTuple, number(operands[2])).bits());
      word(constant(operands[3]).bits());
      break;
    }
    case Opcode::kIsFunction2: {
      const std::uint64_t fun = source(operands[1]), arity = source(operands[2]);
      begin(Op::is_function2);
      jump_word(operands[0]);
      word(fun);
      word(arity);
      break;
    }
    case Opcode::kIsLt:
    case Opcode::kIsGe:
    case Opcode::kIsEq:
    case Opcode::kIsNe:
    case Opcode::kIsEqExact:
    case Opcode::kIsNeExact: translate_comparison(opcode, operands); break;
    case Opcode::kSelectVal: translate_select(operands); break;
    case Opcode::kSelectTupleArity: translate_select_arity(operands); break;

    case Opcode::kGetList: {
      const bool all_x = is_x(operands[0]) && is_x(operands[1]) && is_x(operands[2]);
      begin(all_x ? Op::get_list_xxx : Op::get_list, reg(operands[0]));
      CodeWord to{};
      to.quad.a = reg(operands[1]);
      to.quad.b = reg(operands[2]);
      out_.push_back(to);
      break;
    }
    case Opcode::kGetHd: begin(Op::get_hd, reg(operands[0]), reg(operands[1])); break;
    case Opcode::kGetTl: begin(Op::get_tl, reg(operands[0]), reg(operands[1])); break;
    case Opcode::kGetTupleElement: {
      const Operand& from = operands[0];
      if (is_x(from) && next != nullptr && next->opcode == Opcode::kGetTupleElement) {
        const Operands two = file_.operands_of(*next);
        if (two[0] == from && operands[2] != from && operands[1].value < 65535 && two[1].value < 65535) {
          begin(Op::get_two_tuple_elements_x, number(from));
          CodeWord parts{};
          parts.quad.a = static_cast<std::uint16_t>(operands[1].value + 1);
          parts.quad.b = static_cast<std::uint16_t>(two[1].value + 1);
          parts.quad.c = reg(operands[2]);
          parts.quad.d = reg(two[2]);
          out_.push_back(parts);
          return std::size_t{2};
        }
      }
      const bool to_x = is_x(operands[2]);
      begin(is_x(from) ? (to_x ? Op::get_tuple_element_xx : Op::get_tuple_element_xy)
                       : (to_x ? Op::get_tuple_element_yx : Op::get_tuple_element_yy),
            number(from), number(operands[2]));
      word(number(operands[1]) + 1);
      break;
    }
    case Opcode::kSetTupleElement: {
      const std::uint64_t value = source(operands[0]);
      begin(Op::set_tuple_element, reg(operands[1]), number(operands[2]) + 1);
      word(value);
      break;
    }
    case Opcode::kPutList: {
      const Operand &head = operands[0], &tail = operands[1], &to = operands[2];
      if (is_x(to) && is_x(tail) && is_register(head)) {
        begin(is_x(head) ? Op::put_list_xxx : Op::put_list_yxx, number(to), number(head));
        CodeWord rest{};
        rest.quad.a = static_cast<std::uint16_t>(tail.value);
        out_.push_back(rest);
        break;
      }
      const std::uint64_t head_word = source(head), tail_word = source(tail);
      if (is_x(to) && is_x(head) && !is_register(tail)) {
        begin(Op::put_list_xcx, number(to), number(head));
        word(tail_word);
        break;
      }
      begin(Op::put_list, reg(to));
      word(head_word);
      word(tail_word);
      break;
    }
    case Opcode::kPutTuple2: {
      const Operands list = operands.subspan(2);
      std::vector<std::uint64_t> words;
      for (const Operand& one : list) words.push_back(source(one));
      begin(Op::put_tuple, reg(operands[0]), list.size());
      for (const std::uint64_t one : words) word(one);
      break;
    }
    case Opcode::kUpdateRecord: {
      const Operands list = operands.subspan(5);
      std::vector<std::uint64_t> words = {source(operands[2])};
      for (std::size_t k = 0; k + 1 < list.size(); k += 2) {
        words.push_back(number(list[k]));
        words.push_back(source(list[k + 1]));
      }
      begin(Op::update_record, reg(operands[3]), list.size());
      for (const std::uint64_t one : words) word(one);
      break;
    }
    case Opcode::kPutMapAssoc:
    case Opcode::kPutMapExact: {
      const Operands list = operands.subspan(5);
      std::vector<std::uint64_t> words;
      const std::uint64_t map = source(operands[1]);
      for (const Operand& one : list) words.push_back(source(one));
      begin(opcode == Opcode::kPutMapAssoc ? Op::put_map_assoc : Op::put_map_exact, reg(operands[2]), list.size());
      word(map);
      jump_word(operands[0]);
      for (const std::uint64_t one : words) word(one);
      break;
    }
    case Opcode::kHasMapFields:
    case Opcode::kGetMapElements: {
      const Operands list = operands.subspan(3);
      const bool gets = opcode == Opcode::kGetMapElements;
      std::vector<std::uint64_t> words;
      const std::uint64_t map = source(operands[1]);
      for (std::size_t k = 0; k < list.size(); ++k) words.push_back(gets && k % 2 == 1 ? reg(list[k]) : source(list[k]));
      begin(gets ? Op::get_map_elements : Op::has_map_fields, 0, gets ? list.size() / 2 : list.size());
      jump_word(operands[0]);
      word(map);
      for (const std::uint64_t one : words) word(one);
      break;
    }
    case Opcode::kMakeFun2:
    case Opcode::kMakeFun3: {
      const std::uint32_t entry = lambdas_[number(operands[0])];
      std::vector<std::uint64_t> words;
      std::uint16_t to = 0;
      if (opcode == Opcode::kMakeFun3) {
        to = reg(operands[1]);
        for (const Operand& one : operands.subspan(3)) words.push_back(source(one));
      } else {
        for (std::uint32_t k = 0; k < file_.lambdas[number(operands[0])].free_count; ++k) words.push_back(x_operand(k));
      }
      begin(Op::make_fun, to, words.size());
      word(entry);
      for (const std::uint64_t one : words) word(one);
      break;
    }

    case Opcode::kFmove:
      if (operands[1].kind == OperandKind::kFloatRegister) {
        const std::uint64_t from = source(operands[0]);
        begin(Op::float_load, 0, number(operands[1]));
        word(from);
      } else {
        begin(Op::float_store, reg(operands[1]), number(operands[0]));
      }
      break;
    case Opcode::kFconv: {
      const std::uint64_t from = source(operands[0]);
      begin(Op::float_convert, 0, number(operands[1]));
      word(from);
      break;
    }
    case Opcode::kFadd:
    case Opcode::kFsub:
    case Opcode::kFmul:
    case Opcode::kFdiv: {
      begin(opcode == Opcode::kFadd   ? Op::float_add
            : opcode == Opcode::kFsub ? Op::float_subtract
            : opcode == Opcode::kFmul ? Op::float_multiply
                                      : Op::float_divide,
            0, number(operands[3]));
      CodeWord sources{};
      sources.quad.a = static_cast<std::uint16_t>(operands[1].value);
      sources.quad.b = static_cast<std::uint16_t>(operands[2].value);
      out_.push_back(sources);
      break;
    }
    case Opcode::kFnegate: begin(Op::float_negate, number(operands[1]), number(operands[2])); break;

    case Opcode::kCatch:
    case Opcode::kTry:
      begin(Op::catch_, number(operands[0]));
      fixups_.push_back({static_cast<std::uint32_t>(out_.size()), start_,
                         static_cast<std::uint32_t>(operands[1].value), Fixup::How::kCatch});
      word(0);
      break;
    case Opcode::kCatchEnd: begin(Op::catch_end, number(operands[0])); break;
    case Opcode::kTryEnd: begin(Op::try_end, number(operands[0])); break;
    case Opcode::kTryCase: begin(Op::try_case, number(operands[0])); break;
    case Opcode::kTryCaseEnd:
    case Opcode::kBadmatch:
    case Opcode::kCaseEnd:
    case Opcode::kBadrecord: {
      const std::uint64_t value = source(operands[0]);
      begin(opcode == Opcode::kTryCaseEnd ? Op::try_case_end
            : opcode == Opcode::kBadmatch ? Op::badmatch
            : opcode == Opcode::kCaseEnd  ? Op::case_end
                                          : Op::badrecord);
      word(value);
      break;
    }
    case Opcode::kIfEnd: begin(Op::if_end); break;
    case Opcode::kRaise: {
      const std::uint64_t trace = source(operands[0]), reason = source(operands[1]);
      begin(Op::raise);
      word(trace);
      word(reason);
      break;
    }
    case Opcode::kRawRaise: begin(Op::raw_raise); break;
    case Opcode::kBuildStacktrace: begin(Op::build_stacktrace); break;

    case Opcode::kSend: begin(Op::send); break;
    case Opcode::kRemoveMessage: begin(Op::remove_message); break;
    case Opcode::kTimeout: begin(Op::timeout); break;
    case Opcode::kLoopRec: begin(Op::loop_rec, reg(operands[1])); jump_word(operands[0]); break;
    case Opcode::kLoopRecEnd: begin(Op::loop_rec_end); jump_word(operands[0]); break;
    case Opcode::kWait: begin(Op::wait); break;
    case Opcode::kWaitTimeout: {
      const std::uint64_t time = source(operands[1]);
      begin(Op::wait_timeout);
      word(time);
      break;
    }
    case Opcode::kIsAnyNativeRecord:
    case Opcode::kIsNativeRecord:
    case Opcode::kGetRecordElements:
    case Opcode::kPutRecord:
    case Opcode::kIsRecordAccessible:
    case Opcode::kGetRecordField: translate_native_record(opcode, operands); break;

    default: translate_bits(opcode, operands); break;
  }
  return 1;
}

}  // namespace ravel::erlang
