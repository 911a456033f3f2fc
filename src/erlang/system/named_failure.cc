#include "erlang/system/named_failure.h"

#include <cstdint>
#include <string_view>

#include "erlang/system/test_runners.h"
#include "erlang/term/print.h"

namespace ravel::erlang {

Term without_trace(Term reason) {
  if (!is_tuple_of(reason, 2) || !element(reason, 2).is_cons()) return reason;
  const Term entry = element(reason, 2).head();
  return is_tuple_of(entry, 4) && element(entry, 1).is_atom() ? element(reason, 1) : reason;
}

NamedFailure named_failure(const Names& names, Term reason, ErrorClass error_class) {
  const auto text = [&](Term atom) { return atom.is_atom() ? names.atoms.text(atom) : std::string_view(); };
  if (is_tuple_of(reason, 4) && text(element(reason, 1)) == kEunitRunner) {
    NamedFailure failure{.name = {}, .reason = element(reason, 4), .behind = {}};
    const Term name = element(reason, 2);
    failure.name = is_tuple_of(name, 2) ? std::string(text(element(name, 1))) : std::string(text(name));
    if (is_tuple_of(name, 2) && is_tuple_of(element(name, 2), 3)) {
      const Term function = element(name, 2);
      failure.name += " (" +
                      print_function(names, element(function, 1), element(function, 2),
                                     static_cast<std::uint32_t>(element(function, 3).small_value())) +
                      ")";
    }
    const std::string_view behind = text(element(reason, 3));
    if (behind == "error") failure.behind = ErrorClass::kError;
    if (behind == "exit") failure.behind = ErrorClass::kExit;
    if (behind == "throw") failure.behind = ErrorClass::kThrow;
    return failure;
  }
  // A test that names a function which does not exist: eunit_test throws {eunit_internal, {Name, Term}}.
  if (error_class == ErrorClass::kThrow && is_tuple_of(reason, 2) && is_tuple_of(element(reason, 2), 2) &&
      text(element(element(reason, 2), 1)) == "eunit_internal" &&
      is_tuple_of(element(element(reason, 2), 2), 2)) {
    const Term problem = element(element(reason, 2), 2);
    return {.name = std::string(text(element(problem, 1))), .reason = element(problem, 2), .behind = {}};
  }
  return {.name = {}, .reason = reason, .behind = error_class};
}

}  // namespace ravel::erlang
