// Code that uses frames and registers as no compiler writes it.
#include "erlang/machine/frame_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "erlang/beam/opcode.h"
#include "erlang/machine/machine.h"
#include "tests/erlang_beam/installed_modules.h"
#include "tests/erlang_beam/module_builder.h"
#include "tests/erlang_machine/mutants.h"

namespace ravel::erlang {
namespace {

using testing::HasSubstr;

constexpr std::uint32_t kOk = 3;  // the atom

Bytes op(Opcode opcode, std::initializer_list<Bytes> operands = {}) {
  Bytes code = {static_cast<std::uint8_t>(opcode)};
  for (const Bytes& operand : operands) code = code + operand;
  return code;
}

const Bytes kMoveOk = op(Opcode::kMove, {atom(kOk), x(0)});
const Bytes kRemoveMessage = op(Opcode::kRemoveMessage);
const Bytes kReturn = op(Opcode::kReturn);
Bytes define(std::uint32_t number) { return op(Opcode::kLabel, {u(number)}); }
Bytes allocate(std::uint32_t slots, std::uint32_t live = 0) {
  return op(Opcode::kAllocate, {u(slots), u(live)});
}
Bytes deallocate(std::uint32_t slots) { return op(Opcode::kDeallocate, {u(slots)}); }
Bytes call_itself() { return op(Opcode::kCall, {u(0), label(2)}); }
Bytes move(const Bytes& from, const Bytes& to) { return op(Opcode::kMove, {from, to}); }
Bytes test_atom(const Bytes& tested, std::uint32_t fail) {
  return op(Opcode::kIsAtom, {label(fail), tested});
}

// What is wrong with m:f/0 whose body this is, or an empty text. Labels up to 9 may be used; those below 3
// are taken.
std::string problem(const Bytes& body) {
  ModuleBuilder builder;
  builder.body = body;
  builder.labels = 10;
  builder.atoms = {"m", "f", "ok", "erlang", "error"};
  builder.chunks = {{"ImpT", be32(1) + be32(4) + be32(5) + be32(1)}};
  const auto file = read_beam(builder.build(), "m.beam");
  EXPECT_TRUE(file.ok()) << file.error().message;
  if (!file) return "cannot be read";
  const Status status = check_frames(*file, "m.beam");
  return status ? "" : status.error().message;
}

TEST(FrameCheck, what_compilers_write_is_good) {
  EXPECT_EQ(problem(kMoveOk + kReturn), "");
  EXPECT_EQ(problem(allocate(1) + kMoveOk + move(x(0), y(0)) + call_itself() + move(y(0), x(0)) +
                    deallocate(1) + kReturn),
            "");
  EXPECT_EQ(problem(allocate(2) + kMoveOk + move(x(0), y(1)) + op(Opcode::kTrim, {u(1), u(1)}) +
                    call_itself() + move(y(0), x(0)) + op(Opcode::kCallLast, {u(0), label(2), u(1)})),
            "");
}

TEST(FrameCheck, a_message_says_what_is_wrong_and_where) {
  EXPECT_EQ(problem(move(y(1), x(0)) + kReturn),
            "m.beam: the file is damaged: in the function f/0, instruction 4 (move) uses y1 outside of its "
            "stack frame. "
            "Compile the module again.");
}

TEST(FrameCheck, slots_lie_inside_the_frame) {
  EXPECT_THAT(problem(kMoveOk + move(x(0), y(0)) + kReturn), HasSubstr("uses y0 outside"));
  EXPECT_THAT(problem(allocate(1) + kMoveOk + move(x(0), y(1)) + deallocate(1) + kReturn),
              HasSubstr("uses y1 outside"));
  EXPECT_THAT(problem(allocate(1) + deallocate(1) + move(y(0), x(0)) + kReturn),
              HasSubstr("uses y0 outside"));
  EXPECT_THAT(
      problem(allocate(2) + op(Opcode::kTrim, {u(1), u(1)}) + move(y(1), x(0)) + deallocate(1) + kReturn),
      HasSubstr("uses y1 outside"));
}

TEST(FrameCheck, frames_are_made_and_dropped_in_turn) {
  EXPECT_THAT(problem(allocate(1) + allocate(1) + kMoveOk + deallocate(1) + kReturn),
              HasSubstr("there is one"));
  EXPECT_THAT(problem(allocate(1) + kMoveOk + kReturn), HasSubstr("there is one"));
  EXPECT_THAT(problem(kMoveOk + deallocate(0) + kReturn), HasSubstr("there is none"));
  EXPECT_THAT(problem(allocate(1) + kMoveOk + deallocate(2) + kReturn),
              HasSubstr("of 2 slots, and it has 1"));
  EXPECT_THAT(problem(allocate(2) + op(Opcode::kTrim, {u(2), u(1)})),
              HasSubstr("leaves 1 of 2 slots by dropping 2"));
  EXPECT_THAT(problem(op(Opcode::kTrim, {u(0), u(0)})), HasSubstr("there is none"));
  EXPECT_THAT(problem(call_itself() + kReturn), HasSubstr("there is none"));
  EXPECT_THAT(problem(allocate(0) + op(Opcode::kCallOnly, {u(0), label(2)})), HasSubstr("there is one"));
  EXPECT_THAT(problem(allocate(0) + op(Opcode::kCallLast, {u(0), label(2), u(1)})),
              HasSubstr("of 1 slots, and it has 0"));
}

TEST(FrameCheck, an_exception_may_be_raised_without_a_frame) {
  EXPECT_EQ(problem(kMoveOk + op(Opcode::kCallExt, {u(1), u(0)})), "");
  EXPECT_EQ(problem(allocate(0) + kMoveOk + op(Opcode::kCallExtLast, {u(1), u(0), u(7)})), "");
}

TEST(FrameCheck, the_end_of_a_function_is_not_run_past) {
  EXPECT_THAT(problem(kMoveOk), HasSubstr("past the end of the function"));
  EXPECT_THAT(problem(kMoveOk + test_atom(x(0), 3) + kReturn + define(3)), HasSubstr("past the end"));
}

TEST(FrameCheck, where_paths_meet_only_what_they_share_counts) {
  // A frame on one path only: raising an exception is fine, using the frame is not.
  const Bytes split = kMoveOk + test_atom(x(0), 3) + allocate(1, 1) + define(3);
  EXPECT_EQ(problem(split + op(Opcode::kCaseEnd, {x(0)})), "");
  EXPECT_THAT(problem(split + kReturn), HasSubstr("there is one"));
  EXPECT_THAT(problem(split + deallocate(1) + kReturn), HasSubstr("there is none"));
  EXPECT_THAT(problem(split + move(y(0), x(0)) + kReturn), HasSubstr("uses y0 outside"));
  // A register that only one path sets.
  EXPECT_THAT(
      problem(kMoveOk + test_atom(x(0), 3) + move(x(0), x(1)) + define(3) + move(x(1), x(0)) + kReturn),
      HasSubstr("reads x1"));
}

TEST(FrameCheck, registers_are_set_before_they_are_read_or_kept) {
  EXPECT_THAT(problem(kReturn), HasSubstr("reads x0"));
  EXPECT_THAT(problem(allocate(0, 1) + kMoveOk + deallocate(0) + kReturn), HasSubstr("needs 1 x registers"));
  EXPECT_THAT(problem(op(Opcode::kTestHeap, {u(2), u(3)}) + kMoveOk + kReturn),
              HasSubstr("needs 3 x registers"));
  // What is not live is gone after a collection; so is all but x0 after a call.
  EXPECT_THAT(problem(kMoveOk + op(Opcode::kTestHeap, {u(2), u(0)}) + kReturn), HasSubstr("reads x0"));
  EXPECT_THAT(problem(allocate(0) + move(atom(kOk), x(1)) + call_itself() + move(x(1), x(0)) + deallocate(0) +
                      kReturn),
              HasSubstr("reads x1"));
  EXPECT_THAT(problem(kMoveOk + op(Opcode::kSend)), HasSubstr("needs 2 x registers"));
  EXPECT_THAT(problem(kMoveOk + op(Opcode::kPutTuple2, {x(0), list(2), x(0), x(900)}) + kReturn),
              HasSubstr("reads x900"));
  EXPECT_EQ(problem(kMoveOk + move(x(0), x(900)) + move(x(900), x(0)) + kReturn), "");
}

TEST(FrameCheck, catches_are_nested_closed_and_never_read) {
  const Bytes open = allocate(2) + op(Opcode::kTry, {y(1), label(3)});
  const Bytes handled = define(3) + op(Opcode::kTryCase, {y(1)}) + deallocate(2) + kReturn;
  const Bytes closed = op(Opcode::kTryEnd, {y(1)}) + deallocate(2) + kReturn;
  EXPECT_EQ(problem(open + call_itself() + closed + handled), "");
  EXPECT_THAT(problem(open + move(y(1), x(0)) + closed + handled), HasSubstr("holds an open catch"));
  EXPECT_THAT(problem(open + kMoveOk + op(Opcode::kTrim, {u(1), u(1)}) + deallocate(1) + kReturn + handled),
              HasSubstr("moves an open catch"));
  // x0 is nothing where an exception arrives.
  EXPECT_THAT(problem(open + call_itself() + closed + define(3) + deallocate(2) + kReturn),
              HasSubstr("reads x0"));
  // The catch in the lower slot gets the exception.
  const Bytes inner = op(Opcode::kTry, {y(0), label(4)}) + call_itself() + op(Opcode::kTryEnd, {y(0)});
  const Bytes inner_handled = define(4) + op(Opcode::kTryCase, {y(0)}) + closed;
  EXPECT_EQ(problem(open + inner + closed + inner_handled + handled), "");
  EXPECT_THAT(problem(allocate(2) + op(Opcode::kTry, {y(0), label(3)}) + op(Opcode::kTry, {y(1), label(3)}) +
                      handled),
              HasSubstr("inside of one in a lower slot"));
}

TEST(FrameCheck, a_receive_is_not_left_halfway) {
  const Bytes head = allocate(0) + define(3) + op(Opcode::kLoopRec, {label(5), x(0)});
  const Bytes tail =
      define(4) + op(Opcode::kLoopRecEnd, {label(3)}) + define(5) + op(Opcode::kWait, {label(3)});
  const Bytes done = deallocate(0) + kReturn;
  EXPECT_EQ(problem(head + test_atom(x(0), 4) + kRemoveMessage + done + tail), "");
  EXPECT_THAT(problem(head + test_atom(x(0), 4) + done + tail), HasSubstr("in the middle of a receive"));
  EXPECT_THAT(problem(head + test_atom(x(0), 4) + call_itself() + kRemoveMessage + done + tail),
              HasSubstr("in the middle of a receive"));
  EXPECT_THAT(problem(allocate(0) + kMoveOk + kRemoveMessage + done), HasSubstr("there is none"));
  EXPECT_THAT(problem(head + kRemoveMessage + done + define(5) + kRemoveMessage + kMoveOk + done),
              HasSubstr("takes a message, and there is none"));
  // A process that waits keeps no registers.
  EXPECT_THAT(
      problem(allocate(0) + move(atom(kOk), x(1)) + define(3) + op(Opcode::kLoopRec, {label(5), x(0)}) +
              kRemoveMessage + move(x(1), x(0)) + done + define(5) + op(Opcode::kWait, {label(3)})),
      HasSubstr("reads x1"));
}

TEST(FrameCheck, binaries_are_begun_before_they_are_added_to) {
  const Bytes put = op(Opcode::kBsPutInteger, {label(0), i(8), u(1), u(0), i(1)});
  EXPECT_EQ(problem(op(Opcode::kBsInit2, {label(0), u(1), u(0), u(0), u(0), x(0)}) + put + kReturn), "");
  EXPECT_THAT(problem(kMoveOk + put + kReturn), HasSubstr("nothing has begun"));
}

TEST(FrameCheck, functions_do_not_jump_into_each_other) {
  ModuleBuilder builder;
  builder.labels = 6;
  builder.functions = 2;
  builder.atoms = {"m", "f", "ok", "g"};
  builder.body = op(Opcode::kJump, {label(5)}) + define(3) + op(Opcode::kFuncInfo, {atom(1), atom(4), u(0)}) +
                 define(4) + define(5) + kMoveOk + kReturn;
  const auto file = read_beam(builder.build(), "m.beam");
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_THAT(check_frames(*file, "m.beam").error().message, HasSubstr("jumps into another function"));
}

TEST(FrameCheck, all_installed_modules_are_good) {
  std::size_t count = 0;
  for (const std::string& path : installed_beams("")) {
    const auto file = read_beam_file(path);
    ASSERT_TRUE(file.ok());
    const Status status = check_frames(*file, path);
    EXPECT_TRUE(status.ok()) << status.error().message;
    ++count;
  }
  if (count == 0) GTEST_SKIP() << "no Erlang/OTP is installed at " << kInstalledOtp;
  EXPECT_GT(count, 100u);
}

// ---- Mutants

class NoModules final : public ModuleSource {
 public:
  std::optional<std::vector<std::uint8_t>> find_module(std::string_view, std::string&) override {
    return std::nullopt;
  }
};

// Loading says what is wrong, or loads.
TEST(FrameCheck, mutants_load_or_are_refused_by_a_message) {
  int loaded = 0, refused = 0;
  for (const std::string& path : installed_beams("stdlib")) {
    const std::string name = std::filesystem::path(path).stem();
    const bool is_wanted =
        name == "queue" || name == "gen_server" || name == "base64" || name == "timer" || name == "ordsets";
    if (!is_wanted) continue;
    const Mutator mutator(bytes_of_file(path));
    NoModules modules;
    {
      Machine machine(MachineOptions{}, modules, {});
      const auto module = machine.code.load_module(mutator.unchanged(), "unchanged.beam");
      EXPECT_TRUE(module.ok()) << module.error().message;
    }
    auto machine = std::make_unique<Machine>(MachineOptions{}, modules, std::span<const Builtin>());
    for (std::uint64_t seed = 1; seed <= 600; ++seed) {
      Random random(seed);
      const auto module = machine->code.load_module(mutator.mutant(random), "mutant.beam");
      if (module) {
        ++loaded;  // a module is loaded once
        machine = std::make_unique<Machine>(MachineOptions{}, modules, std::span<const Builtin>());
      } else {
        ++refused;
        EXPECT_THAT(module.error().message, testing::StartsWith("mutant.beam: "))
            << name << ", seed " << seed;
        EXPECT_THAT(module.error().message, testing::EndsWith(".")) << name << ", seed " << seed;
      }
    }
  }
  if (loaded + refused == 0) GTEST_SKIP() << "no Erlang/OTP is installed at " << kInstalledOtp;
  EXPECT_GT(loaded, 300);
  EXPECT_GT(refused, 300);
}

}  // namespace
}  // namespace ravel::erlang
