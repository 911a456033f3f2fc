#include "erlang/beam/code_reader.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace ravel::erlang {
namespace {

constexpr std::int64_t kCountMax = 0x7fffffff;

// What kinds of operand each letter of a signature admits, as bits.
using KindSet = std::uint16_t;

constexpr KindSet set_of(std::initializer_list<OperandKind> kinds) {
  unsigned bits = 0;
  for (const OperandKind kind : kinds) bits |= 1u << static_cast<unsigned>(kind);
  return static_cast<KindSet>(bits);
}

// Beside the kinds: the number has a range, or the operand is to be changed.
constexpr KindSet kIsChecked = 1 << 15;

constexpr std::array<KindSet, 128> kinds_by_letter() {
  using enum OperandKind;
  constexpr KindSet kConstants = set_of({kNil, kAtom, kInteger, kBigInteger, kLiteral});
  constexpr KindSet kRegisters = set_of({kX, kY});
  constexpr KindSet kSources = kConstants | kRegisters;
  constexpr KindSet kNumber = set_of({kUnsigned});
  std::array<KindSet, 128> sets = {};
  for (const char letter : {'u', 'w', 'n', 'v', 'k', 'L', 'I', 'F', 'N', 'S'}) {
    sets[static_cast<std::size_t>(letter)] = kNumber;
  }
  sets['p'] = kNumber | set_of({kInteger});
  sets['z'] = sets['Z'] = kNumber | kSources;
  sets['h'] = kNumber | set_of({kAllocList});
  sets['T'] = kNumber | set_of({kAtom});
  sets['f'] = set_of({kLabel});
  sets['j'] = set_of({kLabel, kNoLabel});
  sets['g'] = set_of({kLabel, kAtom});
  sets['s'] = kSources;
  sets['c'] = kConstants;
  sets['a'] = set_of({kAtom});
  sets['r'] = sets['d'] = kRegisters;
  sets['y'] = set_of({kY});
  sets['l'] = set_of({kFloatRegister});
  sets['m'] = kSources | set_of({kFloatRegister});
  sets['?'] = static_cast<KindSet>(~(set_of({kList}) | kIsChecked));
  for (const char letter : {'u', 'n', 'v', 'k', 'I', 'F', 'S', 'L', 'N', 'T', 'g', 'h', 'p'})
    sets[static_cast<std::size_t>(letter)] |= kIsChecked;
  return sets;
}
constexpr std::array<KindSet, 128> kKindsByLetter = kinds_by_letter();

// A bit syntax command of bs_match, and the letters of its operands.
struct MatchCommand {
  std::string_view name;
  std::string_view signature;
};
constexpr auto kMatchCommands = std::to_array<MatchCommand>({
    {"ensure_at_least", "pp"},  // bits, unit of the rest
    {"ensure_exactly", "p"},    // bits
    {"integer", "vczpd"},       // live, flags, size, unit, destination
    {"binary", "vczpd"},
    {"float", "vczpd"},
    {"skip", "p"},        // bits
    {"get_tail", "vpd"},  // live, unit, destination
    {"=:=", "cuz"},       // [], bits (at most 63), value
});

constexpr auto kSegmentTypes = std::to_array<std::string_view>(
    {"append", "binary", "float", "integer", "private_append", "string", "utf16", "utf32", "utf8"});

// Whether the last operands, of a command =:=, are at most 63 bits and a value that fits them. (The compiler
// splits longer ones.)
bool is_value_to_match(std::span<const Operand> operands) {
  const Operand& bits = operands[operands.size() - 2];
  const Operand& value = operands.back();
  return (value.kind == OperandKind::kUnsigned || value.kind == OperandKind::kInteger) && bits.value < 64 &&
         value.value >= 0 && value.value >> bits.value == 0;
}

class CodeReader {
 public:
  CodeReader(ByteReader& reader, BeamFile& beam)
      : reader_(reader), beam_(beam), is_label_used_(beam.label_instructions.size(), 0) {}

  void read_instructions() {
    while (!reader_.at_end() && !reader_.failed()) read_instruction();
  }
  void check_labels(Fault& fault) const {
    for (std::size_t label = 0; label < is_label_used_.size(); ++label)
      if (is_label_used_[label] != 0 && beam_.label_instructions[label] == kNoIndex)
        return fault.report_damage("the Code chunk jumps to label " + std::to_string(label) +
                                   ", which is not defined");
  }

