// What a process shows of itself: ravel:probe/2 and ravel:label/1; and what it tells the explorer that says
// who moves: ravel:explorer/1 (lib/ravel.erl).
#include "erlang/machine/probes.h"

#include "erlang/bif/builtins.h"
#include "erlang/machine/machine.h"

namespace ravel::erlang {

namespace {

Term explorer_1(Call& call, const Term* arguments) {
  call.machine.told_explorer.tell(call.self().pid, arguments[0]);
  return atoms::kOk;
}

Term label_1(Call& call, const Term* arguments) {
  call.machine.probes.pass_label(arguments[0]);
  return atoms::kOk;
}

Term probe_2(Call& call, const Term* arguments) {
  call.machine.probes.set(call.self().pid, arguments[0], arguments[1]);
  return atoms::kOk;
}

constexpr Builtin kProbeBuiltins[] = {{"ravel", "explorer", 1, Effect::kLocal, explorer_1},
                                      {"ravel", "label", 1, Effect::kShown, label_1},
                                      {"ravel", "probe", 2, Effect::kShown, probe_2}};

}  // namespace

std::span<const Builtin> probe_builtins() { return kProbeBuiltins; }

}  // namespace ravel::erlang
