// The reader on small modules built by hand: each form of the file format, and each kind of mistake.

#include "erlang/beam/beam_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "erlang/beam/dump_beam.h"
#include "tests/erlang_beam/module_builder.h"
#include "tests/erlang_beam/validate.h"

namespace ravel::erlang {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

BeamFile read(const Bytes& bytes) {
  Result<BeamFile> beam = read_beam(bytes, "m.beam");
  if (!beam) {
    ADD_FAILURE() << beam.error().message;
    return {};
  }
  EXPECT_EQ(validate(*beam), "");
  return std::move(*beam);
}

std::string error_of(const Bytes& bytes) {
  const Result<BeamFile> beam = read_beam(bytes, "m.beam");
  return beam ? "no error" : beam.error().message;
}

BeamFile read_body(const Bytes& body) {
  ModuleBuilder module;
  module.body = body;
  return read(module.build());
}

std::string error_of_body(const Bytes& body) {
  ModuleBuilder module;
  module.body = body;
  return error_of(module.build());
}

// The first operand of the first instruction of the body.
Operand first_operand(const Bytes& body) {
  const BeamFile beam = read_body(body);
  return beam.instructions.size() < 4 ? Operand() : beam.operands_of(beam.instructions[3])[0];
}

constexpr std::uint8_t kMove = 64, kReturn = 19;

Bytes compressed(const Bytes& bytes) {
  Bytes result(compressBound(bytes.size()));
  uLongf size = result.size();
  compress(result.data(), &size, bytes.data(), bytes.size());
  result.resize(size);
  return result;
}

Bytes gzipped(const Bytes& bytes) {
  z_stream stream = {};
  deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
  Bytes result(deflateBound(&stream, bytes.size()));
  stream.next_in = const_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = result.data();
  stream.avail_out = static_cast<uInt>(result.size());
  deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

TEST(BeamFile, ReadsASmallModule) {
  const BeamFile beam = read(ModuleBuilder().build());
  EXPECT_EQ(beam.module_name(), "m");
  EXPECT_THAT(beam.atoms, ElementsAre("[]", "m", "f", "ok"));
  ASSERT_EQ(beam.exports.size(), 1u);
  EXPECT_EQ(beam.exports[0].label, 2u);
  ASSERT_EQ(beam.functions.size(), 1u);
  EXPECT_EQ(beam.functions[0].entry_instruction, 2u);
  EXPECT_EQ(beam.functions[0].end_instruction, 5u);
  EXPECT_EQ(beam.instructions.size(), 6u);
}

TEST(BeamFile, DumpShowsTablesAndInstructions) {
  EXPECT_EQ(dump_beam(read(ModuleBuilder().build())),
            "module m\n"
            "export f/0\n"
            "literals 0\n"
            "strings 0 bytes\n"
            "\n"
            "function f/0 entry L2\n"
            "  label L1\n"
            "    func_info m f #0\n"
            "  label L2\n"
            "    move ok x0\n"
            "    return\n");
}

TEST(BeamFile, AtomsAreDumpedAsErlangWritesThem) {
  EXPECT_EQ(atom_text("gen_server"), "gen_server");
  EXPECT_EQ(atom_text("a@B9"), "a@B9");
  EXPECT_EQ(atom_text("Elixir.Enum"), "'Elixir.Enum'");
  EXPECT_EQ(atom_text("it's"), "'it\\'s'");
  EXPECT_EQ(atom_text("end"), "'end'");
  EXPECT_EQ(atom_text(""), "''");
  EXPECT_EQ(atom_text("\n"), "'\\x{0A}'");
}

TEST(BeamFile, ReadsAModuleCompressedByGzip) {
  const BeamFile beam = read(gzipped(ModuleBuilder().build()));
  EXPECT_EQ(beam.module_name(), "m");
}

TEST(BeamFile, RefusesBrokenGzip) {
  Bytes bytes = gzipped(ModuleBuilder().build());
  bytes.resize(bytes.size() / 2);
  EXPECT_EQ(error_of(bytes),
            "m.beam: its gzip compression is broken; the file is truncated or corrupted. Compile it again.");
}

TEST(BeamFile, RefusesWhatIsNoModule) {
  EXPECT_EQ(error_of(text("-module(m).")),
            "m.beam: is not a compiled Erlang module: it does not begin with FOR1. Compile the .erl file "
            "with erlc.");
  EXPECT_THAT(error_of({}), HasSubstr("does not begin with FOR1"));
  EXPECT_THAT(error_of(text("FOR1") + be32(4) + text("AIFF")), HasSubstr("not of the type BEAM"));
}

TEST(BeamFile, RefusesEveryTruncation) {
  const Bytes whole = ModuleBuilder().build();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Bytes part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(read_beam(part, "m.beam")) << size;
  }
}

TEST(BeamFile, IgnoresUnknownChunksAndBytesAfterTheForm) {
  ModuleBuilder module;
  module.chunks = {{"Wxyz", text("abcde")}};
  EXPECT_EQ(read(module.build() + text("trailing")).module_name(), "m");
}

TEST(BeamFile, GivesTheBytesOfAnyChunk) {
  ModuleBuilder module;
  module.chunks = {{"Dbgi", text("abcde")}};
  const auto chunk = read_beam_chunk(module.build(), "Dbgi", "m.beam");
  ASSERT_TRUE(chunk);
  EXPECT_EQ(*chunk, text("abcde"));
  EXPECT_TRUE(read_beam_chunk(module.build(), "Docs", "m.beam")->empty());
  EXPECT_EQ(read(module.build()).debug_info_size, 5u);
}

TEST(BeamFile, SaysWhichChunkIsMissing) {
  EXPECT_THAT(error_of(ModuleBuilder::container({})), HasSubstr("no atoms (no AtU8 chunk)"));
  EXPECT_THAT(error_of(ModuleBuilder::container({{"AtU8", ModuleBuilder().atom_chunk()}})),
              HasSubstr("no code (no Code chunk)"));
}

TEST(BeamFile, AReadErrorNamesTheFile) {
  EXPECT_EQ(read_beam_file("/nonexistent/m.beam").error().message,
            "/nonexistent/m.beam: the file cannot be read: No such file or directory.");
  EXPECT_THAT(read_beam_file("/tmp").error().message, HasSubstr("/tmp: the file cannot be read"));
}

// Atoms.

TEST(BeamFile, ReadsTheLongAtomsOfOtp28) {
  const std::string name(300, 'a');  // 300 bytes; below 255 characters only in two-byte characters
  std::string wide;
  for (int k = 0; k < 150; ++k) wide += "\xc3\xa5";
  ModuleBuilder module;
  const auto chunk = [](const std::string& third) {
    return be32(static_cast<std::uint32_t>(-3)) + u(1) + text("m") + u(1) + text("f") +
           u(static_cast<std::uint32_t>(third.size())) + text(third);
  };
  module.chunks = {{"AtU8", chunk(wide)}};
  EXPECT_EQ(read(module.build()).atoms[3], wide);
  module.chunks = {{"AtU8", chunk(name)}};
  EXPECT_THAT(error_of(module.build()), HasSubstr("not UTF-8 of at most 255 characters"));
}

TEST(BeamFile, ReadsLatin1AtomsOfOldFiles) {
  ModuleBuilder module;
  module.atoms = {"m", "f", "\xe5ngstr\xf6m"};
  const Bytes bytes = ModuleBuilder::container({{"Atom", module.atom_chunk()}, {"Code", module.code()}});
  EXPECT_EQ(read(bytes).atoms[3], "\xc3\xa5ngstr\xc3\xb6m");
}

TEST(BeamFile, RefusesAtomsThatAreNotUtf8) {
  for (const char* name : {"\xff", "\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80", "a\x80"}) {
    ModuleBuilder module;
    module.atoms = {"m", "f", name};
    EXPECT_THAT(error_of(module.build()), HasSubstr("the AtU8 chunk has an atom that is not UTF-8"));
  }
}

TEST(BeamFile, RefusesMoreAtomsThanBytes) {
  ModuleBuilder module;
  module.chunks = {{"AtU8", be32(0x7fffffff) + text("\1m")}};
  EXPECT_THAT(error_of(module.build()),
              HasSubstr("the AtU8 chunk has a count of atoms that cannot be (byte 4)"));
}

// Tables.

TEST(BeamFile, ReadsImportsLambdasStringsAndNotes) {
  ModuleBuilder module;
  module.chunks = {{"ImpT", be32(1) + be32(1) + be32(2) + be32(3)},
                   {"FunT", be32(1) + be32(2) + be32(0) + be32(2) + be32(0) + be32(0) + be32(77)},
                   {"StrT", text("hello")},
                   {"Attr", text("att")},
                   {"CInf", text("info")}};
  const BeamFile beam = read(module.build());
  ASSERT_EQ(beam.imports.size(), 1u);
  EXPECT_EQ(beam.imports[0].arity, 3u);
  ASSERT_EQ(beam.lambdas.size(), 1u);
  EXPECT_EQ(beam.lambdas[0].old_uniq, 77u);
  EXPECT_EQ(beam.strings, text("hello"));
  EXPECT_EQ(beam.attributes, text("att"));
  EXPECT_EQ(beam.compile_info, text("info"));
}

TEST(BeamFile, RefusesIndicesOfAtomsThatDoNotExist) {
  for (const std::uint32_t index : {0u, 4u, 0xffffffffu}) {
    ModuleBuilder module;
    module.chunks = {{"ImpT", be32(1) + be32(1) + be32(index) + be32(3)}};
    EXPECT_THAT(error_of(module.build()), HasSubstr("the ImpT chunk refers to an atom that does not exist"));
  }
}

TEST(BeamFile, RefusesCountsBeyondTheChunk) {
  for (const char* name : {"ImpT", "LocT", "FunT"}) {
    ModuleBuilder module;
    module.chunks = {{name, be32(0x40000000) + be32(1)}};
    EXPECT_THAT(error_of(module.build()), HasSubstr("counts 1073741824 entries but has only 4 bytes left"));
  }
}

TEST(BeamFile, RefusesAnExportThatIsNotAFunction) {
  ModuleBuilder module;
  module.chunks = {{"ExpT", be32(1) + be32(2) + be32(0) + be32(1)}};
  EXPECT_EQ(error_of(module.build()),
            "m.beam: the ExpT chunk has f/0, but its label 1 is not the entry of that function; the file is "
            "truncated "
            "or corrupted. Compile it again.");
}

Bytes literal_table(const std::vector<Bytes>& terms) {
  Bytes table = be32(static_cast<std::uint32_t>(terms.size()));
  for (const Bytes& term : terms) table = table + be32(static_cast<std::uint32_t>(term.size())) + term;
  return table;
}

TEST(BeamFile, ReadsLiteralsCompressedAndNot) {
  const Bytes first = {131, 106}, second = {131, 97, 7};
  const Bytes table = literal_table({first, second});
  for (const Bytes& chunk :
       {be32(static_cast<std::uint32_t>(table.size())) + compressed(table), be32(0) + table}) {
    ModuleBuilder module;
    module.chunks = {{"LitT", chunk}};
    module.body = Bytes{kMove} + literal(1) + x(0) + Bytes{kReturn};
    const BeamFile beam = read(module.build());
    ASSERT_EQ(beam.literals.size(), 2u);
    EXPECT_EQ(Bytes(beam.literal(0).begin(), beam.literal(0).end()), first);
    EXPECT_EQ(Bytes(beam.literal(1).begin(), beam.literal(1).end()), second);
    EXPECT_EQ(beam.operands_of(beam.instructions[3])[0], (Operand{1, OperandKind::kLiteral}));
  }
}

TEST(BeamFile, RefusesLiteralsOfImpossibleSizeWithoutMakingRoomForThem) {
  ModuleBuilder module;
  module.chunks = {{"LitT", be32(0xfffffff0) + compressed(literal_table({{131, 106}}))}};
  EXPECT_THAT(error_of(module.build()),
              HasSubstr("claims to unpack to 4294967280 bytes, which is not possible"));
}

TEST(BeamFile, RefusesLiteralsWithTheWrongSize) {
  const Bytes table = literal_table({{131, 106}});
  for (const std::uint32_t size : {1u, 9u, 11u}) {
    ModuleBuilder module;
    module.chunks = {{"LitT", be32(size) + compressed(table)}};
    EXPECT_THAT(error_of(module.build()), HasSubstr("the LitT chunk cannot be unpacked"));
  }
}

TEST(BeamFile, RefusesLiteralsThatAreNoTerms) {
  ModuleBuilder module;
  module.chunks = {{"LitT", be32(0) + literal_table({{130, 106}})}};
  EXPECT_THAT(error_of(module.build()), HasSubstr("has a literal that is no external term"));
}

Bytes line_chunk(std::uint32_t items, std::uint32_t files, const Bytes& rest) {
  return be32(0) + be32(0) + be32(1) + be32(items) + be32(files) + rest;
}

TEST(BeamFile, ReadsLinesAndFiles) {
  ModuleBuilder module;
  module.body = Bytes{153} + u(2) + Bytes{kReturn};
  module.chunks = {
      {"Line", line_chunk(3, 1, i(5) + atom(1) + i(700) + atom(0) + i(8) + be16(3) + text("a.h"))}};
  const BeamFile beam = read(module.build());
  EXPECT_THAT(beam.lines.files, ElementsAre("m.erl", "a.h"));
  ASSERT_EQ(beam.lines.items.size(), 4u);
  EXPECT_EQ(beam.lines.items[2].line, 700u);
  EXPECT_EQ(beam.lines.items[2].file, 1u);
  EXPECT_EQ(beam.lines.items[3].file, 0u);
  EXPECT_EQ(instruction_text(beam, beam.instructions[3]), "line a.h:700");
}

TEST(BeamFile, RefusesLinesOutOfRange) {
  ModuleBuilder module;
  module.body = Bytes{153} + u(2) + Bytes{kReturn};
  module.chunks = {{"Line", line_chunk(1, 0, i(5))}};
  EXPECT_THAT(error_of(module.build()),
              HasSubstr("instruction line that refers to a line that does not exist"));
  module.chunks = {{"Line", line_chunk(1, 0, atom(1) + i(5))}};
  EXPECT_THAT(error_of(module.build()), HasSubstr("the Line chunk has a wrong line item (byte 20)"));
}

TEST(BeamFile, LineInstructionsOfAStrippedFileReferToNoPlace) {
  EXPECT_EQ(first_operand(Bytes{153} + u(9) + Bytes{kReturn}), (Operand{0, OperandKind::kUnsigned}));
}

// Operands.

TEST(BeamFile, ReadsIntegersOfEverySize) {
  const auto integer = [](const Bytes& encoded) {
    return first_operand(Bytes{kMove} + encoded + x(0) + Bytes{kReturn});
  };
  const auto small = [](std::int64_t value) { return Operand{value, OperandKind::kInteger}; };
  EXPECT_EQ(integer(i(5)), small(5));
  EXPECT_EQ(integer(i(2047)), small(2047));
  EXPECT_EQ(integer(compact_digits(Tag::kInteger, {0xff, 0xff})), small(-1));
  EXPECT_EQ(integer(compact_digits(Tag::kInteger, {0x80, 0, 0, 0, 0, 0, 0, 0})), small(INT64_MIN));
  EXPECT_EQ(integer(compact_digits(Tag::kInteger, {0, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})),
            small(INT64_MAX));
}

TEST(BeamFile, KeepsIntegersOutside64BitsAsSignAndMagnitude) {
  const auto big = [](const Bytes& digits) {
    const BeamFile beam =
        read_body(Bytes{kMove} + compact_digits(Tag::kInteger, digits) + x(0) + Bytes{kReturn});
    EXPECT_EQ(beam.operands_of(beam.instructions[3])[0], (Operand{0, OperandKind::kBigInteger}));
    return beam.big_integers.empty() ? BigInteger() : beam.big_integers[0];
  };
  const BigInteger power = big({0, 0x80, 0, 0, 0, 0, 0, 0, 0});  // 2^63
  EXPECT_FALSE(power.negative);
  EXPECT_EQ(power.magnitude, (Bytes{0x80, 0, 0, 0, 0, 0, 0, 0}));
  const BigInteger negative = big({0xff, 0, 0, 0, 0, 0, 0, 0, 0});  // -2^64
  EXPECT_TRUE(negative.negative);
  EXPECT_EQ(negative.magnitude, (Bytes{1, 0, 0, 0, 0, 0, 0, 0, 0}));
  const BigInteger lowest = big({0x80, 0, 0, 0, 0, 0, 0, 0, 0});  // -2^71
  EXPECT_TRUE(lowest.negative);
  EXPECT_EQ(lowest.magnitude, (Bytes{0x80, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(BeamFile, ReadsRegistersWithATypeAsRegisters) {
  EXPECT_EQ(first_operand(Bytes{kMove} + extended(5) + y(3) + u(9) + x(0) + Bytes{kReturn}),
            (Operand{3, OperandKind::kY}));
  EXPECT_EQ(first_operand(Bytes{kMove} + extended(5) + x(1000) + u(2000) + x(0) + Bytes{kReturn}),
            (Operand{1000, OperandKind::kX}));
}

TEST(BeamFile, ReadsAllocationLists) {
  const BeamFile beam = read_body(Bytes{16} + extended(3) + u(3) + u(0) + u(7) + u(1) + u(2) + u(2) + u(1) +
                                  u(4) + Bytes{kReturn});
  ASSERT_EQ(beam.alloc_lists.size(), 1u);
  EXPECT_EQ(beam.alloc_lists[0].words, 7u);
  EXPECT_EQ(beam.alloc_lists[0].floats, 2u);
  EXPECT_EQ(beam.alloc_lists[0].funs, 1u);
}

TEST(BeamFile, FlattensListsAtTheEndOfAnInstruction) {
  const BeamFile beam =
      read_body(Bytes{59} + x(0) + label(2) + list(4) + i(1) + label(1) + atom(0) + label(2));
  const Instruction& select = beam.instructions[3];
  EXPECT_EQ(select.operand_count, 7u);
  EXPECT_EQ(beam.operands_of(select)[2], (Operand{4, OperandKind::kList}));
  EXPECT_EQ(beam.list_of(select, 2).size(), 4u);
  EXPECT_EQ(beam.list_of(select, 2)[2].kind, OperandKind::kNil);
  EXPECT_EQ(instruction_text(beam, select), "select_val x0 L2 [ 1 L1 [] L2 ]");
}

TEST(BeamFile, DistinguishesNoLabelFromALabel) {
  ModuleBuilder module;
  module.body = Bytes{10} + label(0) + u(0) + x(0) + x(0) + Bytes{kReturn};
  module.chunks = {{"ImpT", be32(1) + be32(1) + be32(2) + be32(1)}};
  const BeamFile beam = read(module.build());
  EXPECT_EQ(beam.operands_of(beam.instructions[3])[0].kind, OperandKind::kNoLabel);
  EXPECT_EQ(instruction_text(beam, beam.instructions[3]), "bif1 L0 m:f/1 x0 x0");
}

TEST(BeamFile, ASizeTooLargeForAnythingIsTheLargestNumber) {
  const BeamFile beam =
      read_body(Bytes{121} + label(2) + x(0) +
                compact_digits(Tag::kUnsigned, {9, 9, 9, 9, 9, 9, 9, 9, 9, 9}) + Bytes{kReturn});
  EXPECT_EQ(beam.operands_of(beam.instructions[3])[2].value, INT64_MAX);
}

TEST(BeamFile, ReadsTheCommandsOfBsMatch) {
  ModuleBuilder module;
  module.atoms = {"m", "f", "ensure_at_least", "integer", "=:=", "skip", "get_tail"};
  module.opcode_max = 182;
  const Bytes commands = list(3 + 6 + 4 + 2 + 4) + atom(3) + u(24) + u(1) +  //
                         atom(4) + u(1) + atom(0) + i(8) + u(1) + x(1) +     //
                         atom(5) + atom(0) + u(8) + u(77) +                  //
                         atom(6) + u(8) +                                    //
                         atom(7) + u(1) + u(1) + x(0);
  module.body = Bytes{182} + label(2) + x(0) + commands + Bytes{kReturn};
  EXPECT_EQ(read(module.build()).instructions[3].operand_count, 22u);
  module.atoms[2] = "ensure_nothing";
  EXPECT_THAT(error_of(module.build()), HasSubstr("instruction bs_match that has an unknown command"));
}

TEST(BeamFile, ChecksTheStringsOfBinaries) {
  ModuleBuilder module;
  module.atoms = {"m", "f", "string"};
  module.chunks = {{"StrT", text("hello")}};
  const auto segment = [&](std::uint32_t offset, std::uint32_t size) {
    module.body = Bytes{177} + label(0) + u(0) + u(0) + u(1) + x(0) + list(6) + atom(3) + u(1) + u(8) +
                  atom(0) + u(offset) + i(size) + Bytes{kReturn};
    return error_of(module.build());
  };
  EXPECT_EQ(segment(2, 3), "no error");
  EXPECT_EQ(segment(5, 0), "no error");
  EXPECT_THAT(segment(2, 4), HasSubstr("refers to a string that does not exist"));
  EXPECT_THAT(segment(6, 0), HasSubstr("refers to a string that does not exist"));
  module.atoms[2] = "number";
  EXPECT_THAT(segment(2, 3), HasSubstr("has a segment of unknown type"));
}

TEST(BeamFile, RefusesOperandsThatDoNotFitTheInstruction) {
  const auto refused = [](const Bytes& body, const char* why) {
    EXPECT_THAT(error_of_body(body), HasSubstr(why));
  };
  refused(Bytes{kMove} + label(2) + x(0), "instruction move that has an operand of the wrong kind");
  refused(Bytes{kMove} + x(0) + i(1), "instruction move that has an operand of the wrong kind");
  refused(Bytes{kMove} + x(1024) + x(0), "instruction move that uses a register above 1023");
  refused(Bytes{kMove} + y(1024) + x(0), "instruction move that uses a register above 1023");
  refused(Bytes{kMove} + atom(4) + x(0), "instruction move that refers to an atom that does not exist");
  refused(Bytes{kMove} + literal(0) + x(0), "instruction move that refers to a literal that does not exist");
  refused(Bytes{kMove} + compact(Tag::kCharacter, 1) + x(0),
          "instruction move that has an operand of unknown kind");
  refused(Bytes{kMove} + extended(0) + x(0), "instruction move that has an operand of unknown kind");
  refused(Bytes{kMove} + list(1) + x(0) + x(0), "instruction move that has an operand of the wrong kind");
  refused(Bytes{61} + label(3), "instruction jump that jumps to a label that does not exist");
  refused(Bytes{61} + label(0), "instruction jump that has an operand of the wrong kind");
  refused(Bytes{7} + u(0) + u(0), "instruction call_ext that refers to an import that does not exist");
  refused(Bytes{103} + u(0), "instruction make_fun2 that refers to a lambda that does not exist");
  refused(Bytes{112} + u(256), "instruction apply that has more than 255 arguments");
  refused(Bytes{12} + u(1025) + u(0), "instruction allocate that has more than 1024 stack slots");
  refused(Bytes{12} + u(0) + u(1025), "instruction allocate that has more than 1024 live registers");
  refused(Bytes{172} + list(1) + x(0), "instruction init_yregs that has an operand of the wrong kind");
  refused(Bytes{172} + y(0), "instruction init_yregs that has an operand of the wrong kind");
  refused(Bytes{172} + list(1000) + y(0), "instruction init_yregs that has a list longer than the code");
  refused(Bytes{59} + x(0) + label(2) + list(1) + i(1),
          "instruction select_val that has a list of the wrong length");
  refused(Bytes{96} + x(0) + x(1), "instruction fmove that has an operand of the wrong kind");
  refused(Bytes{92} + u(1) + u(0), "instruction bs_put_string that refers to a string that does not exist");
  refused(Bytes{178} + atom(3) + u(0) + x(0), "instruction call_fun2 that has an unknown atom");
  refused(Bytes{170} + atom(3) + u(0) + x(0) + x(0), "instruction bs_start_match4 that has an unknown atom");
  refused(Bytes{1} + u(2), "instruction label that defines what is already defined");
  refused(Bytes{1} + u(3), "instruction label that has a number out of range");
  refused(Bytes{68} + x(0) + x(0) + x(0), "instruction put_string that no current compiler writes");
}

TEST(BeamFile, RefusesCallsWithTheWrongNumberOfArguments) {
  EXPECT_THAT(error_of_body(Bytes{6} + u(1) + label(2)),
              HasSubstr("calls f/0 with the wrong number of arguments"));
  EXPECT_THAT(error_of_body(Bytes{6} + u(0) + label(1)),
              HasSubstr("calls what is not the entry of a function"));
  ModuleBuilder module;
  module.chunks = {{"ImpT", be32(1) + be32(1) + be32(2) + be32(1)}};
  module.body = Bytes{78} + u(2) + u(0);
  EXPECT_THAT(error_of(module.build()),
              HasSubstr("call_ext_only that calls a function with the wrong number"));
}

// The shape of the code.

TEST(BeamFile, SaysWhereTheCodeEndsTooEarly) {
  ModuleBuilder module;
  Bytes code = module.code();
  code.resize(code.size() - 3);  // int_code_end, return, and the last operand of move
  module.chunks = {{"Code", code}};
  EXPECT_EQ(error_of(module.build()),
            "m.beam: the Code chunk ends inside an instruction (byte 30); the file is truncated or "
            "corrupted. Compile "
            "it again.");
}

TEST(BeamFile, RefusesCodeThatIsNoSequenceOfFunctions) {
  EXPECT_THAT(error_of_body(Bytes{3}), HasSubstr("the Code chunk goes on after int_code_end"));
  EXPECT_THAT(error_of_body(Bytes{2} + atom(1) + atom(2) + u(0)),
              HasSubstr("has a func_info inside a function"));

  ModuleBuilder module;
  module.functions = 2;
  EXPECT_THAT(error_of(module.build()), HasSubstr("the Code chunk has 1 functions, but states 2"));

  module = ModuleBuilder();
  module.labels = 4;
  module.body = Bytes{61} + label(3);
  EXPECT_THAT(error_of(module.build()), HasSubstr("jumps to label 3, which is not defined"));

  module = ModuleBuilder();
  Bytes code = module.code();
  code.pop_back();
  module.chunks = {{"Code", code}};
  EXPECT_THAT(error_of(module.build()), HasSubstr("does not end in int_code_end"));
}

TEST(BeamFile, SaysThatAModuleIsTooNew) {
  ModuleBuilder module;
  module.opcode_max = 192;
  EXPECT_EQ(error_of(module.build()),
            "m.beam: it was compiled by a newer Erlang/OTP than 29 (instruction set 0, highest instruction "
            "192). Compile "
            "it again with OTP 29 or earlier.");
}

TEST(BeamFile, RefusesUnknownInstructions) {
  EXPECT_THAT(error_of_body(Bytes{0}), HasSubstr("has the unknown instruction 0"));
  EXPECT_THAT(error_of_body(Bytes{200}), HasSubstr("has the unknown instruction 200"));
}

TEST(BeamFile, RefusesMoreLabelsThanCode) {
  ModuleBuilder module;
  module.labels = 0x10000000;
  EXPECT_THAT(error_of(module.build()), HasSubstr("counts more labels than it has bytes for"));
}

}  // namespace
}  // namespace ravel::erlang
