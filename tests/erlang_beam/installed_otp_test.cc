// The reader on the modules of the installed Erlang/OTP: all are read, and what is read agrees with what
// Erlang's own beam_lib and beam_disasm say.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>

#include "erlang/beam/beam_file.h"
#include "erlang/beam/dump_beam.h"
#include "tests/erlang_beam/installed_modules.h"
#include "tests/erlang_beam/validate.h"

namespace ravel::erlang {
namespace {

constexpr const char* kNoOtp = "no Erlang/OTP at /usr/lib/erlang; install the package erlang-base";

TEST(InstalledOtp, EveryModuleIsReadAndSound) {
  const std::vector<std::string> paths = installed_beams("");
  if (paths.empty()) GTEST_SKIP() << kNoOtp;
  for (const std::string& path : paths) {
    const Result<BeamFile> beam = read_beam_file(path);
    ASSERT_TRUE(beam) << beam.error().message;
    EXPECT_EQ(validate(*beam), "") << path;
    EXPECT_EQ(beam->module_name() + ".beam", std::filesystem::path(path).filename());
  }
}

// The digest is in the file (but for one that begins with a zero), and no longer its digest once a byte has
// changed.
TEST(InstalledOtp, TheCompilerHasNotedTheDigestOfTheCode) {
  const std::vector<std::string> paths = installed_beams("");
  if (paths.empty()) GTEST_SKIP() << kNoOtp;
  std::size_t noted = 0, changed = 0;
  for (const std::string& path : paths) {
    std::ifstream file(path, std::ios::binary);
    std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
    const Result<BeamFile> beam = read_beam(bytes, path);
    ASSERT_TRUE(beam) << beam.error().message;
    if (!is_as_compiled(*beam)) continue;
    ++noted;
    const Result<std::vector<std::uint8_t>> code = read_beam_chunk(bytes, "Code", path);
    ASSERT_TRUE(code) << code.error().message;
    const auto place = std::ranges::search(bytes, *code).begin();
    for (std::size_t offset = code->size() / 4; offset < code->size(); offset += code->size() / 4) {
      std::uint8_t& byte = place[static_cast<std::ptrdiff_t>(offset)];
      byte ^= 1;
      if (const Result<BeamFile> damaged = read_beam(bytes, path)) {
        EXPECT_FALSE(is_as_compiled(*damaged)) << path;
        ++changed;
      }
      byte ^= 1;
    }
  }
  EXPECT_GT(noted, paths.size() * 9 / 10);
  EXPECT_GT(changed, noted / 2);
}

// Prints what it knows of each module, one fact a line.
constexpr const char* kFacts = R"(-mode(compile).
main([Out | Files]) ->
    ok = file:write_file(Out, [facts(File) || File <- Files]).

facts(File) ->
    {ok, {Module, Md5}} = beam_lib:md5(File),
    {ok, {_, [{atoms, Atoms}, {indexed_imports, Imports},
              {labeled_exports, Exports}, {labeled_locals, Locals}]}} =
        beam_lib:chunks(File, [atoms, indexed_imports, labeled_exports, labeled_locals]),
    {beam_file, _, _, _, _, Functions} = beam_disasm:file(File),
    [line(File, Fact) || Fact <-
        [{md5, Module, binary:encode_hex(Md5)}] ++
        [{atom, Index, Name} || {Index, Name} <- Atoms] ++
        [{import, Index, M, F, A} || {Index, M, F, A} <- Imports] ++
        [{export, F, A, Label} || {F, A, Label} <- Exports] ++
        [{local, F, A, Label} || {F, A, Label} <- Locals] ++
        lambdas(File, maps:from_list(Atoms)) ++
        [{literal, Index, binary:encode_hex(erlang:md5(Bytes))} || {Index, Bytes} <- literals(File)] ++
        [{function, F, A, Entry, length(Code), ops(Code)} || {function, F, A, Entry, Code} <- Functions]].

lambdas(File, Atoms) ->
    case beam_lib:chunks(File, ["FunT"], [allow_missing_chunks]) of
        {ok, {_, [{_, missing_chunk}]}} -> [];
        {ok, {_, [{_, <<_:32, Table/binary>>}]}} ->
            [{lambda, maps:get(F, Atoms), A, L, I, N, U} || <<F:32, A:32, L:32, I:32, N:32, U:32>> <= Table]
    end.

literals(File) ->
    case beam_lib:chunks(File, ["LitT"], [allow_missing_chunks]) of
        {ok, {_, [{_, missing_chunk}]}} -> [];
        {ok, {_, [{_, <<Size:32, Data/binary>>}]}} ->
            % 0: not compressed, since OTP 28
            <<_:32, Table/binary>> = case Size of 0 -> Data; _ -> zlib:uncompress(Data) end,
            Terms = [Bytes || <<Length:32, Bytes:Length/binary>> <= Table],
            lists:zip(lists:seq(0, length(Terms) - 1), Terms)
    end.

%% The x and y registers and labels in an instruction, in order: what cannot be renamed on the way.
ops(Code) -> erlang:md5(unicode:characters_to_binary([op(I) || I <- Code])).
op({x, N}) -> ["x", integer_to_list(N), " "];
op({y, N}) -> ["y", integer_to_list(N), " "];
op({atom, A}) -> ["a", atom_to_list(A), " "];
op({i, N}) -> ["i", integer_to_list(N), " "];
op({integer, N}) when is_integer(N) -> ["i", integer_to_list(N), " "];
op({literal, _}) -> [];
op({tr, R, _}) -> op(R);
op({label, _}) -> [];
op({extfunc, _, _, _}) -> [];
op({func_info, _, _, _}) -> [];
op({make_fun3, _, _, _, Dst, Env}) -> [op(Dst), op(Env)];
op({raise, _, Regs, _}) -> op(Regs);
op({bif, raise, _, Regs, _}) -> op(Regs);
op({field_flags, _}) -> [];
op(T) when is_tuple(T) -> op(tuple_to_list(T));
op(L) when is_list(L) -> [op(E) || E <- L];
op(_) -> [].

line(File, Fact) ->
    Words = lists:join($\s, [word(W) || W <- tuple_to_list(Fact)]),
    unicode:characters_to_binary([filename:basename(File), $\s, Words, $\n]).
word(W) when is_atom(W) -> atom_to_list(W);
word(W) when is_integer(W) -> integer_to_list(W);
word(<<_:128>> = W) -> binary:encode_hex(W);
word(W) -> W.
)";

std::string hex(const Md5Digest& digest) {
  std::string result;
  for (const std::uint8_t byte : digest) {
    result += "0123456789ABCDEF"[byte >> 4];
    result += "0123456789ABCDEF"[byte & 15];
  }
  return result;
}

std::string big_text(const BigInteger& integer) {
  std::string digits;  // decimal, least significant first
  std::vector<std::uint8_t> left = integer.magnitude;
  while (!left.empty()) {
    unsigned remainder = 0;
    for (std::uint8_t& byte : left) {
      const unsigned value = remainder << 8 | byte;
      byte = static_cast<std::uint8_t>(value / 10);
      remainder = value % 10;
    }
    digits += static_cast<char>('0' + remainder);
    while (!left.empty() && left.front() == 0) left.erase(left.begin());
  }
  return (integer.negative ? "-" : "") + std::string(digits.rbegin(), digits.rend());
}

// As op/1 above.
std::string operand_words(const BeamFile& beam, const Function& function) {
  std::string words;
  for (std::uint32_t at = function.first_instruction; at < function.end_instruction; ++at) {
    if (beam.instructions[at].opcode == Opcode::kFuncInfo) continue;
    for (const Operand& operand : beam.operands_of(beam.instructions[at])) {
      const auto index = static_cast<std::size_t>(operand.value);
      // Names of commands
      if (beam.instructions[at].opcode == Opcode::kBsMatch && operand.kind == OperandKind::kAtom) continue;
      switch (operand.kind) {
        case OperandKind::kX: words += "x" + std::to_string(operand.value) + " "; break;
        case OperandKind::kY: words += "y" + std::to_string(operand.value) + " "; break;
        case OperandKind::kAtom: words += "a" + beam.atoms[index] + " "; break;
        case OperandKind::kInteger: words += "i" + std::to_string(operand.value) + " "; break;
        case OperandKind::kBigInteger: words += "i" + big_text(beam.big_integers[index]) + " "; break;
        default: break;
      }
    }
  }
  return words;
}

void add_facts(const std::string& path, std::multiset<std::string>& facts) {
  const Result<BeamFile> read = read_beam_file(path);
  ASSERT_TRUE(read) << read.error().message;
  const BeamFile& beam = *read;
  const std::string file = std::filesystem::path(path).filename().string() + " ";
  const auto number = [](std::size_t value) { return " " + std::to_string(value); };
  const auto atom = [&](std::uint32_t index) { return " " + beam.atoms[index]; };
  facts.insert(file + "md5 " + beam.module_name() + " " + hex(beam.md5));
  for (std::size_t i = 1; i < beam.atoms.size(); ++i)
    facts.insert(file + "atom" + number(i) + " " + beam.atoms[i]);
  for (std::size_t i = 0; i < beam.imports.size(); ++i) {
    const Import& import = beam.imports[i];
    facts.insert(file + "import" + number(i + 1) + atom(import.module_atom) + atom(import.function_atom) +
                 number(import.arity));
  }
  for (const NamedEntry& entry : beam.exports) {
    facts.insert(file + "export" + atom(entry.function_atom) + number(entry.arity) + number(entry.label));
  }
  for (const NamedEntry& entry : beam.locals) {
    facts.insert(file + "local" + atom(entry.function_atom) + number(entry.arity) + number(entry.label));
  }
  for (const Lambda& lambda : beam.lambdas) {
    facts.insert(file + "lambda" + atom(lambda.function_atom) + number(lambda.arity) + number(lambda.label) +
                 number(lambda.index) + number(lambda.free_count) + number(lambda.old_uniq));
  }
  for (std::size_t i = 0; i < beam.literals.size(); ++i) {
    facts.insert(file + "literal" + number(i) + " " + hex(md5(beam.literal(i))));
  }
  for (const Function& function : beam.functions) {
    const std::string words = operand_words(beam, function);
    facts.insert(file + "function" + atom(function.function_atom) + number(function.arity) +
                 number(function.entry_label) +
                 number(function.end_instruction - function.first_instruction) + " " +
                 hex(md5({reinterpret_cast<const std::uint8_t*>(words.data()), words.size()})));
  }
}

TEST(InstalledOtp, AgreesWithErlangsOwnDisassembler) {
  std::vector<std::string> paths;
  for (const char* application : {"compiler", "eunit", "kernel", "stdlib"}) {
    for (const std::string& path : installed_beams(application)) paths.push_back(path);
  }
  if (paths.empty() || std::system("command -v escript >/dev/null") != 0) GTEST_SKIP() << kNoOtp;

  char pattern[] = "/tmp/ravel_beam_test_XXXXXX";
  ASSERT_NE(mkdtemp(pattern), nullptr);
  const std::filesystem::path folder = pattern;
  std::ofstream(folder / "facts.escript") << "#!/usr/bin/env escript\n%%\n" << kFacts;
  std::string command =
      "escript " + (folder / "facts.escript").string() + " " + (folder / "facts.txt").string();
  for (const std::string& path : paths) command += " " + path;
  ASSERT_EQ(std::system(command.c_str()), 0);

  std::multiset<std::string> expected;
  std::ifstream file(folder / "facts.txt");
  for (std::string line; std::getline(file, line);) expected.insert(line);
  std::filesystem::remove_all(folder);

  std::multiset<std::string> facts;
  for (const std::string& path : paths) add_facts(path, facts);
  EXPECT_GT(facts.size(), 10000u);
  std::vector<std::string> differences;
  std::set_symmetric_difference(facts.begin(), facts.end(), expected.begin(), expected.end(),
                                std::back_inserter(differences));
  EXPECT_EQ(differences.size(), 0u);
  for (std::size_t i = 0; i < std::min<std::size_t>(differences.size(), 10); ++i)
    ADD_FAILURE() << differences[i];
}

}  // namespace
}  // namespace ravel::erlang