 private:
  void read_instruction();
  void read_list(std::string_view element_letters);
  void read_segments();
  void read_match_commands();
  Operand read_operand();
  Operand read_long_operand();
  Operand operand_of(Tag tag, std::int64_t value);
  [[gnu::noinline]] Operand read_extended(std::int64_t kind);
  Operand read_alloc_list();
  Operand read_integer(const TaggedNumber& number);
  Operand label_operand(std::int64_t label);
  Operand index_operand(OperandKind kind, std::int64_t index, std::size_t limit);

  // Reads an operand, checks it against the letter and appends it.
  void read_and_check(char letter);
  [[gnu::noinline]] void check_range(char letter, Operand& operand);
  void check_relations(const Instruction& instruction);
  void define_label(std::int64_t label);
  bool string_fits(std::int64_t offset, std::int64_t size) const {
    const auto all = static_cast<std::int64_t>(beam_.strings.size());
    return size <= all && offset <= all - size;
  }
  bool is_atom(const Operand& operand, std::string_view name) const {
    return operand.kind == OperandKind::kAtom && beam_.atoms[static_cast<std::size_t>(operand.value)] == name;
  }
  [[gnu::noinline, gnu::cold]] void fail(std::string_view what);

  ByteReader& reader_;
  BeamFile& beam_;
  std::vector<std::uint8_t> is_label_used_;
  const char* opcode_name_ = "";
  std::size_t instruction_start_ = 0;  // in the chunk
};

void CodeReader::fail(std::string_view what) {
  reader_.fail_at("has an instruction " + std::string(opcode_name_) + " that " + std::string(what),
                  instruction_start_);
}

void CodeReader::read_instruction() {
  instruction_start_ = reader_.position();
  reader_.expect("an instruction");
  const std::uint8_t number = reader_.u8();
  if (number == 0 || number > kOpcodeMax) {
    reader_.fail_at("has the unknown instruction " + std::to_string(number), instruction_start_);
    return;
  }
  const OpcodeInfo& info = opcode_info(number);
  opcode_name_ = info.name;
  if (!info.loadable) return fail("no current compiler writes");

  Instruction instruction;
  instruction.opcode = static_cast<Opcode>(number);
  instruction.first_operand = static_cast<std::uint32_t>(beam_.operands.size());
  for (const char* letter = info.signature; *letter != '\0' && !reader_.failed(); ++letter) {
    if (*letter == '[') {
      const std::string_view elements(letter + 1);
      read_list(elements.substr(0, elements.size() - 1));
      break;
    }
    switch (*letter) {
      case 'B': read_segments(); break;
      case 'M': read_match_commands(); break;
      default: read_and_check(*letter);
    }
  }
  instruction.operand_count = static_cast<std::uint32_t>(beam_.operands.size()) - instruction.first_operand;
  beam_.instructions.push_back(instruction);
  if (!reader_.failed()) check_relations(instruction);
}

Operand CodeReader::index_operand(OperandKind kind, std::int64_t index, std::size_t limit) {
  if (index < static_cast<std::int64_t>(limit)) return {index, kind};
  fail(kind == OperandKind::kLiteral ? "refers to a literal that does not exist"
       : kind == OperandKind::kAtom  ? "refers to an atom that does not exist"
                                     : "uses a register above 1023");
  return {};
}

Operand CodeReader::label_operand(std::int64_t label) {
  if (label == 0) return {0, OperandKind::kNoLabel};
  if (label < static_cast<std::int64_t>(is_label_used_.size())) {
    is_label_used_[static_cast<std::size_t>(label)] = 1;
    return {label, OperandKind::kLabel};
  }
  fail("jumps to a label that does not exist");
  return {};
}

inline Operand CodeReader::operand_of(Tag tag, std::int64_t value) {
  switch (tag) {
    case Tag::kUnsigned: return {value, OperandKind::kUnsigned};
    case Tag::kX: return index_operand(OperandKind::kX, value, kRegistersMax);
    case Tag::kY: return index_operand(OperandKind::kY, value, kRegistersMax);
    case Tag::kLabel: return label_operand(value);
    case Tag::kInteger: return {value, OperandKind::kInteger};
    case Tag::kAtom:
      if (value == 0) return {0, OperandKind::kNil};
      return index_operand(OperandKind::kAtom, value, beam_.atoms.size());
    case Tag::kExtended: return read_extended(value);
    case Tag::kCharacter: break;
  }
  fail("has an operand of unknown kind");
  return {};
}

inline Operand CodeReader::read_operand() {
  Tag tag;
  std::int64_t value;
  return reader_.short_tagged(tag, value) ? operand_of(tag, value) : read_long_operand();
}

[[gnu::noinline]] Operand CodeReader::read_long_operand() {
  const TaggedNumber number = reader_.tagged();
  return number.tag == Tag::kInteger ? read_integer(number) : operand_of(number.tag, number.value);
}

// After a fault it goes on with operands that mean nothing; only the first fault is kept.
void CodeReader::read_and_check(char letter) {
  Operand operand = read_operand();
  const KindSet set = kKindsByLetter[static_cast<std::size_t>(letter)];
  if ((set >> static_cast<unsigned>(operand.kind) & 1) == 0) return fail("has an operand of the wrong kind");
  if ((set & kIsChecked) != 0) check_range(letter, operand);
  beam_.operands.push_back(operand);
}

void CodeReader::check_range(char letter, Operand& operand) {
  const auto at_most = [&](std::int64_t max, const char* what) {
    if (operand.value > max) fail(what);
  };
  const auto below = [&](std::size_t size, const char* what) {
    if (operand.value >= static_cast<std::int64_t>(size)) fail(what);
  };
  switch (letter) {
    case 'u': at_most(kCountMax, "has a number out of range"); break;
    case 'n': at_most(kArityMax, "has more than 255 arguments"); break;
    case 'v': at_most(kRegistersMax, "has more than 1024 live registers"); break;
    case 'k': at_most(kRegistersMax, "has more than 1024 stack slots"); break;
    case 'I': below(beam_.imports.size(), "refers to an import that does not exist"); break;
    case 'F': below(beam_.lambdas.size(), "refers to a lambda that does not exist"); break;
    case 'S': below(beam_.strings.size() + 1, "refers to a string that does not exist"); break;
    case 'L': define_label(operand.value); break;
    case 'N':
      // A file whose Line chunk was stripped keeps its line instructions.
      if (beam_.lines.items.size() == 1) operand.value = 0;
      below(beam_.lines.items.size(), "refers to a line that does not exist");
      break;
    case 'T':
      if (operand.kind == OperandKind::kUnsigned) {
        below(beam_.lambdas.size(), "refers to a lambda that does not exist");
      } else if (!is_atom(operand, "safe") && !is_atom(operand, "unsafe")) {
        fail("has an unknown atom");
      }
      break;
    case 'g':
      if (operand.kind == OperandKind::kAtom && !is_atom(operand, "no_fail") && !is_atom(operand, "resume")) {
        fail("has an unknown atom");
      }
      break;
    case 'h':
      if (operand.kind == OperandKind::kUnsigned) at_most(kCountMax, "reserves too much");
      break;
    case 'p':
      if (operand.value < 0 || operand.value > kCountMax) fail("has a number out of range");
      operand.kind = OperandKind::kUnsigned;
      break;
    default: break;
  }
}

void CodeReader::define_label(std::int64_t label) {
  if (label == 0 || label >= static_cast<std::int64_t>(beam_.label_instructions.size())) {
    return fail("has a number out of range");
  }
  std::uint32_t& place = beam_.label_instructions[static_cast<std::size_t>(label)];
  if (place != kNoIndex) return fail("defines what is already defined");
  place = static_cast<std::uint32_t>(beam_.instructions.size());
}

void CodeReader::read_list(std::string_view element_letters) {
  const Operand list = read_operand();
  if (reader_.failed()) return;
  if (list.kind != OperandKind::kList) return fail("has an operand of the wrong kind");
  const auto count = static_cast<std::size_t>(list.value);
  if (count % element_letters.size() != 0) return fail("has a list of the wrong length");
  beam_.operands.push_back(list);
  for (std::size_t i = 0; i < count && !reader_.failed(); ++i) {
    read_and_check(element_letters[i % element_letters.size()]);
  }
}

void CodeReader::read_segments() {
  constexpr std::size_t kSize = 6;
  const std::size_t list = beam_.operands.size();
  read_list("auucZs");  // type, number, unit, flags, value, size
  for (std::size_t i = list + 1; i < beam_.operands.size() && !reader_.failed(); i += kSize) {
    const Operand* segment = &beam_.operands[i];
    const std::string& type = beam_.atoms[static_cast<std::size_t>(segment[0].value)];
    if (!std::ranges::binary_search(kSegmentTypes, type)) return fail("has a segment of unknown type");
    const Operand& value = segment[4];
    if ((value.kind == OperandKind::kUnsigned) != (type == "string"))
      return fail("has a segment of the wrong kind");
    if (type != "string") continue;
    const Operand& size = segment[5];
    if (size.kind != OperandKind::kInteger || size.value < 0 || !string_fits(value.value, size.value)) {
      return fail("refers to a string that does not exist");
    }
  }
}

void CodeReader::read_match_commands() {
  const Operand list = read_operand();
  if (reader_.failed()) return;
  if (list.kind != OperandKind::kList) return fail("has an operand of the wrong kind");
  beam_.operands.push_back(list);
  std::int64_t left = list.value;
  while (left > 0 && !reader_.failed()) {
    read_and_check('a');
    --left;
    if (reader_.failed()) return;
    const Operand name = beam_.operands.back();
    const auto command = std::ranges::find_if(
        kMatchCommands, [&](const MatchCommand& row) { return is_atom(name, row.name); });
    if (command == kMatchCommands.end()) return fail("has an unknown command");
    left -= static_cast<std::int64_t>(command->signature.size());
    if (left < 0) return fail("has a list of the wrong length");
    for (const char letter : command->signature) read_and_check(letter);
    if (!reader_.failed() && command->name == "=:=" && !is_value_to_match(beam_.operands)) {
      return fail("has a value to match that is out of range");
    }
  }
}

Operand CodeReader::read_extended(std::int64_t kind) {
  constexpr std::int64_t kListKind = 1, kFloatRegisterKind = 2, kAllocListKind = 3, kLiteralKind = 4,
                         kTypedKind = 5;
  switch (kind) {
    case kListKind: {
      const std::int64_t count = reader_.tagged_unsigned(kCountMax);
      if (static_cast<std::size_t>(count) > reader_.left()) fail("has a list longer than the code");
      return {count, OperandKind::kList};
    }
    case kFloatRegisterKind: return {reader_.tagged_unsigned(kRegistersMax - 1), OperandKind::kFloatRegister};
    case kAllocListKind: return read_alloc_list();
    case kLiteralKind:
      return index_operand(OperandKind::kLiteral, reader_.tagged_unsigned(kCountMax), beam_.literals.size());
    case kTypedKind: {
      const TaggedNumber number = reader_.tagged();
      reader_.tagged_unsigned(kCountMax);  // what the compiler knows of its type: not needed
      if (number.tag == Tag::kX) return index_operand(OperandKind::kX, number.value, kRegistersMax);
      if (number.tag == Tag::kY) return index_operand(OperandKind::kY, number.value, kRegistersMax);
      break;
    }
    default: break;
  }
  fail("has an operand of unknown kind");
  return {};
}

Operand CodeReader::read_alloc_list() {
  AllocList list;
  const std::array<std::uint32_t*, 3> fields = {&list.words, &list.floats, &list.funs};
  constexpr std::int64_t kNeedMax = 0xffffff;  // more than one instruction can ask for
  const std::int64_t count = reader_.tagged_unsigned(static_cast<std::int64_t>(fields.size()));
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t field = reader_.tagged_unsigned(static_cast<std::int64_t>(fields.size()) - 1);
    *fields[static_cast<std::size_t>(field)] += static_cast<std::uint32_t>(reader_.tagged_unsigned(kNeedMax));
  }
  beam_.alloc_lists.push_back(list);
  return {static_cast<std::int64_t>(beam_.alloc_lists.size()) - 1, OperandKind::kAllocList};
}

