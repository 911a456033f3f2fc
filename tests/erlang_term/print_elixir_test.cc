#include "erlang/term/print_elixir.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "erlang/term/bits.h"
#include "erlang/term/external_format.h"
#include "erlang/term/heap.h"
#include "erlang/term/map.h"

namespace ravel::erlang {
namespace {

class PrintElixirTest : public testing::Test {
 protected:
  std::string print(Term term, const PrintOptions& options = {}) {
    return print_elixir_term(names, term, options);
  }
  Term atom(std::string_view name) { return names.atoms.intern(name); }
  Term binary(std::string_view bytes) { return make_binary(heap, bytes.data(), bytes.size()); }

  Heap heap;
  Names names;
};

TEST_F(PrintElixirTest, NamesOfProcessesAreLogical) {
  const Term pid = names.child_pid(names.root_pid(), 1);
  EXPECT_EQ(print(pid), "#PID<P.1>");
  EXPECT_EQ(print(Names::make_reference(pid, 7)), "#Reference<P.1:7>");
}

TEST_F(PrintElixirTest, LimitsLeaveDots) {
  std::vector<Term> numbers;
  for (int i = 1; i <= 9; ++i) numbers.push_back(Term::small(1000 + i));
  const Term list = heap.list(numbers);
  EXPECT_EQ(print(list, {.elements_max = 3}), "[1001, 1002, 1003, ...]");
  EXPECT_EQ(print(heap.tuple({list, Term::nil()}), {.depth_max = 1}), "{[...], []}");
  EXPECT_EQ(print(binary("abcdef"), {.bytes_max = 3}), "\"abc\"...");
}

TEST_F(PrintElixirTest, FunctionsHaveAliasesAndQuotes) {
  EXPECT_EQ(print_elixir_function(names, atom("Elixir.Foo.Bar"), atom("run!"), 1), "Foo.Bar.run!/1");
  EXPECT_EQ(print_elixir_function(names, atom("lists"), atom("map"), 2), ":lists.map/2");
  EXPECT_EQ(print_elixir_function(names, atom("Elixir.FooTest"), atom("test adds \"two\""), 1),
            "FooTest.\"test adds \\\"two\\\"\"/1");
}

// What the installed elixir shows, if there is one; lists of characters have the form of Elixir 1.15 and
// later.
TEST_F(PrintElixirTest, TermsLookAsInspectShowsThem) {
  const std::vector<std::string> sources = {":a",
                                            "nil",
                                            "true",
                                            "Foo",
                                            "Foo.Bar",
                                            ":\"Elixir.foo\"",
                                            ":\"with space\"",
                                            ":a?",
                                            ":b!",
                                            ":\"a?b\"",
                                            ":+",
                                            ":..",
                                            ":\"\"",
                                            ":\"1a\"",
                                            ":a@b",
                                            ":\"é\"",
                                            ":A",
                                            "Elixir",
                                            "1",
                                            "-1",
                                            "1.0",
                                            "1.0e22",
                                            "-0.5",
                                            "100000000000000000000000",
                                            "[]",
                                            "{}",
                                            "%{}",
                                            "[1, 2]",
                                            "[1 | 2]",
                                            "[1, 2 | :c]",
                                            "[a: 1, b: 2]",
                                            "[{:a, 1}, 2]",
                                            "[{Foo, 1}]",
                                            "[\"a b\": 1, +: 2]",
                                            "{1, \"x\", :y}",
                                            "%{a: 1}",
                                            "%{\"k\" => 1, 2 => :v}",
                                            "%{:a => 1, \"b\" => 2}",
                                            "%{%{a: 1} => [x: 1]}",
                                            "%{1 => 2, nil: 1}",
                                            "\"text\"",
                                            "\"\"",
                                            "\"q\\\"q\"",
                                            "\"a\\nb\\te\\\\\"",
                                            "\"héé→\"",
                                            "\"\\#{x} # {\"",
                                            "<<1, 2, 255>>",
                                            "<<0>>",
                                            "<<1::size(3)>>",
                                            "<<255, 1::size(3)>>",
                                            "1..3",
                                            "1..10//2",
                                            "3..1//-1",
                                            "MapSet.new([1, 2])",
                                            "%RuntimeError{message: \"m\"}",
                                            "%ArgumentError{message: nil}",
                                            "&Enum.map/2",
                                            "&:lists.map/2",
                                            "%{1 => %{2 => {3, [4]}}}",
                                            "[nil, true, [], {}]",
                                            "Enum.to_list(1..40)",
                                            "%{__struct__: 1}",
                                            "[a: [b: [c: 1]]]",
                                            "'abc'",
                                            "[10, 65]",
                                            "'q\"'"};
  const std::string folder = testing::TempDir() + "/ravel_print_elixir_" + std::to_string(getpid());
  std::ofstream script(folder + ".exs");
  script << "terms = [\n";
  for (const std::string& source : sources) script << source << ",\n";
  script << "]\nFile.write!(\"" << folder
         << ".terms\", Enum.map(terms, &[Base.encode16(:erlang.term_to_binary(&1)), ?\\n]))\n"
         << "File.write!(\"" << folder
         << ".texts\", Enum.map(terms, fn t -> [inspect(t, limit: :infinity, width: 100000), ?\\n] end))\n";
  script.close();
  if (std::system("command -v elixir >/dev/null") != 0) GTEST_SKIP() << "no elixir is installed";
  ASSERT_EQ(std::system(("elixir " + folder + ".exs").c_str()), 0);
  std::ifstream terms(folder + ".terms"), texts(folder + ".texts");
  std::string hex, expected;
  std::size_t count = 0;
  while (std::getline(terms, hex) && std::getline(texts, expected)) {
    std::vector<std::uint8_t> bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
      bytes.push_back(static_cast<std::uint8_t>(std::stoul(hex.substr(i, 2), nullptr, 16)));
    const auto term = decode_external(heap, names, bytes);
    ASSERT_TRUE(term.ok()) << sources[count];
    if (expected.starts_with('\'')) {
      std::string inner;
      for (const char c : expected.substr(1, expected.size() - 2))
        inner += c == '"' ? "\\\"" : std::string(1, c);
      expected = "~c\"" + inner + "\"";
    }
    EXPECT_EQ(print(*term), expected) << sources[count];
    ++count;
  }
  EXPECT_EQ(count, sources.size());
}

}  // namespace
}  // namespace ravel::erlang
