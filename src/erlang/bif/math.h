// The built-ins of the module math, as rows for the table of numbers.cc.
#pragma once

#include <array>

#include "erlang/machine/builtin.h"

namespace ravel::erlang {

Term math_acos_1(Call& call, const Term* arguments);
Term math_acosh_1(Call& call, const Term* arguments);
Term math_asin_1(Call& call, const Term* arguments);
Term math_asinh_1(Call& call, const Term* arguments);
Term math_atan_1(Call& call, const Term* arguments);
Term math_atan2_2(Call& call, const Term* arguments);
Term math_atanh_1(Call& call, const Term* arguments);
Term math_ceil_1(Call& call, const Term* arguments);
Term math_cos_1(Call& call, const Term* arguments);
Term math_cosh_1(Call& call, const Term* arguments);
Term math_erf_1(Call& call, const Term* arguments);
Term math_erfc_1(Call& call, const Term* arguments);
Term math_exp_1(Call& call, const Term* arguments);
Term math_floor_1(Call& call, const Term* arguments);
Term math_fmod_2(Call& call, const Term* arguments);
Term math_log_1(Call& call, const Term* arguments);
Term math_log10_1(Call& call, const Term* arguments);
Term math_log2_1(Call& call, const Term* arguments);
Term math_pow_2(Call& call, const Term* arguments);
Term math_sin_1(Call& call, const Term* arguments);
Term math_sinh_1(Call& call, const Term* arguments);
Term math_sqrt_1(Call& call, const Term* arguments);
Term math_tan_1(Call& call, const Term* arguments);
Term math_tanh_1(Call& call, const Term* arguments);

inline constexpr auto kMathBuiltins = std::to_array<Builtin>({
    {"math", "acos", 1, Effect::kPure, math_acos_1},   {"math", "acosh", 1, Effect::kPure, math_acosh_1},
    {"math", "asin", 1, Effect::kPure, math_asin_1},   {"math", "asinh", 1, Effect::kPure, math_asinh_1},
    {"math", "atan", 1, Effect::kPure, math_atan_1},   {"math", "atan2", 2, Effect::kPure, math_atan2_2},
    {"math", "atanh", 1, Effect::kPure, math_atanh_1}, {"math", "ceil", 1, Effect::kPure, math_ceil_1},
    {"math", "cos", 1, Effect::kPure, math_cos_1},     {"math", "cosh", 1, Effect::kPure, math_cosh_1},
    {"math", "erf", 1, Effect::kPure, math_erf_1},     {"math", "erfc", 1, Effect::kPure, math_erfc_1},
    {"math", "exp", 1, Effect::kPure, math_exp_1},     {"math", "floor", 1, Effect::kPure, math_floor_1},
    {"math", "fmod", 2, Effect::kPure, math_fmod_2},   {"math", "log", 1, Effect::kPure, math_log_1},
    {"math", "log10", 1, Effect::kPure, math_log10_1}, {"math", "log2", 1, Effect::kPure, math_log2_1},
    {"math", "pow", 2, Effect::kPure, math_pow_2},     {"math", "sin", 1, Effect::kPure, math_sin_1},
    {"math", "sinh", 1, Effect::kPure, math_sinh_1},   {"math", "sqrt", 1, Effect::kPure, math_sqrt_1},
    {"math", "tan", 1, Effect::kPure, math_tan_1},     {"math", "tanh", 1, Effect::kPure, math_tanh_1},
});

}  // namespace ravel::erlang
