#include "erlang/machine/probes.h"

#include <vector>

#include "erlang/machine/machine.h"
#include "erlang/term/map.h"

namespace ravel::erlang {

void Probes::note_change() {
  record.shows = true;
  record.note_observed();
}

void Probes::set(Term pid, Term name, Term value) {
  if (!options.observes) return;
  note_change();
  const Term key = heap.tuple({pid, name});
  Term& probes = machine.change_shared_terms().probes;
  probes = value == atoms::kUndefined ? map_remove(heap, names, probes, key)
                                      : map_put(heap, names, probes, key, value);
}

void Probes::pass_label(Term name) {
  if (!options.observes) return;
  note_change();
  record.labels.push_back(name);
}

void Probes::forget_those_of(Term pid) {
  std::vector<Term> keys;
  for (MapIterator probe(machine.shared_terms().probes); probe.next();)
    if (element(probe.key(), 1) == pid) keys.push_back(probe.key());
  if (keys.empty()) return;
  note_change();
  Term& probes = machine.change_shared_terms().probes;
  for (const Term key : keys) probes = map_remove(heap, names, probes, key);
}

}  // namespace ravel::erlang