Operand CodeReader::read_integer(const TaggedNumber& number) {
  if (number.big.empty()) return {number.value, OperandKind::kInteger};
  BigInteger big;
  big.negative = number.big[0] >= 0x80;
  big.magnitude.assign(number.big.begin(), number.big.end());
  if (big.negative) {  // two's complement: invert and add one, from the last byte
    unsigned carry = 1;
    for (std::size_t i = big.magnitude.size(); i-- > 0;) {
      const unsigned digit = (~big.magnitude[i] & 0xffu) + carry;
      big.magnitude[i] = static_cast<std::uint8_t>(digit);
      carry = digit >> 8;
    }
    if (carry != 0) big.magnitude.insert(big.magnitude.begin(), 1);
  }
  if (big.magnitude[0] == 0) big.magnitude.erase(big.magnitude.begin());
  beam_.big_integers.push_back(std::move(big));
  return {static_cast<std::int64_t>(beam_.big_integers.size()) - 1, OperandKind::kBigInteger};
}

void CodeReader::check_relations(const Instruction& instruction) {
  const Operand* operands = beam_.operands.data() + instruction.first_operand;
  const auto check_import_arity = [&](std::size_t import_at, std::int64_t arity) {
    if (beam_.imports[static_cast<std::size_t>(operands[import_at].value)].arity != arity) {
      fail("calls a function with the wrong number of arguments");
    }
  };
  switch (instruction.opcode) {
    case Opcode::kCallExt:
    case Opcode::kCallExtLast:
    case Opcode::kCallExtOnly: check_import_arity(1, operands[0].value); break;
    case Opcode::kBif0: check_import_arity(0, 0); break;
    case Opcode::kBif1: check_import_arity(1, 1); break;
    case Opcode::kBif2: check_import_arity(1, 2); break;
    case Opcode::kBif3: check_import_arity(1, 3); break;
    case Opcode::kGcBif1: check_import_arity(2, 1); break;
    case Opcode::kGcBif2: check_import_arity(2, 2); break;
    case Opcode::kGcBif3: check_import_arity(2, 3); break;
    case Opcode::kMakeFun3:
      if (beam_.lambdas[static_cast<std::size_t>(operands[0].value)].free_count != operands[2].value) {
        fail("has the wrong number of free variables");
      }
      break;
    case Opcode::kCallFun2:
      if (operands[0].kind == OperandKind::kUnsigned) {
        const Lambda& lambda = beam_.lambdas[static_cast<std::size_t>(operands[0].value)];
        if (lambda.arity != operands[1].value + lambda.free_count) {
          fail("calls a function with the wrong number of arguments");
        }
      }
      break;
    case Opcode::kBsPutString:
      if (!string_fits(operands[1].value, operands[0].value)) fail("refers to a string that does not exist");
      break;
    case Opcode::kBsMatchString:
      if (!string_fits(operands[3].value, (operands[2].value + 7) / 8))
        fail("refers to a string that does not exist");
      break;
    case Opcode::kFmove: {
      const bool from_float = operands[0].kind == OperandKind::kFloatRegister;
      const bool to_float = operands[1].kind == OperandKind::kFloatRegister;
      const bool to_register = operands[1].kind == OperandKind::kX || operands[1].kind == OperandKind::kY;
      if (from_float ? !to_register : !to_float) fail("has an operand of the wrong kind");
      break;
    }
    default: break;
  }
}

}  // namespace

