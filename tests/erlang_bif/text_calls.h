// Calls that the installed Erlang made (text_calls.escript), made again by our built-ins: the outcomes must
// be equal.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "erlang/bif/builtins.h"
#include "erlang/bif/pcre_pattern.h"
#include "erlang/term/bits.h"
#include "erlang/term/compare.h"
#include "erlang/term/external_format.h"
#include "erlang/term/print.h"
#include "tests/erlang_term/installed_erl.h"

namespace ravel::erlang {

class TextCalls {
 public:
  struct Outcome {
    bool is_error = false;
    bool is_elsewhere = false;  // goes on in Erlang code
    Term term;                  // the result, or the reason
  };

  explicit TextCalls(std::span<const Builtin> builtins) : builtins_(builtins) {
    use_dialect(RegexDialect::kPcre8);
  }

  // Of regular expressions, for those that are not compiled yet.
  void use_dialect(RegexDialect dialect) { call_.patterns = std::make_shared<PatternCache>(dialect); }

  Outcome run(std::string_view module, std::string_view function, const std::vector<Term>& arguments) {
    const Builtin::Key key{module, function, static_cast<std::uint32_t>(arguments.size())};
    for (const Builtin& builtin : builtins_) {
      if (builtin.key() != key) continue;
      call_.replacement.arity = 0;
      const Term result = builtin.function(call_, arguments.data());
      if (!result.is_none()) return {.term = result};
      if (call_.replacement.arity != 0) return {.is_elsewhere = true, .term = Term::none()};
      return {.is_error = true, .term = call_.exception.reason};
    }
    ADD_FAILURE() << "no built-in " << module << ':' << function << '/' << arguments.size();
    return {.is_error = true, .term = atoms::kUndef};
  }

  Term binary(std::string_view bytes) { return make_binary(heap, bytes.data(), bytes.size()); }
  Term atom(std::string_view text) { return names.atoms.intern(text); }

  // The same term, but now and then a binary begins in the middle of a byte.
  Term disturb(Term t) {
    if (is_bitstring(t) && random.chance(1, 2)) {
      const std::uint64_t before = random.below(20), size = bit_size(t);
      const Term bytes = make_bytes(heap, before + size + 7);
      const BitView view = view_bits(t);
      for (std::uint64_t i = 0; i < (before + size + 7) / 8; ++i)
        bytes_of(bytes)[i] = static_cast<std::uint8_t>(random.next());
      copy_bits(bytes_of(bytes), before, view.bytes, view.offset, size);
      return make_sub_bits(heap, bytes, before, size);
    }
    if (t.is_cons()) return heap.cons(disturb(t.head()), disturb(t.tail()));
    return t;
  }

  // Runs `make(module, function, arguments)` for each recorded call and compares.
  template <typename Make>
  void compare(const std::string& family, int count, Make make) {
    if (!is_erl_installed()) GTEST_SKIP() << "no Erlang is installed here";
    const char* seed = std::getenv("RAVEL_TEXT_CALLS_SEED");
    const std::string file = testing::TempDir() + "ravel_" + family + "_calls";
    const std::string command = "escript " RAVEL_SOURCE_DIR "/tests/erlang_bif/text_calls.escript " + family +
                                " " + (seed != nullptr ? seed : "1") + " " + std::to_string(count) + " " +
                                file;
    ASSERT_EQ(std::system(command.c_str()), 0);
    std::ifstream stream(file, std::ios::binary);
    const std::string content((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    std::remove(file.c_str());
    int calls = 0, elsewhere = 0, differences = 0;
    for (std::size_t at = 0; at + 4 <= content.size(); ++calls) {
      const auto byte = [&](std::size_t i) {
        return static_cast<std::size_t>(static_cast<unsigned char>(content[at + i]));
      };
      const std::size_t size = byte(0) << 24 | byte(1) << 16 | byte(2) << 8 | byte(3);
      const auto record = decode_external(
          heap, names, {reinterpret_cast<const std::uint8_t*>(content.data()) + at + 4, size});
      ASSERT_TRUE(record);
      at += 4 + size;
      std::vector<Term> arguments;
      for (Term t = element(*record, 3); t.is_cons(); t = t.tail()) arguments.push_back(disturb(t.head()));
      const Term expected = element(*record, 4);
      const Outcome actual =
          make(names.atoms.text(element(*record, 1)), names.atoms.text(element(*record, 2)), arguments);
      if (actual.is_elsewhere) {
        ++elsewhere;
      } else if (actual.is_error != (element(expected, 1) == atoms::kError) ||
                 !equal_exactly(actual.term, element(expected, 2))) {
        if (++differences <= 20)
          ADD_FAILURE() << print_term(names, *record) << "\n  is here "
                        << (actual.is_error ? "the error " : "") << print_term(names, actual.term);
      }
      if (heap.is_full()) heap.reset();
    }
    EXPECT_EQ(differences, 0);
    EXPECT_EQ(calls, count);
    EXPECT_LT(elsewhere, count / 2);
  }

  Heap heap;
  Names names;
  Random random{7};

 private:
  std::span<const Builtin> builtins_;
  alignas(64) std::byte no_machine_[64];  // these built-ins never look at it
  Call call_{reinterpret_cast<Machine&>(no_machine_), heap, names, nullptr};
};

}  // namespace ravel::erlang
