// The modules of src/erlang/lib that run the tests of a framework.
#pragma once

#include <string_view>

namespace ravel::erlang {

inline constexpr char kEunitRunner[] = "ravel_eunit";
inline constexpr char kExunitRunner[] = "ravel_exunit";
inline constexpr char kCommonTestRunner[] = "ravel_ct";

inline bool is_runner(std::string_view module) {
  return module == kEunitRunner || module == kExunitRunner || module == kCommonTestRunner;
}

}  // namespace ravel::erlang
