#include "erlang/machine/mishaps.h"

#include <algorithm>

#include "base/check.h"
#include "erlang/machine/machine.h"

namespace ravel::erlang {

namespace {

// Of each kind in SharedTerms::mishaps_left.
constexpr unsigned kBits = 16;
static_assert(kMishapsMax < std::uint32_t{1} << kBits);

constexpr unsigned shift_of(Mishaps::Kind kind) { return kBits * static_cast<unsigned>(kind); }

}  // namespace

void Mishaps::begin() {
  const MishapOptions& most = options.mishaps;
  const std::uint32_t early = most.early.value_or(0);
  if (most.count() == 0 && early == 0) return;
  machine.change_shared_terms().mishaps_left = std::uint64_t{most.kills} << shift_of(Kind::kKill) |
                                               std::uint64_t{most.losses} << shift_of(Kind::kLoss) |
                                               std::uint64_t{most.duplications}
                                                   << shift_of(Kind::kDuplication) |
                                               std::uint64_t{early} << shift_of(Kind::kEarly);
}

void Mishaps::end() {
  record.event.kind = OperationKind::kTimePasses;
  record.event.value = Term::none();
  record.note_plain_access(ObjectClass::kTime, 0, access::kPass);
  machine.change_shared_terms().mishaps_left = 0;
}

std::uint32_t Mishaps::left(Kind kind) const {
  return static_cast<std::uint32_t>(machine.shared_terms().mishaps_left >> shift_of(kind)) &
         ((std::uint32_t{1} << kBits) - 1);
}

void Mishaps::take(Kind kind) {
  CHECK(left(kind) > 0);
  machine.change_shared_terms().mishaps_left -= std::uint64_t{1} << shift_of(kind);
}

bool Mishaps::is_slow(Term sender) const {
  if (options.mishaps.slow.empty()) return false;
  const Process* const process = machine.processes.find_even_ended(sender);
  return process != nullptr && std::ranges::any_of(options.mishaps.slow, [&](const ProcessPattern& pattern) {
           return pattern.matches(names, *process);
         });
}

void Mishaps::kill(Process& process) {
  CHECK(may_be_killed(process));
  take(Kind::kKill);
  record.event.kind = OperationKind::kKilled;
  record.event.object = process.pid;
  record.note_access(ObjectClass::kRun, process.pid.pid_name(), access::kWrite);
  record.note_plain_access(ObjectClass::kLife, process.pid.pid_name(), access::kWrite);
  machine.endings.strike(process, atoms::kKilled, kOrigin);
}

void Mishaps::lose(std::size_t channel) {
  take(Kind::kLoss);
  machine.channels.take_oldest(channel);
  record.event.kind = OperationKind::kLost;
}

void Mishaps::duplicate(std::size_t channel) {
  take(Kind::kDuplication);
  machine.channels.bring_copy(channel);
  record.event.kind = OperationKind::kArrivesTwice;
}

}  // namespace ravel::erlang
