#include "erlang/beam/opcode.h"

#include <gtest/gtest.h>

#include <cstring>

namespace ravel::erlang {
namespace {

TEST(Opcode, NumbersAreThoseOfTheFileFormat) {
  EXPECT_EQ(static_cast<int>(Opcode::kLabel), 1);
  EXPECT_EQ(static_cast<int>(Opcode::kMove), 64);
  EXPECT_EQ(static_cast<int>(Opcode::kLine), 153);
  EXPECT_EQ(static_cast<int>(Opcode::kBadrecord), 180);
  EXPECT_EQ(static_cast<int>(Opcode::kGetRecordField), 191);
}

TEST(Opcode, InfoDescribesEveryNumber) {
  for (std::uint32_t number = 1; number <= kOpcodeMax; ++number) {
    EXPECT_NE(std::strlen(opcode_info(number).name), 0u) << number;
  }
  EXPECT_STREQ(opcode_info(Opcode::kBsAppend).name, "bs_append");
  EXPECT_EQ(opcode_info(Opcode::kBsAppend).arity, 8);
}

TEST(Opcode, InstructionsThatNoCurrentCompilerWritesAreNotLoadable) {
  EXPECT_FALSE(opcode_info(68).loadable) << "put_string";
  EXPECT_FALSE(opcode_info(116).loadable) << "bs_start_match2";
  EXPECT_TRUE(opcode_info(103).loadable) << "make_fun2, until OTP 23";
}

}  // namespace
}  // namespace ravel::erlang
