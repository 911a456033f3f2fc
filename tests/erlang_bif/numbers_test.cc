// The number built-ins against the installed Erlang: number_calls.escript makes random calls and prints what
// came out; here the same calls are made and the outcomes compared.
#include <gmp.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "erlang/bif/builtins.h"
#include "erlang/term/arithmetic.h"
#include "erlang/term/big_integer.h"
#include "erlang/term/bits.h"
#include "tests/erlang_bif/builtins_here.h"
#include "tests/erlang_term/installed_erl.h"

namespace ravel::erlang {
namespace {

// The prefix form of terms that number_calls.escript describes. Integers go through mpz, not through our
// text.
class Reader {
 public:
  Reader(Heap& heap, Names& names, const std::string& line) : heap_(heap), names_(names), words_(line) {}

  std::string word() {
    std::string result;
    words_ >> result;
    return result;
  }
  std::string rest() {
    std::string result;
    std::getline(words_ >> std::ws, result);
    return result;
  }

  Term term() {
    const std::string text = word();
    const std::string body = text.substr(1);
    switch (text.at(0)) {
      case 'i': return integer(body);
      case 'f':
        return heap_.floating(__builtin_bit_cast(double, static_cast<Word>(std::stoull(body, nullptr, 16))));
      case 'a': return body == "[]" ? Term::nil() : names_.atoms.intern(body);
      case 'b': return binary(body);
      case '{': return heap_.tuple(terms(std::stoul(body)));
      default: break;
    }
    const std::vector<Term> elements = terms(std::stoul(body));
    const Term tail = term();
    return heap_.list(elements, tail);
  }

 private:
  std::vector<Term> terms(std::size_t count) {
    std::vector<Term> result;
    while (result.size() < count) result.push_back(term());
    return result;
  }
  Term integer(const std::string& hex) {
    mpz_t value;
    mpz_init_set_str(value, hex.c_str(), 16);
    const Term result = make_integer(heap_, {mpz_limbs_read(value), mpz_size(value)}, mpz_sgn(value) < 0);
    mpz_clear(value);
    return result;
  }
  Term binary(const std::string& hex) {
    std::string bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2)
      bytes.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
    return make_binary(heap_, bytes.data(), bytes.size());
  }

  Heap& heap_;
  Names& names_;
  std::istringstream words_;
};

std::string hex(Word word) {
  char buffer[20];
  std::snprintf(buffer, sizeof buffer, "%lX", static_cast<unsigned long>(word));
  return buffer;
}

std::string encode(const Names& names, Term t) {
  if (t.is_nil()) return "a[]";
  if (t.is_atom()) return "a" + std::string(names.atoms.text(t));
  if (is_float(t)) return "f" + hex(t.object()[1].bits());
  if (is_integer(t)) {
    if (is_big(t)) {  // the invariants of big integers
      const Magnitude magnitude(t);
      EXPECT_NE(magnitude.limbs()[magnitude.size() - 1], 0U);
      EXPECT_FALSE(to_int64(t) && fits_small(*to_int64(t)));
    }
    const Magnitude magnitude(t);
    mpz_t value;
    const mpz_srcptr view = mpz_roinit_n(value, magnitude.limbs(), static_cast<mp_size_t>(magnitude.size()));
    char* digits = mpz_get_str(nullptr, -16, view);
    const std::string text = std::string(magnitude.is_negative() ? "i-" : "i") + digits;
    void (*release)(void*, std::size_t) = nullptr;
    mp_get_memory_functions(nullptr, nullptr, &release);
    release(digits, std::char_traits<char>::length(digits) + 1);
    return text;
  }
  if (is_tuple(t)) {
    std::string text = "{" + std::to_string(tuple_size(t));
    for (Word i = 1; i <= tuple_size(t); ++i) text += " " + encode(names, element(t, i));
    return text;
  }
  if (is_binary(t)) {
    const BitView view = view_bits(t);
    std::string text = "b";
    for (std::size_t i = 0; i < view.length / 8; ++i) {
      const std::uint8_t byte = view.data()[i];
      text += hex(byte >> 4) + hex(byte & 0xF);
    }
    return text;
  }
  std::string elements;
  std::size_t length = 0;
  for (; t.is_cons(); t = t.tail(), ++length) elements += " " + encode(names, t.head());
  return "[" + std::to_string(length) + elements + " " + encode(names, t);
}

class NumberCalls {
 public:
  // The outcome of the call, in the words of the escript: "ok Term" or "error Reason". Empty if it is no call
  // of a built-in here.
  std::string outcome(const std::string& module, const std::string& function,
                      const std::vector<Term>& arguments) {
    if (module == "order")
      return "ok " + encode(names, Term::small(compare_numbers(arguments[0], arguments[1])));
    const Builtin::Key key{module, function, static_cast<std::uint32_t>(arguments.size())};
    if (!is_builtin_here(key)) return "";
    for (const Builtin& builtin : number_builtins()) {
      if (builtin.key() != key) continue;
      const Term result = builtin.function(call_, arguments.data());
      return result.is_none() ? "error " + encode(names, call_.exception.reason)
                              : "ok " + encode(names, result);
    }
    return "no such built-in";
  }

  Heap heap;
  Names names;

 private:
  alignas(64) std::byte no_machine_[64];  // number built-ins never look at it
  Call call_{reinterpret_cast<Machine&>(no_machine_), heap, names, nullptr};
};

// OTP 26 has two more: what conversions to integers that are written in Erlang are made of.
TEST(Numbers, NoRowOfTheTableIsMissing) { EXPECT_EQ(number_builtins().size(), 34U + 24U + 2U + 2U); }

TEST(Numbers, RandomCallsEndAsInTheInstalledErlang) {
  if (!is_erl_installed()) GTEST_SKIP() << "needs an installed Erlang/OTP 25";
  const char* seed = std::getenv("RAVEL_NUMBER_CALLS_SEED");
  const char* count = std::getenv("RAVEL_NUMBER_CALLS");
  const std::string command = "escript " RAVEL_SOURCE_DIR "/tests/erlang_bif/number_calls.escript " +
                              std::string(seed ? seed : "1") + " " + (count ? count : "20000");
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  ASSERT_NE(pipe, nullptr);

  NumberCalls calls;
  std::size_t lines = 0, differences = 0;
  char* buffer = nullptr;
  std::size_t capacity = 0;
  while (getline(&buffer, &capacity, pipe.get()) > 0) {
    ++lines;
    const std::string line(buffer);
    Reader reader(calls.heap, calls.names, line);
    const std::string module = reader.word(), function = reader.word();
    std::vector<Term> arguments(std::stoul(reader.word()));
    for (Term& argument : arguments) argument = reader.term();
    const std::string expected = reader.rest();
    const std::string actual = calls.outcome(module, function, arguments);
    if (!actual.empty() && actual != expected && ++differences <= 20)
      ADD_FAILURE() << line << "is here " << actual;
    if (calls.heap.is_full()) calls.heap.reset();
  }
  std::free(buffer);
  EXPECT_EQ(differences, 0U);
  EXPECT_GT(lines, 1000U);
}

}  // namespace
}  // namespace ravel::erlang
