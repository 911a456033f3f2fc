// The loader's translation of the instructions that make terms and take them apart (loader.h); not of
// binaries.
#include <vector>

#include "erlang/machine/loader.h"
#include "erlang/machine/loader_operands.h"
#include "erlang/machine/machine.h"

namespace ravel::erlang {

void Loader::translate_get_list(Operands operands) {
  const bool all_x = is_x(operands[0]) && is_x(operands[1]) && is_x(operands[2]);
  begin(all_x ? Op::get_list_xxx : Op::get_list, reg(operands[0]));
  CodeWord to{};
  to.quad.a = reg(operands[1]);
  to.quad.b = reg(operands[2]);
  out_.push_back(to);
}

std::size_t Loader::translate_get_tuple_element(std::size_t i) {
  const Operands operands = file_.operands_of(file_.instructions[i]);
  const Instruction* const next = instruction_after(i);
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
      return 2;
    }
  }
  const bool to_x = is_x(operands[2]);
  begin(is_x(from) ? (to_x ? Op::get_tuple_element_xx : Op::get_tuple_element_xy)
                   : (to_x ? Op::get_tuple_element_yx : Op::get_tuple_element_yy),
        number(from), number(operands[2]));
  word(number(operands[1]) + 1);
  return 1;
}

void Loader::translate_put_list(Operands operands) {
  const Operand &head = operands[0], &tail = operands[1], &to = operands[2];
  if (is_x(to) && is_x(tail) && is_register(head)) {
    begin(is_x(head) ? Op::put_list_xxx : Op::put_list_yxx, number(to), number(head));
    CodeWord rest{};
    rest.quad.a = static_cast<std::uint16_t>(tail.value);
    out_.push_back(rest);
    return;
  }
  const std::uint64_t head_word = source(head), tail_word = source(tail);
  if (is_x(to) && is_x(head) && !is_register(tail)) {
    begin(Op::put_list_xcx, number(to), number(head));
    word(tail_word);
    return;
  }
  begin(Op::put_list, reg(to));
  word(head_word);
  word(tail_word);
}

void Loader::translate_put_tuple(Operands operands) {
  const Operands list = operands.subspan(2);
  begin(Op::put_tuple, reg(operands[0]), list.size());
  for (const Operand& one : list) word(source(one));
}

void Loader::translate_update_record(Operands operands) {
  const Operands list = operands.subspan(5);
  begin(Op::update_record, reg(operands[3]), list.size());
  word(source(operands[2]));
  for (std::size_t k = 0; k + 1 < list.size(); k += 2) {
    word(number(list[k]));
    word(source(list[k + 1]));
  }
}

void Loader::translate_put_map(Opcode opcode, Operands operands) {
  const Operands list = operands.subspan(5);
  begin(opcode == Opcode::kPutMapAssoc ? Op::put_map_assoc : Op::put_map_exact, reg(operands[2]),
        list.size());
  word(source(operands[1]));
  jump_word(operands[0]);
  for (const Operand& one : list) word(source(one));
}

void Loader::translate_map_fields(Opcode opcode, Operands operands) {
  const Operands list = operands.subspan(3);
  const bool gets = opcode == Opcode::kGetMapElements;
  begin(gets ? Op::get_map_elements : Op::has_map_fields, 0, gets ? list.size() / 2 : list.size());
  jump_word(operands[0]);
  word(source(operands[1]));
  for (std::size_t k = 0; k < list.size(); ++k) word(gets && k % 2 == 1 ? reg(list[k]) : source(list[k]));
}

void Loader::translate_make_fun(Opcode opcode, Operands operands) {
  const std::size_t lambda = number(operands[0]);
  std::vector<std::uint64_t> free_variables;
  std::uint16_t to = 0;
  if (opcode == Opcode::kMakeFun3) {
    to = reg(operands[1]);
    for (const Operand& one : operands.subspan(3)) free_variables.push_back(source(one));
  } else {
    for (std::uint32_t k = 0; k < file_.lambdas[lambda].free_count; ++k)
      free_variables.push_back(x_operand(k));
  }
  begin(Op::make_fun, to, free_variables.size());
  word(lambdas_[lambda]);
  for (const std::uint64_t one : free_variables) word(one);
}

void Loader::translate_float_move(Operands operands) {
  if (operands[1].kind != OperandKind::kFloatRegister)
    return begin(Op::float_store, reg(operands[1]), number(operands[0]));
  begin(Op::float_load, 0, number(operands[1]));
  word(source(operands[0]));
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
      literals_.push_back(is_own ? machine_.store.intern(machine_.heap.tuple({module_->name, id})) : id);
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
      const std::uint64_t from = source(operands[1]), id = constant(operands[2]).bits(),
                          field = constant(operands[3]).bits();
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

}  // namespace ravel::erlang
