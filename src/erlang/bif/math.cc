// The functions of the C library on floats. An argument that is no number is badarg; an integer that is too
// large for a float, and a result that is not finite, are badarith.
#include "erlang/bif/math.h"

#include <cmath>

#include "erlang/term/arithmetic.h"

namespace ravel::erlang {

namespace {

using Function1 = double (*)(double);
using Function2 = double (*)(double, double);

// The argument as a float, or a noted exception.
std::optional<double> float_argument(Call& call, Term argument) {
  const std::optional<double> value = to_double(argument);
  if (!value) is_number(argument) ? call.badarith() : call.badarg();
  return value;
}

Term finite_result(Call& call, double value) {
  return std::isfinite(value) ? call.heap.floating(value) : call.badarith();
}

template <Function1 kFunction>
Term apply(Call& call, const Term* arguments) {
  const std::optional<double> x = float_argument(call, arguments[0]);
  return x ? finite_result(call, kFunction(*x)) : Term::none();
}

template <Function2 kFunction>
Term apply(Call& call, const Term* arguments) {
  const std::optional<double> x = float_argument(call, arguments[0]);
  if (!x) return Term::none();
  const std::optional<double> y = float_argument(call, arguments[1]);
  return y ? finite_result(call, kFunction(*x, *y)) : Term::none();
}

}  // namespace

// The names without std:: are the C functions, so that no overload has to be chosen.
Term math_acos_1(Call& call, const Term* arguments) { return apply<::acos>(call, arguments); }
Term math_acosh_1(Call& call, const Term* arguments) { return apply<::acosh>(call, arguments); }
Term math_asin_1(Call& call, const Term* arguments) { return apply<::asin>(call, arguments); }
Term math_asinh_1(Call& call, const Term* arguments) { return apply<::asinh>(call, arguments); }
Term math_atan_1(Call& call, const Term* arguments) { return apply<::atan>(call, arguments); }
Term math_atan2_2(Call& call, const Term* arguments) { return apply<::atan2>(call, arguments); }
Term math_atanh_1(Call& call, const Term* arguments) { return apply<::atanh>(call, arguments); }
Term math_ceil_1(Call& call, const Term* arguments) { return apply<::ceil>(call, arguments); }
Term math_cos_1(Call& call, const Term* arguments) { return apply<::cos>(call, arguments); }
Term math_cosh_1(Call& call, const Term* arguments) { return apply<::cosh>(call, arguments); }
Term math_erf_1(Call& call, const Term* arguments) { return apply<::erf>(call, arguments); }
Term math_erfc_1(Call& call, const Term* arguments) { return apply<::erfc>(call, arguments); }
Term math_exp_1(Call& call, const Term* arguments) { return apply<::exp>(call, arguments); }
Term math_floor_1(Call& call, const Term* arguments) { return apply<::floor>(call, arguments); }
Term math_fmod_2(Call& call, const Term* arguments) { return apply<::fmod>(call, arguments); }
Term math_log_1(Call& call, const Term* arguments) { return apply<::log>(call, arguments); }
Term math_log10_1(Call& call, const Term* arguments) { return apply<::log10>(call, arguments); }
Term math_log2_1(Call& call, const Term* arguments) { return apply<::log2>(call, arguments); }
Term math_pow_2(Call& call, const Term* arguments) { return apply<::pow>(call, arguments); }
Term math_sin_1(Call& call, const Term* arguments) { return apply<::sin>(call, arguments); }
Term math_sinh_1(Call& call, const Term* arguments) { return apply<::sinh>(call, arguments); }
Term math_sqrt_1(Call& call, const Term* arguments) { return apply<::sqrt>(call, arguments); }
Term math_tan_1(Call& call, const Term* arguments) { return apply<::tan>(call, arguments); }
Term math_tanh_1(Call& call, const Term* arguments) { return apply<::tanh>(call, arguments); }

}  // namespace ravel::erlang
