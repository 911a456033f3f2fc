// The loader's translation of the instructions that match and construct binaries (loader.h).
#include <algorithm>
#include <array>

#include "base/check.h"
#include "erlang/machine/loader.h"
#include "erlang/machine/loader_operands.h"
#include "erlang/machine/machine.h"
#include "erlang/term/bit_syntax.h"

namespace ravel::erlang {

std::uint16_t Loader::bit_flags(const Operand& operand) {
  if (operand.kind == OperandKind::kUnsigned || operand.kind == OperandKind::kInteger)
    return static_cast<std::uint16_t>(operand.value);
  if (operand.kind != OperandKind::kLiteral) return 0;
  std::uint16_t flags = 0;
  for (Term list = constant(operand); list.is_cons(); list = list.tail()) {
    if (list.head() == atoms::kLittle) flags |= kBitLittle;
    if (list.head() == atoms::kNative) flags |= kBitNative;
    if (list.head() == atoms::kSigned) flags |= kBitSigned;
  }
  return flags;
}

void Loader::translate_create_binary(Operands operands) {
  const Operands list = operands.subspan(6);
  struct Row {
    std::string_view name;
    Segment segment;
  };
  static constexpr Row kRows[] = {
      {"integer", Segment::kInteger},
      {"float", Segment::kFloat},
      {"binary", Segment::kBinary},
      {"string", Segment::kString},
      {"utf8", Segment::kUtf8},
      {"utf16", Segment::kUtf16},
      {"utf32", Segment::kUtf32},
      {"append", Segment::kAppend},
      {"private_append", Segment::kPrivateAppend},
  };
  std::vector<CodeWord> words;
  for (std::size_t i = 0; i + 6 <= list.size(); i += 6) {
    const std::string_view type = machine_.names.atoms.text(atom(static_cast<std::uint32_t>(list[i].value)));
    const auto row = std::ranges::find(kRows, type, &Row::name);
    CHECK(row != std::end(kRows));
    CodeWord head{}, value{}, size{};
    head.quad.a = static_cast<std::uint16_t>(row->segment);
    head.quad.b = static_cast<std::uint16_t>(list[i + 1].value);
    head.quad.c = static_cast<std::uint16_t>(list[i + 2].value);
    head.quad.d = bit_flags(list[i + 3]);
    if (row->segment == Segment::kString) {
      value.pointer = machine_.code.keep_string(
          std::span(file_.strings).subspan(number(list[i + 4]), number(list[i + 5])));
    } else {
      value.bits = source(list[i + 4]);
    }
    size.bits = source(list[i + 5]);
    words.insert(words.end(), {head, value, size});
  }
  begin(Op::bs_create_bin, reg(operands[4]), list.size() / 6);
  jump_word(operands[0]);
  word(number(operands[3]));
  out_.insert(out_.end(), words.begin(), words.end());
}

// Each command of bs_match is one of the instructions that it has replaced, except that `ensure_at_least`
// asks once for what they asked for one by one. The others fail no more then, and mostly have no label to
// jump to.
void Loader::translate_match_commands(Operands operands) {
  const Operand& fail = operands[0];
  const std::uint16_t context = reg(operands[1]);
  const Operands list = operands.subspan(3);
  const auto size_word = [&](const Operand& size) {
    return size.kind == OperandKind::kUnsigned ? Term::small(size.value).bits() : source(size);
  };
  for (std::size_t i = 0; i < list.size();) {
    const Operand* const command = &list[i];
    const std::string_view name = machine_.names.atoms.text(atom(static_cast<std::uint32_t>(command->value)));
    if (name == "ensure_at_least") {
      begin(Op::bs_ensure, context, std::max<std::uint64_t>(number(command[2]), 1));
      jump_word(fail);
      word(number(command[1]));
      i += 3;
    } else if (name == "ensure_exactly") {
      begin(Op::bs_test_tail, context);
      jump_word(fail);
      word(number(command[1]));
      i += 2;
    } else if (name == "integer" || name == "binary" || name == "float") {
      const std::uint64_t size = size_word(command[3]);
      begin(name == "integer"  ? Op::bs_get_integer
            : name == "binary" ? Op::bs_get_binary
                               : Op::bs_get_float,
            context, reg(command[5]));
      jump_word(fail);
      word(size);
      CodeWord unit_and_flags{};
      unit_and_flags.pair = {static_cast<std::int32_t>(command[4].value), bit_flags(command[2])};
      out_.push_back(unit_and_flags);
      i += 6;
    } else if (name == "skip") {
      begin(Op::bs_skip_bits, context);
      jump_word(fail);
      word(Term::small(command[1].value).bits());
      CodeWord unit_and_flags{};
      unit_and_flags.pair = {1, 0};
      out_.push_back(unit_and_flags);
      i += 2;
    } else if (name == "get_tail") {
      begin(Op::bs_get_tail, context, reg(command[3]));
      i += 4;
    } else {
      CHECK(name == "=:=");
      const std::uint64_t bits = number(command[2]);
      std::array<std::uint8_t, 8> bytes{};
      const std::uint64_t left_aligned = bits == 0 ? 0 : number(command[3]) << (64 - bits);
      for (std::size_t k = 0; k < bytes.size(); ++k)
        bytes[k] = static_cast<std::uint8_t>(left_aligned >> (56 - 8 * k));
      const void* const kept = machine_.code.keep_string(std::span(bytes).first((bits + 7) / 8));
      begin(Op::bs_match_string, context);
      jump_word(fail);
      word(bits);
      pointer(kept);
      i += 4;
    }
  }
}

void Loader::translate_match_string(Operands operands) {
  const std::uint64_t bits = number(operands[2]);
  const void* const bytes =
      machine_.code.keep_string(std::span(file_.strings).subspan(number(operands[3]), (bits + 7) / 8));
  begin(Op::bs_match_string, reg(operands[1]));
  jump_word(operands[0]);
  word(bits);
  pointer(bytes);
}

void Loader::translate_put_string(Operands operands) {
  const std::uint64_t size = number(operands[0]);
  const void* const bytes =
      machine_.code.keep_string(std::span(file_.strings).subspan(number(operands[1]), size));
  begin(Op::bs_put_string);
  pointer(bytes);
  word(size);
}

}  // namespace ravel::erlang
