// What a process shows of itself: ravel:probe/2 and ravel:label/1 (lib/ravel.erl).
#include "erlang/machine/probes.h"

#include "erlang/bif/builtins.h"
#include "erlang/machine/machine.h"

namespace ravel::erlang {

namespace {

Term label_1(Call& call, const Term* arguments) {
  call.machine.probes.pass_label(arguments[0]);
  return atoms::kOk;
}

Term probe_2(Call& call, const Term* arguments) {
  call.machine.probes.set(call.self().pid, arguments[0], arguments[1]);
  return atoms::kOk;
}

constexpr Builtin kProbeBuiltins[] = {{"ravel", "label", 1, Effect::kShown, label_1},
                                      {"ravel", "probe", 2, Effect::kShown, probe_2}};

}  // namespace

std::span<const Builtin> probe_builtins() { return kProbeBuiltins; }

}  // namespace ravel::erlang
