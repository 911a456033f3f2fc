#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "erlang/bif/builtins.h"
#include "erlang/term/bits.h"
#include "erlang/term/compare.h"
#include "tests/erlang_term/installed_erl.h"

namespace ravel::erlang {
namespace {

class HashBuiltinsTest : public testing::Test {
 protected:
  // The result, or none.
  Term run(std::string_view name, std::initializer_list<Term> arguments) {
    const auto table = hash_builtins();
    const auto row = std::ranges::find_if(
        table, [&](const Builtin& b) { return b.name == name && b.arity == arguments.size(); });
    EXPECT_NE(row, table.end()) << name;
    const Term result = row->function(call_, arguments.begin());
    EXPECT_TRUE(!result.is_none() || call_.exception.reason == atoms::kBadarg);
    return result;
  }
  long long number(std::string_view name, std::initializer_list<Term> arguments) {
    const Term result = run(name, arguments);
    return result.is_none() ? -1 : result.small_value();
  }
  // A digest as its first seven bytes.
  long long digest(Term binary) {
    if (binary.is_none()) return -1;
    EXPECT_EQ(bit_size(binary), 128U);
    long long value = 0;
    for (int i = 0; i < 7; ++i) value = value << 8 | view_bits(binary).data()[i];
    return value;
  }
  std::uint64_t below(std::uint64_t bound) { return generator_() % bound; }

  // I/O data and its Erlang text; now and then something that is none.
  Term iodata(int depth, std::string& text) {
    switch (below(depth > 0 ? 8 : 2)) {
      case 0: text += "[]"; return Term::nil();
      case 1: {
        const std::uint64_t size = below(300);
        const std::uint64_t skipped = below(10);
        const std::uint64_t extra = below(150) == 0 ? 3 : 0;
        const Term bytes = make_bytes(heap, 8 * size + skipped + extra);
        for (std::uint64_t i = 0; i < size; ++i) bytes_of(bytes)[i] = static_cast<std::uint8_t>(below(256));
        const Term part = make_sub_bits(heap, bytes, skipped, 8 * size + extra);
        const BitView view = view_bits(part);
        text += "<<";
        for (std::uint64_t i = 0; i < size; ++i) {
          std::uint8_t byte = 0;
          copy_bits(&byte, 0, view.bytes, view.offset + 8 * i, 8);
          text += (i > 0 ? "," : "") + std::to_string(byte);
        }
        if (extra > 0) text += size > 0 ? ",0:3" : "0:3";
        text += ">>";
        return part;
      }
      default: {
        std::vector<Term> elements;
        text += "[";
        const std::uint64_t count = 1 + below(6);
        for (std::uint64_t i = 0; i < count; ++i) {
          if (i > 0) text += ",";
          if (below(2) == 0) {
            elements.push_back(Term::small(static_cast<std::int64_t>(below(60) == 0 ? 256 : below(256))));
            text += std::to_string(elements.back().small_value());
          } else {
            elements.push_back(iodata(depth - 1, text));
          }
        }
        Term tail = Term::nil();
        if (below(4) == 0) {
          text += "|";
          tail = iodata(depth - 1, text);
        } else if (below(100) == 0) {
          text += "|1";
          tail = Term::small(1);
        }
        text += "]";
        return heap.list(elements, tail);
      }
    }
  }

  Heap heap;
  Names names;

 private:
  std::mt19937_64 generator_{1};
  alignas(64) std::byte no_machine_[64];  // these built-ins never look at it
  Call call_{reinterpret_cast<Machine&>(no_machine_), heap, names, nullptr};
};

TEST_F(HashBuiltinsTest, ChecksumsOfRandomIodataAgreeWithErl) {
  if (!is_erl_installed()) GTEST_SKIP() << "needs erl of release 25";
  std::vector<std::string> texts;
  std::vector<long long> ours;
  for (int i = 0; i < 1500; ++i) {
    std::string text;
    const Term data = iodata(3, text);
    const Term start = Term::small(static_cast<std::int64_t>(below(std::uint64_t{1} << 33)));
    texts.push_back("{" + std::to_string(start.small_value()) + "," + text + "}");
    ours.push_back(number("crc32", {data}));
    ours.push_back(number("crc32", {start, data}));
    ours.push_back(number("adler32", {data}));
    ours.push_back(number("adler32", {start, data}));
    ours.push_back(digest(run("md5", {data})));
    const Term context = run("md5_update", {run("md5_init", {}), data});
    ours.push_back(context.is_none() ? -1 : digest(run("md5_final", {run("md5_update", {context, data})})));
    ours.push_back(number(
        "crc32_combine", {start, Term::small(77), Term::small(static_cast<std::int64_t>(text.size()) % 40)}));
    ours.push_back(number("adler32_combine", {start, Term::small(77),
                                              Term::small(static_cast<std::int64_t>(text.size()) % 40)}));
    texts.back() = "{" + std::to_string(text.size() % 40) + "," + texts.back().substr(1);
  }
  const auto theirs = ask_erl(
      texts,
      "T = fun(F, A) -> io:format(\"~w~n\", [try apply(erlang, F, A) of"
      "      <<D:56, _:72>> -> D; R -> R catch error:badarg -> -1 end]) end,"
      "U = fun(D) -> try C = erlang:md5_update(erlang:md5_init(), D), <<V:56, _:72>> ="
      "      erlang:md5_final(erlang:md5_update(C, D)), V catch error:badarg -> -1 end end,"
      "[begin T(crc32, [D]), T(crc32, [S, D]), T(adler32, [D]), T(adler32, [S, D]), T(md5, [D]),"
      "       io:format(\"~w~n\", [U(D)]), T(crc32_combine, [S, 77, N]), T(adler32_combine, [S, 77, N])"
      " end || {N, S, D} <- Terms]");
  ASSERT_EQ(ours.size(), theirs.size());
  for (std::size_t i = 0; i < ours.size(); ++i)
    ASSERT_EQ(ours[i], theirs[i]) << i % 8 << " of " << texts[i / 8];
}

TEST_F(HashBuiltinsTest, RangesOfHashesAreChecked) {
  const Term t = Term::small(12345);
  for (const Term range :
       {Term::small(0), Term::small(-1), Term::small((std::int64_t{1} << 32) + 1), Term::nil()}) {
    EXPECT_TRUE(run("phash", {t, range}).is_none());
    EXPECT_TRUE(run("phash2", {t, range}).is_none());
  }
  const std::int64_t whole = run("phash2", {t, Term::small(std::int64_t{1} << 32)}).small_value();
  EXPECT_EQ(run("phash2", {t}).small_value(), whole % (1 << 27));
  EXPECT_EQ(run("phash2", {t, Term::small(1000)}).small_value(), whole % 1000);
  EXPECT_EQ(run("phash", {t, Term::small(1)}), Term::small(1));
}

TEST_F(HashBuiltinsTest, AnMd5ContextMustHaveItsSize) {
  const Term context = run("md5_init", {});
  EXPECT_EQ(bit_size(context), 8U * 88);
  EXPECT_TRUE(run("md5_final", {make_bytes(heap, 8 * 87)}).is_none());
  EXPECT_TRUE(run("md5_update", {make_bytes(heap, 8 * 88 + 1), Term::nil()}).is_none());
  EXPECT_TRUE(equal_exactly(run("md5_final", {context}), run("md5", {Term::nil()})));
}

}  // namespace
}  // namespace ravel::erlang
