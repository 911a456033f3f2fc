// CHECK(condition): a mistake of ours, in every build type.
//
// A failed CHECK prints the expression and its place and aborts. It guards invariants of this program;
// bad input is a Result error (base/result.h), and a bug of the program under test is a value.
// CHECK_MESSAGE adds a sentence for the reader of the crash.

#pragma once

namespace ravel {

[[noreturn, gnu::cold, gnu::noinline]] void check_failed(const char* expression, const char* file, int line,
                                                         const char* message);

}  // namespace ravel

#define CHECK(condition) CHECK_MESSAGE(condition, nullptr)

#define CHECK_MESSAGE(condition, message)               \
  (__builtin_expect(static_cast<bool>(condition), true) \
       ? static_cast<void>(0)                           \
       : ::ravel::check_failed(#condition, __FILE__, __LINE__, message))
