#include "erlang/term/print.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "erlang/term/bits.h"
#include "erlang/term/external_format.h"
#include "erlang/term/heap.h"
#include "erlang/term/map.h"
#include "erlang/term/release.h"
#include "tests/erlang_term/installed_erl.h"
#include "tests/erlang_term/random_term.h"

namespace ravel::erlang {
namespace {

// The order of a large map depends on the hash of its atoms, that of a small one since OTP 26 on which of its
// atoms was made first: neither is the same from run to run of erl.
bool has_order_of_chance(Term term) {
  std::vector<Term> pending{term};
  while (!pending.empty()) {
    const Term t = pending.back();
    pending.pop_back();
    if (t.is_cons()) pending.insert(pending.end(), {t.head(), t.tail()});
    if (!t.is_boxed() || is_raw(kind_of(t.header()))) continue;
    if (is_kind(t, Kind::kHashMap)) return true;
    if (installed_release().number >= 26 && is_map(t)) {
      int atoms = 0;
      for (MapIterator pairs(t); pairs.next();) atoms += pairs.key().is_atom() ? 1 : 0;
      if (atoms > 1) return true;
    }
    pending.insert(pending.end(), t.object() + 1, t.object() + 1 + size_of(t.header()));
  }
  return false;
}

class PrintTest : public testing::Test {
 protected:
  std::string print(Term term, const PrintOptions& options = {}) { return print_term(names, term, options); }
  Term text(std::string_view characters) {
    std::vector<Term> elements;
    for (const char c : characters) elements.push_back(Term::small(static_cast<unsigned char>(c)));
    return heap.list(elements);
  }
  Term binary(std::string_view bytes) { return make_binary(heap, bytes.data(), bytes.size()); }
  Term atom(std::string_view name) { return names.atoms.intern(name); }

  Heap heap;
  Names names;
};

TEST_F(PrintTest, NamesOfProcessesAreLogical) {
  const Term pid = names.child_pid(names.child_pid(names.root_pid(), 1), 2);
  EXPECT_EQ(print(pid), "<P.1.2>");
  EXPECT_EQ(print(Names::make_reference(pid, 7)), "#Ref<P.1.2:7>");
  EXPECT_EQ(print(Term::port(3)), "#Port<0.3>");
}

TEST_F(PrintTest, LimitsLeaveDots) {
  std::vector<Term> numbers;
  for (int i = 1; i <= 9; ++i) numbers.push_back(Term::small(i));
  const Term list = heap.list(numbers);
  EXPECT_EQ(print(list, {.elements_max = 3}), "[1,2,3|...]");
  EXPECT_EQ(print(heap.tuple(numbers), {.elements_max = 2}), "{1,2,...}");
  EXPECT_EQ(print(heap.tuple({list, heap.tuple({list})}), {.depth_max = 2, .elements_max = 2}),
            "{[1,2|...],{[...]}}");
  EXPECT_EQ(print(map_from_pairs(heap, names, std::vector<Term>{atom("a"), list, atom("b"), list}),
                  {.depth_max = 1, .elements_max = 1}),
            "#{a => [...],...}");
  EXPECT_EQ(print(list, {.bytes_max = 6}), "[1,2,3...");
  EXPECT_EQ(print(text("abcdefgh"), {.bytes_max = 4}), "\"abc\"...");
  EXPECT_EQ(print(binary("abcdefgh"), {.bytes_max = 6}), "<<\"abc\"...>>");
}

TEST_F(PrintTest, DepthIsNoLimit) {
  Term deep = Term::nil();
  for (int i = 0; i < 300'000; ++i) deep = heap.tuple({deep});
  EXPECT_EQ(print(deep).size(), 600'002U);
}

TEST_F(PrintTest, FunctionsAreQuotedWhereTheLanguageWantsIt) {
  EXPECT_EQ(print_function(names, atom("lists"), atom("map"), 2), "lists:map/2");
  EXPECT_EQ(print_function(names, atom("A b"), atom("case"), 0), "'A b':'case'/0");
}

TEST_F(PrintTest, DisplayLooksLikeTheEmulators) {
  const auto display = [&](Term term) { return print(term, {.style = PrintStyle::kDisplay}); };
  EXPECT_EQ(display(heap.floating(1.5)), "1.500000e+00");
  EXPECT_EQ(display(text("a\n\"b")), "\"a\\n\\\"b\"");
  EXPECT_EQ(display(heap.list(std::vector<Term>{Term::small(27)})), "[27]");
  EXPECT_EQ(display(binary("ab")), "<<\"ab\">>");
  EXPECT_EQ(display(binary("a\n")), "<<97,10>>");
  EXPECT_EQ(display(map_from_pairs(heap, names, std::vector<Term>{atom("a"), Term::small(1)})), "#{a=>1}");
}

// The installed Erlang prints the same terms; ours must be the same text.
TEST_F(PrintTest, ReadableAndPlainFormsAreThoseOfTheLibrary) {
  if (!is_erl_installed()) GTEST_SKIP() << "needs an installed Erlang/OTP 25; runs wherever there is one";
  std::vector<Term> terms;
  for (const char* name :
       {"case", "maybe", "hello", "Hello", "he llo", "a@b_C9", "", "\xC3\xA9", "\xC3\xB7", "\xCE\xBB",
        "a\xCE\xBB", "'\\\n\t\x01\x7F\xC2\x9B\xC2\xA0", "_a", "9", "@", "\xC3\x89"})
    terms.push_back(atom(name));
  for (const char* string :
       {"abc\n\x1b\"\\'", "\xE9", "a\x07", "\x7F", "\x9B", "\xA0", "\x08\x09\x0A\x0B\x0C\x0D\x1B"}) {
    terms.push_back(text(string));
    terms.push_back(binary(string));
  }
  for (const char* bytes : {"", "\xC3\xA9", "abc\xC3\xA9\n", "\xCE\xBB", "\xC3\xA9\xE9"})
    terms.push_back(binary(bytes));
  RandomTerms random(heap, names, 3);
  while (terms.size() < 1500) {
    if (const Term term = random.any(3); !has_order_of_chance(term)) terms.push_back(term);
  }

  // They go over as one binary in hexadecimal; the answers come back as the characters' codes.
  const Term all = heap.list(terms);
  const auto encoded = encode_external(heap, names, all);
  std::string hexadecimal = "\"";
  for (const std::uint8_t byte : *encoded) {
    hexadecimal += "0123456789ABCDEF"[byte >> 4];
    hexadecimal += "0123456789ABCDEF"[byte & 15];
  }
  const auto answers = ask_erl({hexadecimal + "\""}, R"(
    All = binary_to_term(binary:decode_hex(list_to_binary(hd(Terms)))),
    [begin S = unicode:characters_to_binary(io_lib:format(F, [T])), io:format("~w~n", [byte_size(S)]),
           [io:format("~w~n", [B]) || <<B>> <= S] end || T <- All, F <- ["~0tp", "~tw"]])");
  std::size_t at = 0;
  for (const Term term : terms) {
    for (const PrintStyle style : {PrintStyle::kReadable, PrintStyle::kPlain}) {
      ASSERT_LT(at, answers.size());
      std::string expected;
      for (long long left = answers[at++]; left > 0; --left) expected += static_cast<char>(answers[at++]);
      ASSERT_EQ(print(term, {.style = style}), expected);
    }
  }
  EXPECT_EQ(at, answers.size());
}

}  // namespace
}  // namespace ravel::erlang
