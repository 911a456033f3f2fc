#include "erlang/machine/propositions.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/check.h"
#include "erlang/machine/machine.h"
#include "erlang/term/compare.h"
#include "erlang/term/map.h"

namespace ravel::erlang {

Status Propositions::open(std::span<const std::string> texts) {
  CHECK(options.observes && propositions_.empty());
  asks_who_can_go_on_ = false;
  for (const std::string& text : texts)
    if (Status added = add(text); !added) {
      close();
      return added;
    }
  return Success{};
}

Status Propositions::add(const std::string& text) {
  const auto answer = property_text_call(machine, "proposition", text);
  if (!answer) return Error{"--ltl: the proposition " + text + ": " + answer.error().message};
  Proposition proposition{.text = text, .meaning = store.intern(element(*answer, 2))};
  machine.code.literals().push_back(proposition.meaning);
  const std::string_view kind = names.atoms.text(element(proposition.meaning, 1));
  if (kind == "registered") proposition.kind = Proposition::Kind::kRegistered;
  if (kind == "enabled") {
    proposition.kind = Proposition::Kind::kEnabled;
    asks_who_can_go_on_ = true;
  }
  if (kind == "predicate") {
    proposition.kind = Proposition::Kind::kPredicate;
    proposition.observed = observed_named(names.atoms.text(element(proposition.meaning, 3)));
  }
  propositions_.push_back(std::move(proposition));
  return Success{};
}

bool Propositions::is_shown(Term meaning) const {
  const Term name = element(meaning, 2), wanted = element(meaning, 3);
  for (MapIterator probe(machine.shared_terms().probes); probe.next();) {
    if (!equal_exactly(element(probe.key(), 2), name)) continue;
    if (wanted.is_atom() ? probe.value() != atoms::kFalse : equal_exactly(probe.value(), element(wanted, 2)))
      return true;
  }
  return false;
}

Propositions::Seen Propositions::look(std::span<const Term> who_can_go_on) {
  Seen seen;
  for (std::size_t i = 0; i < propositions_.size(); ++i) {
    const Proposition& proposition = propositions_[i];
    const std::uint64_t bit = std::uint64_t{1} << i;
    const auto holds = [&](bool does) { seen.state |= does ? bit : 0; };
    switch (proposition.kind) {
      case Proposition::Kind::kShown: {
        holds(is_shown(proposition.meaning));
        const Term label = element(proposition.meaning, 4);
        const auto is_it = [&](Term passed) { return equal_exactly(passed, label); };
        if (std::ranges::any_of(record.labels, is_it)) seen.step |= bit;
        break;
      }
      case Proposition::Kind::kRegistered:
        holds(!machine.registry.whereis(element(proposition.meaning, 2)).is_none());
        break;
      case Proposition::Kind::kEnabled: {
        const Term pid = machine.registry.whereis(element(proposition.meaning, 2));
        holds(!pid.is_none() && std::ranges::find(who_can_go_on, pid) != who_can_go_on.end());
        break;
      }
      case Proposition::Kind::kPredicate: {
        PropertyMonitors::Verdict verdict =
            machine.property_monitors.ask(element(proposition.meaning, 2), proposition.observed);
        if (verdict.kind == PropertyMonitors::Verdict::Kind::kFailed) {
          seen.failed = i;
          seen.verdict = std::move(verdict);
          return seen;
        }
        holds(verdict.kind == PropertyMonitors::Verdict::Kind::kHolds);
        break;
      }
    }
  }
  return seen;
}

}  // namespace ravel::erlang
