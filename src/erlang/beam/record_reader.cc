#include "erlang/beam/record_reader.h"

#include <limits>

namespace ravel::erlang {
namespace {

// Each definition is written as an instruction with a list, call_last for no other reason than its number of
// operands.
constexpr std::uint8_t kInstruction = 5;
constexpr std::int64_t kListTag = 1, kLiteralTag = 4;  // of extended operands
constexpr std::int64_t kFieldsMax = 1 << 24;

class RecordReader {
 public:
  RecordReader(ByteReader& reader, BeamFile& beam) : reader_(reader), beam_(beam) {}

  NativeRecord read() {
    NativeRecord record;
    if (reader_.u8() != kInstruction) reader_.fail("has a definition that begins otherwise");
    record.name_atom = read_atom();
    const std::uint32_t exported = read_atom();
    if (reader_.failed()) return record;
    record.is_exported = beam_.atoms[exported] == "true";
    const TaggedNumber list = reader_.tagged();
    const std::int64_t operands = reader_.tagged_unsigned(kFieldsMax);
    if (list.tag != Tag::kExtended || list.value != kListTag || operands % 2 != 0)
      reader_.fail("has fields that are no list");
    for (std::int64_t i = 0; i < operands / 2 && !reader_.failed(); ++i)
      record.fields.push_back({.name_atom = read_atom(), .standard = read_value()});
    return record;
  }

 private:
  std::uint32_t read_atom() {
    const TaggedNumber number = reader_.tagged();
    const bool fits = number.tag == Tag::kAtom && number.value > 0 &&
                      number.value < static_cast<std::int64_t>(beam_.atoms.size());
    if (!fits) reader_.fail("has a name that is no atom");
    return fits ? static_cast<std::uint32_t>(number.value) : 0;
  }

  Operand read_value() {
    const TaggedNumber number = reader_.tagged();
    switch (number.tag) {
      case Tag::kUnsigned: return {.value = 0, .kind = OperandKind::kUnsigned};
      case Tag::kInteger:
        if (number.big.empty()) return {.value = number.value, .kind = OperandKind::kInteger};
        break;
      case Tag::kAtom:
        if (number.value == 0) return {};
        if (number.value < static_cast<std::int64_t>(beam_.atoms.size()))
          return {.value = number.value, .kind = OperandKind::kAtom};
        break;
      case Tag::kExtended: {
        if (number.value != kLiteralTag) break;
        const std::int64_t index = reader_.tagged_unsigned(std::numeric_limits<std::int32_t>::max());
        if (index < static_cast<std::int64_t>(beam_.literals.size()))
          return {.value = index, .kind = OperandKind::kLiteral};
        break;
      }
      default: break;
    }
    reader_.fail("has a default value that is no constant");
    return {};
  }

  ByteReader& reader_;
  BeamFile& beam_;
};

}  // namespace

void read_records(std::span<const std::uint8_t> chunk, BeamFile& beam, Fault& fault) {
  if (chunk.empty()) return;
  ByteReader reader(chunk, "the Recs chunk", fault);
  reader.expect("a native record");
  if (reader.u32() != 0) return reader.fail("is of a version that is not known");
  const std::uint32_t count = reader.u32();
  reader.u32();  // of the fields of all
  if (count > reader.left()) return reader.fail("has a count that cannot be");
  RecordReader records(reader, beam);
  for (std::uint32_t i = 0; i < count && !reader.failed(); ++i) beam.records.push_back(records.read());
}

}  // namespace ravel::erlang
