#include "erlang/beam/table_reader.h"

#include <algorithm>

namespace ravel::erlang {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::int64_t kAtomBytesMax = 4 * 255;  // 255 characters of UTF-8

std::string to_string(Bytes bytes) { return {bytes.begin(), bytes.end()}; }

// The number of characters, or -1 if the bytes are not UTF-8 (as Erlang has it: no surrogates).
int utf8_length(Bytes bytes) {
  int length = 0;
  for (std::size_t i = 0; i < bytes.size(); ++length) {
    const std::uint8_t first = bytes[i];
    std::size_t size = 1;
    std::uint32_t least = 0;
    std::uint32_t character = first;
    if (first >= 0x80) {
      if (first >= 0xf0 && first < 0xf8) {
        size = 4, least = 0x10000, character = first & 7u;
      } else if (first >= 0xe0 && first < 0xf0) {
        size = 3, least = 0x800, character = first & 15u;
      } else if (first >= 0xc0 && first < 0xe0) {
        size = 2, least = 0x80, character = first & 31u;
      } else {
        return -1;
      }
    }
    if (size > bytes.size() - i) return -1;
    for (std::size_t k = 1; k < size; ++k) {
      if ((bytes[i + k] & 0xc0) != 0x80) return -1;
      character = character << 6 | (bytes[i + k] & 0x3fu);
    }
    if (character < least || character > 0x10ffff || (character >= 0xd800 && character < 0xe000)) return -1;
    i += size;
  }
  return length;
}

std::string latin1_to_utf8(Bytes bytes) {
  std::string result;
  for (const std::uint8_t byte : bytes) {
    if (byte < 0x80) {
      result.push_back(static_cast<char>(byte));
    } else {
      result.push_back(static_cast<char>(0xc0 | byte >> 6));
      result.push_back(static_cast<char>(0x80 | (byte & 0x3f)));
    }
  }
  return result;
}

void read_atoms(const BeamContainer& container, BeamFile& beam, Fault& fault) {
  const bool utf8 = !container.chunk("AtU8").empty();
  const Bytes chunk = container.chunk(utf8 ? "AtU8" : "Atom");
  if (chunk.empty()) return fault.report_damage("it has no atoms (no AtU8 chunk)");
  ByteReader reader(chunk, utf8 ? "the AtU8 chunk" : "the Atom chunk", fault);
  reader.expect("an atom");

  // Since OTP 28 the count is negative and the lengths are compact terms, so that atoms can be longer
  // than 255 bytes.
  std::uint32_t count = reader.u32();
  const bool long_form = count >= 0x80000000u;
  if (long_form) count = 0u - count;
  if (count == 0 || count > reader.left()) return reader.fail("has a count of atoms that cannot be");

  beam.atoms.reserve(count + 1);
  beam.atoms.emplace_back("[]");
  for (std::uint32_t i = 0; i < count && !reader.failed(); ++i) {
    const std::size_t size = long_form ? static_cast<std::size_t>(reader.tagged_unsigned(kAtomBytesMax))
                                       : std::size_t{reader.u8()};
    const Bytes name = reader.bytes(size);
    if (utf8) {
      const int length = utf8_length(name);
      if (length < 0 || length > 255) reader.fail("has an atom that is not UTF-8 of at most 255 characters");
      beam.atoms.push_back(to_string(name));
    } else {
      beam.atoms.push_back(latin1_to_utf8(name));
    }
  }
  if (!reader.failed() && beam.atoms[1].empty()) reader.fail("names the module by an empty atom");
}

// An index that must name an atom, so not 0, which stands for [].
std::uint32_t read_atom_index(ByteReader& reader, const BeamFile& beam) {
  const std::uint32_t index = reader.u32();
  if (index == 0 || index >= beam.atoms.size()) reader.fail("refers to an atom that does not exist");
  return index;
}

std::uint32_t read_arity(ByteReader& reader) {
  const std::uint32_t arity = reader.u32();
  if (arity > kArityMax) reader.fail("has a function of more than 255 arguments");
  return arity;
}

void read_imports(Bytes chunk, BeamFile& beam, Fault& fault) {
  if (chunk.empty()) return;
  ByteReader reader(chunk, "the ImpT chunk", fault);
  reader.expect("an import");
  const std::uint32_t count = reader.count(12);
  beam.imports.reserve(count);
  for (std::uint32_t i = 0; i < count && !reader.failed(); ++i) {
    Import import;
    import.module_atom = read_atom_index(reader, beam);
    import.function_atom = read_atom_index(reader, beam);
    import.arity = read_arity(reader);
    beam.imports.push_back(import);
  }
}

std::vector<NamedEntry> read_entries(Bytes chunk, std::string_view part, const BeamFile& beam, Fault& fault) {
  std::vector<NamedEntry> entries;
  if (chunk.empty()) return entries;
  ByteReader reader(chunk, part, fault);
  reader.expect("a function");
  const std::uint32_t count = reader.count(12);
  entries.reserve(count);
  for (std::uint32_t i = 0; i < count && !reader.failed(); ++i) {
    NamedEntry entry;
    entry.function_atom = read_atom_index(reader, beam);
    entry.arity = read_arity(reader);
    entry.label = reader.u32();
    entries.push_back(entry);
  }
  return entries;
}

void read_lambdas(Bytes chunk, BeamFile& beam, Fault& fault) {
  if (chunk.empty()) return;
  ByteReader reader(chunk, "the FunT chunk", fault);
  reader.expect("a lambda");
  const std::uint32_t count = reader.count(24);
  beam.lambdas.reserve(count);
  for (std::uint32_t i = 0; i < count && !reader.failed(); ++i) {
    Lambda lambda;
    lambda.function_atom = read_atom_index(reader, beam);
    lambda.arity = read_arity(reader);
    lambda.label = reader.u32();
    lambda.index = reader.u32();
    lambda.free_count = reader.u32();
    lambda.old_uniq = reader.u32();
    if (lambda.free_count > lambda.arity) reader.fail("has a lambda with more free variables than arguments");
    beam.lambdas.push_back(lambda);
  }
}

void read_literals(Bytes chunk, BeamFile& beam, Fault& fault) {
  if (chunk.empty()) return;
  constexpr std::string_view kPart = "the LitT chunk";
  ByteReader header(chunk, kPart, fault);
  header.expect("its header");
  const std::uint32_t unpacked_size = header.u32();
  const Bytes rest = header.bytes(header.left());
  // Since OTP 28, size 0 says that the literals are not compressed.
  beam.literal_bytes = unpacked_size == 0 ? std::vector<std::uint8_t>(rest.begin(), rest.end())
                                          : unpack_zlib(rest, unpacked_size, kPart, fault);
  if (fault.found()) return;

  ByteReader reader(beam.literal_bytes, "the unpacked LitT chunk", fault);
  reader.expect("a literal");
  const std::uint32_t count = reader.count(5);
  beam.literals.reserve(count);
  for (std::uint32_t i = 0; i < count && !reader.failed(); ++i) {
    const std::uint32_t size = reader.u32();
    const auto offset = static_cast<std::uint32_t>(reader.position());
    const Bytes term = reader.bytes(size);
    constexpr std::uint8_t kExternalTermVersion = 131;
    if (term.size() < 2 || term[0] != kExternalTermVersion)
      reader.fail("has a literal that is no external term");
    beam.literals.push_back({offset, size});
  }
}

void read_lines(Bytes chunk, BeamFile& beam, Fault& fault) {
  beam.lines.files.push_back(beam.module_name() + ".erl");
  beam.lines.items.push_back({});
  if (chunk.empty()) return;
  ByteReader reader(chunk, "the Line chunk", fault);
  reader.expect("its header");
  if (reader.u32() != 0) return;  // a version from the future: code without places still runs
  reader.u32();                   // flags: whether coverage is compiled in
  reader.u32();                   // number of line instructions
  const std::uint32_t item_count = reader.u32();
  const std::uint32_t file_count = reader.u32();
  if (item_count > reader.left() || file_count > reader.left() / 2) {
    return reader.fail("counts more than it has bytes for");
  }
  reader.expect("a line item");
  beam.lines.items.reserve(item_count + 1);
  std::uint32_t file = 0;
  while (beam.lines.items.size() <= item_count && !reader.failed()) {
    const std::size_t start = reader.position();
    const TaggedNumber number = reader.tagged();
    if (number.tag == Tag::kAtom && number.value <= file_count) {
      file = static_cast<std::uint32_t>(number.value);
    } else if (number.tag == Tag::kInteger && number.big.empty() && number.value >= 0 &&
               number.value < kNoIndex) {
      beam.lines.items.push_back({file, static_cast<std::uint32_t>(number.value)});
    } else {
      reader.fail_at("has a wrong line item", start);
    }
  }
  reader.expect("a file name");
  for (std::uint32_t i = 0; i < file_count && !reader.failed(); ++i) {
    const Bytes name = reader.bytes(reader.u16());
    if (utf8_length(name) < 0) reader.fail("has a file name that is not UTF-8");
    beam.lines.files.push_back(name.empty() ? beam.lines.files[0] : to_string(name));
  }
}

std::vector<std::uint8_t> copy(Bytes bytes) { return {bytes.begin(), bytes.end()}; }

}  // namespace

void read_tables(const BeamContainer& container, BeamFile& beam, Fault& fault) {
  read_atoms(container, beam, fault);
  if (fault.found()) return;
  read_imports(container.chunk("ImpT"), beam, fault);
  beam.exports = read_entries(container.chunk("ExpT"), "the ExpT chunk", beam, fault);
  beam.locals = read_entries(container.chunk("LocT"), "the LocT chunk", beam, fault);
  read_lambdas(container.chunk("FunT"), beam, fault);
  read_literals(container.chunk("LitT"), beam, fault);
  read_lines(container.chunk("Line"), beam, fault);
  beam.strings = copy(container.chunk("StrT"));
  beam.attributes = copy(container.chunk("Attr"));
  beam.compile_info = copy(container.chunk("CInf"));
  beam.debug_info_size = static_cast<std::uint32_t>(container.chunk("Dbgi").size());
}

}  // namespace ravel::erlang
