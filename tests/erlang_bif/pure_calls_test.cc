// Calls that the installed Erlang made (pure_calls.escript), made again by our built-ins: the outcomes must
// be equal byte for byte in the external format.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "erlang/bif/builtins.h"
#include "erlang/machine/process.h"
#include "erlang/term/bits.h"
#include "erlang/term/external_format.h"
#include "erlang/term/print.h"
#include "tests/erlang_bif/builtins_here.h"
#include "tests/erlang_term/installed_erl.h"

namespace ravel::erlang {
namespace {

class Caller {
 public:
  Caller() { call_.set_self(&process_); }

  // {ok, Result} or {Class, Reason}; none if there is no such built-in.
  Term call(const Builtin::Key& key, const Term* arguments) {
    const Builtin* builtin = find(key);
    if (builtin == nullptr) return Term::none();
    const Term result = builtin->function(call_, arguments);
    if (!result.is_none()) return heap.tuple({atoms::kOk, result});
    constexpr Term kClasses[] = {atoms::kError, atoms::kExit, atoms::kThrow};
    return heap.tuple({kClasses[static_cast<int>(call_.exception.error_class)], call_.exception.reason});
  }

  Heap heap;
  Names names;

 private:
  static const Builtin* find(const Builtin::Key& key) {
    for (const auto family : {list_builtins(), tuple_builtins(), atom_builtins(), term_builtins(),
                              exception_builtins(), external_format_builtins(), text_builtins(),
                              packet_builtins(), fun_builtins(), match_specification_builtins()}) {
      const auto found = std::ranges::find(family, key, &Builtin::key);
      if (found != family.end()) return &*found;
    }
    return nullptr;
  }

  alignas(64) std::byte no_machine_[64] = {};  // these built-ins never look at it
  Process process_{Term::pid(0)};
  Call call_{reinterpret_cast<Machine&>(no_machine_), heap, names, &process_};
};

std::string run(const std::string& command) {
  std::string output;
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  char buffer[1 << 16];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe)) output.append(buffer, count);
  return pclose(pipe) == 0 ? output : std::string();
}

TEST(PureCallsTest, EveryOutcomeIsTheEmulators) {
  if (!is_erl_installed()) GTEST_SKIP() << "needs an installed Erlang/OTP 25; runs wherever there is one";
  const char* seed = std::getenv("RAVEL_PURE_CALLS_SEED");
  constexpr int kRandomCalls = 4000;
  const std::string output =
      run("escript " RAVEL_SOURCE_DIR "/tests/erlang_bif/pure_calls.escript " +
          std::string(seed != nullptr ? seed : "1") + " " + std::to_string(kRandomCalls));
  Caller caller;
  std::map<std::string, int> differences;
  int calls = 0;
  for (std::size_t at = 0; at + 4 <= output.size(); ++calls) {
    caller.heap.reset();
    std::size_t size = 0;
    for (int i = 0; i < 4; ++i) size = size << 8 | static_cast<unsigned char>(output[at++]);
    const auto piece = decode_external(caller.heap, caller.names,
                                       {reinterpret_cast<const std::uint8_t*>(output.data() + at), size});
    at += size;
    ASSERT_TRUE(piece);
    const Term module = element(*piece, 1), function = element(*piece, 2), arguments = element(*piece, 3);
    std::vector<Term> array;
    for (Term list = arguments; list.is_cons(); list = list.tail()) array.push_back(list.head());
    const Builtin::Key key{caller.names.atoms.text(module), caller.names.atoms.text(function),
                           static_cast<std::uint32_t>(array.size())};
    if (!is_builtin_here(key)) continue;
    const BitView expected = view_bits(element(*piece, 4));
    const Term outcome = caller.call(key, array.data());
    ASSERT_FALSE(outcome.is_none()) << print_term(caller.names, function);
    const auto encoded = encode_external(caller.heap, caller.names, outcome,
                                         {.minor_version = installed_release().external_minor_version});
    if (encoded->size() * 8 == expected.length &&
        std::equal(encoded->begin(), encoded->end(), expected.data()))
      continue;
    const std::string name = print_function(caller.names, module, function, array.size());
    if (++differences[name] > 5) continue;  // enough to see
    const auto wanted = decode_external(caller.heap, caller.names, {expected.data(), expected.length / 8});
    ADD_FAILURE() << name << ' ' << print_term(caller.names, arguments, {.bytes_max = 400})
                  << "\n  erl:   " << print_term(caller.names, *wanted, {.bytes_max = 400})
                  << "\n  ravel: " << print_term(caller.names, outcome, {.bytes_max = 400});
  }
  EXPECT_GT(calls, kRandomCalls);
  for (const auto& [name, count] : differences) ADD_FAILURE() << count << " differences of " << name;
}

}  // namespace
}  // namespace ravel::erlang
