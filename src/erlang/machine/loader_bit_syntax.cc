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
      {"integer", Segment::kInteger}, {"float", Segment::kFloat},   {"binary", Segment::kBinary},
      {"string", Segment::kString},   {"utf8", Segment::kUtf8},     {"utf16", Segment::kUtf16},
      {"utf32", Segment::kUtf32},     {"append", Segment::kAppend}, {"private_append", Segment::kPrivateAppend},
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
      value.pointer = machine_.keep_string(
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

// Each command of bs_match is one of the instructions that it has replaced, except that `ensure_at_least` asks
// once for what they asked for one by one. They fail no more then, and mostly have no label to jump to.
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
      for (std::size_t k = 0; k < bytes.size(); ++k) bytes[k] = static_cast<std::uint8_t>(left_aligned >> (56 - 8 * k));
      const void* const kept = machine_.keep_string(std::span(bytes).first((bits + 7) / 8));
      begin(Op::bs_match_string, context);
      jump_word(fail);
      word(bits);
      pointer(kept);
      i += 4;
    }
  }
}

void Loader::translate_bits(Opcode opcode, Operands operands) {
  CodeWord unit_and_flags{};
  switch (opcode) {
    case Opcode::kBsStartMatch3:
    case Opcode::kBsStartMatch4: {
      const Operand& from = operands[opcode == Opcode::kBsStartMatch3 ? 1 : 2];
      const std::uint64_t from_word = source(from);
      begin(Op::bs_start_match, reg(operands[3]));
      jump_word(operands[0]);  // no_fail and resume cannot fail
      word(from_word);
      break;
    }
    case Opcode::kBsGetPosition: begin(Op::bs_get_position, reg(operands[0]), reg(operands[1])); break;
    case Opcode::kBsSetPosition: begin(Op::bs_set_position, reg(operands[0]), reg(operands[1])); break;
    case Opcode::kBsGetTail: begin(Op::bs_get_tail, reg(operands[0]), reg(operands[1])); break;
    case Opcode::kBsGetInteger2:
    case Opcode::kBsGetFloat2:
    case Opcode::kBsGetBinary2: {
      const std::uint64_t size = source(operands[3]);
      begin(opcode == Opcode::kBsGetInteger2  ? Op::bs_get_integer
            : opcode == Opcode::kBsGetFloat2 ? Op::bs_get_float
                                             : Op::bs_get_binary,
            reg(operands[1]), reg(operands[6]));
      jump_word(operands[0]);
      word(size);
      unit_and_flags.pair = {static_cast<std::int32_t>(operands[4].value), bit_flags(operands[5])};
      out_.push_back(unit_and_flags);
      break;
    }
    case Opcode::kBsSkipBits2: {
      const std::uint64_t size = source(operands[2]);
      begin(Op::bs_skip_bits, reg(operands[1]));
      jump_word(operands[0]);
      word(size);
      unit_and_flags.pair = {static_cast<std::int32_t>(operands[3].value), bit_flags(operands[4])};
      out_.push_back(unit_and_flags);
      break;
    }
    case Opcode::kBsMatch: translate_match_commands(operands); break;
    case Opcode::kBsTestTail2:
      begin(Op::bs_test_tail, reg(operands[1]));
      jump_word(operands[0]);
      word(number(operands[2]));
      break;
    case Opcode::kBsTestUnit:
      begin(Op::bs_test_unit, reg(operands[1]), number(operands[2]));
      jump_word(operands[0]);
      break;
    case Opcode::kBsMatchString: {
      const std::uint64_t bits = number(operands[2]);
      const void* bytes =
          machine_.keep_string(std::span(file_.strings).subspan(number(operands[3]), (bits + 7) / 8));
      begin(Op::bs_match_string, reg(operands[1]));
      jump_word(operands[0]);
      word(bits);
      pointer(bytes);
      break;
    }
    case Opcode::kBsGetUtf8:
    case Opcode::kBsGetUtf16:
    case Opcode::kBsGetUtf32:
      begin(opcode == Opcode::kBsGetUtf8    ? Op::bs_get_utf8
            : opcode == Opcode::kBsGetUtf16 ? Op::bs_get_utf16
                                            : Op::bs_get_utf32,
            reg(operands[1]), reg(operands[4]));
      jump_word(operands[0]);
      word(bit_flags(operands[3]));
      break;
    case Opcode::kBsSkipUtf8:
    case Opcode::kBsSkipUtf16:
    case Opcode::kBsSkipUtf32:
      begin(opcode == Opcode::kBsSkipUtf8    ? Op::bs_skip_utf8
            : opcode == Opcode::kBsSkipUtf16 ? Op::bs_skip_utf16
                                             : Op::bs_skip_utf32,
            reg(operands[1]));
      jump_word(operands[0]);
      word(bit_flags(operands[3]));
      break;
    case Opcode::kBsInitWritable: begin(Op::bs_init_writable); break;
    case Opcode::kBsCreateBin: translate_create_binary(operands); break;
    case Opcode::kBsInit2:
    case Opcode::kBsInitBits: {
      const std::uint64_t size = source(operands[1]);
      begin(opcode == Opcode::kBsInit2 ? Op::bs_init_bytes : Op::bs_init_bits, reg(operands[5]));
      jump_word(operands[0]);
      word(size);
      break;
    }
    case Opcode::kBsAppend:
    case Opcode::kBsPrivateAppend: {
      const bool shared = opcode == Opcode::kBsAppend;
      const Operand& unit = operands[shared ? 4 : 2];
      const std::uint64_t size = source(operands[1]), continued = source(operands[shared ? 5 : 3]);
      begin(Op::bs_append, reg(operands[shared ? 7 : 5]));
      jump_word(operands[0]);
      word(size);
      word(continued);
      // Here a size counts bits: the unit is of the binary that is continued.
      unit_and_flags.pair = {1, static_cast<std::int32_t>(unit.value)};
      out_.push_back(unit_and_flags);
      break;
    }
    case Opcode::kBsPutInteger:
    case Opcode::kBsPutFloat:
    case Opcode::kBsPutBinary: {
      const std::uint64_t size = source(operands[1]), value = source(operands[4]);
      begin(opcode == Opcode::kBsPutInteger ? Op::bs_put_integer
            : opcode == Opcode::kBsPutFloat ? Op::bs_put_float
                                            : Op::bs_put_binary);
      jump_word(operands[0]);
      word(size);
      word(value);
      unit_and_flags.pair = {static_cast<std::int32_t>(operands[2].value), bit_flags(operands[3])};
      out_.push_back(unit_and_flags);
      break;
    }
    case Opcode::kBsPutString: {
      const void* bytes =
          machine_.keep_string(std::span(file_.strings).subspan(number(operands[1]), number(operands[0])));
      begin(Op::bs_put_string);
      pointer(bytes);
      word(number(operands[0]));
      break;
    }
    case Opcode::kBsPutUtf8:
    case Opcode::kBsPutUtf16:
    case Opcode::kBsPutUtf32: {
      const std::uint64_t value = source(operands[2]);
      begin(opcode == Opcode::kBsPutUtf8    ? Op::bs_put_utf8
            : opcode == Opcode::kBsPutUtf16 ? Op::bs_put_utf16
                                            : Op::bs_put_utf32);
      jump_word(operands[0]);
      word(value);
      unit_and_flags.pair = {0, bit_flags(operands[1])};
      out_.push_back(unit_and_flags);
      break;
    }
    case Opcode::kBsUtf8Size:
    case Opcode::kBsUtf16Size: {
      const std::uint64_t value = source(operands[1]);
      begin(opcode == Opcode::kBsUtf8Size ? Op::bs_utf8_size : Op::bs_utf16_size, reg(operands[2]));
      jump_word(operands[0]);
      word(value);
      break;
    }
    case Opcode::kBsAdd: {
      const std::uint64_t left = source(operands[1]), right = source(operands[2]);
      begin(Op::bs_add, reg(operands[4]));
      jump_word(operands[0]);
      word(left);
      word(right);
      word(number(operands[3]));
      break;
    }
    default: CHECK(false);
  }
}

}  // namespace ravel::erlang