std::uint32_t read_code(std::span<const std::uint8_t> chunk, BeamFile& beam, Fault& fault) {
  if (chunk.empty()) {
    fault.report_damage("it has no code (no Code chunk)");
    return 0;
  }
  ByteReader reader(chunk, "the Code chunk", fault);
  reader.expect("its header");
  const std::uint32_t header_size = reader.u32();
  const std::size_t header_start = reader.position();
  const std::uint32_t version = reader.u32();
  beam.opcode_max = reader.u32();
  const std::uint32_t label_count = reader.u32();
  const std::uint32_t function_count = reader.u32();
  if (reader.failed()) return 0;
  if (version != 0 || beam.opcode_max > kOpcodeMax) {
    fault.report("it was compiled by a newer Erlang/OTP than " + std::to_string(kNewestRelease) +
                 " (instruction set " + std::to_string(version) + ", highest instruction " +
                 std::to_string(beam.opcode_max) + "). Compile it again with OTP " +
                 std::to_string(kNewestRelease) + " or earlier.");
    return 0;
  }
  const std::size_t header_read = reader.position() - header_start;
  if (header_size < header_read) {
    reader.fail("has a header of the wrong size");
    return 0;
  }
  reader.bytes(header_size - header_read);
  // A label takes two bytes of code or more; label 0 takes none.
  if (!reader.failed() && label_count > reader.left())
    reader.fail("counts more labels than it has bytes for");
  if (reader.failed()) return 0;

  beam.label_instructions.assign(label_count, kNoIndex);
  // Enough for nearly all of OTP's own modules.
  beam.instructions.reserve(reader.left() / 3);
  beam.operands.reserve(reader.left() / 4 * 3);
  CodeReader code(reader, beam);
  code.read_instructions();
  code.check_labels(fault);
  return function_count;
}

}  // namespace ravel::erlang
