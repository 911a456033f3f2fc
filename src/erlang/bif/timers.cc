// Timers: send_after, start_timer, cancel_timer, read_timer.
//
// A timer is an actor of its own. When it may fire is for the policy of time to say (machine.h, TimePolicy):
// at any time, and until it does it has all its time left, or in the order of the deadlines.
#include <algorithm>
#include <array>

#include "erlang/bif/builtins.h"
#include "erlang/bif/process_family.h"
#include "erlang/bif/virtual_clock.h"

namespace ravel::erlang {

namespace {

// The emulator's end of time, in milliseconds.
constexpr std::int64_t kTimeMax = 9'223'372'036'854;

struct TimerOptions {
  bool async = false;
  bool info = true;
  bool absolute = false;
};

// Which of the options a function takes.
enum class Takes : std::uint8_t { kAbs, kAsync, kAsyncAndInfo };

std::optional<TimerOptions> parse_options(Term list, Takes takes) {
  TimerOptions options;
  for (; list.is_cons(); list = list.tail()) {
    const Term option = list.head();
    if (!is_tuple_of(option, 2)) return std::nullopt;
    const Term name = element(option, 1);
    const Term value = element(option, 2);
    if (value != atoms::kTrue && value != atoms::kFalse) return std::nullopt;
    if (name == atoms::kAbs && takes == Takes::kAbs) {
      options.absolute = value == atoms::kTrue;
    } else if (name == atoms::kAsync && takes != Takes::kAbs) {
      options.async = value == atoms::kTrue;
    } else if (name == atoms::kInfo && takes == Takes::kAsyncAndInfo) {
      options.info = value == atoms::kTrue;
    } else {
      return std::nullopt;
    }
  }
  if (!list.is_nil()) return std::nullopt;
  return options;
}

Term set_timer(Call& call, const Term* arguments, TimerMessage form, const TimerOptions& options) {
  const Term time = arguments[0];
  const Term target = arguments[1];
  const std::int64_t clock =
      options.absolute ? (kVirtualMonotonicNs + call.machine.time.clock_ns()) / kNsPerMillisecond : 0;
  if (!time.is_small() || time.small_value() > kTimeMax ||
      time.small_value() < (options.absolute ? -kTimeMax : 0))
    return call.fail(atoms::kBadarg, atoms::kTime);
  if (!target.is_pid() && !target.is_atom()) return call.badarg();
  Process& self = call.self();
  const Term reference = call.machine.signals.make_reference(self);
  // A timer for who is gone counts as cancelled. Where timers outlive whom they are aimed at, it is there
  // nevertheless, so that setting it has nothing to do with the end.
  if (target.is_pid() && !call.machine.options.notes_messages) {
    call.machine.record.note_access(ObjectClass::kLife, target.pid_name(), access::kRead);
    if (target != call.names.device_pid() && call.machine.processes.find(target) == nullptr) return reference;
  }
  call.machine.record.note_access(ObjectClass::kTimer, reference.reference_payload(), access::kCreate);
  const std::int64_t left = time.small_value() - clock;
  const bool never_fires = left >= call.machine.options.after_infinite_ms;
  const bool waits = call.machine.options.time == TimePolicy::kIdle && !call.machine.options.fires_early;
  if (waits && left > 0 && !never_fires && !call.names.is_below_system(self.pid))
    call.machine.faults.note_assumed(Assumed::kTimeoutsWait);
  call.machine.time.add_timer({.reference = reference,
                               .target = target,
                               .content = arguments[2],
                               .creator = self.pid,
                               .form = form,
                               .due_ms = call.machine.time.deadline_in(left),
                               .never_fires = never_fires});
  return reference;
}

Term set_timer_with_options(Call& call, const Term* arguments, TimerMessage form) {
  const auto options = parse_options(arguments[3], Takes::kAbs);
  if (!options) return call.fail(atoms::kBadarg, atoms::kBadopt);
  return set_timer(call, arguments, form, *options);
}

enum class Access : std::uint8_t { kRead, kCancel };

// Milliseconds left, or false: here, or in a message.
Term access_timer(Call& call, Term reference, Access how, const TimerOptions& options) {
  const bool is_foreign_reference = is_foreign(reference, atoms::kReference);
  if (!reference.is_reference() && !is_foreign_reference) return call.badarg();
  Term result = atoms::kFalse;
  if (!is_foreign_reference) {
    call.machine.record.note_access(ObjectClass::kTimer, reference.reference_payload(), access::kRead);
    const Timer* timer = call.machine.time.find_timer(reference);
    if (timer != nullptr && timer->target.is_pid()) {
      call.machine.record.note_access(ObjectClass::kLife, timer->target.pid_name(), access::kRead);
      if (call.machine.processes.find(timer->target) == nullptr) timer = nullptr;  // the target has ended
    }
    if (timer != nullptr) {
      result = Term::small(call.machine.time.time_left(*timer));
      if (how == Access::kCancel) call.machine.time.remove_timer(reference);
    }
  }
  if (!options.async) return options.info || is_foreign_reference ? result : atoms::kOk;
  if (options.info) {
    const Term tag = how == Access::kRead ? atoms::kReadTimer : atoms::kCancelTimer;
    call.machine.signals.deliver(call.self().pid, call.heap.tuple({tag, reference, result}),
                                 atoms::kClockService);
  }
  return atoms::kOk;
}

Term cancel_timer_1(Call& call, const Term* arguments) {
  return access_timer(call, arguments[0], Access::kCancel, {});
}

Term cancel_timer_2(Call& call, const Term* arguments) {
  const auto options = parse_options(arguments[1], Takes::kAsyncAndInfo);
  return options ? access_timer(call, arguments[0], Access::kCancel, *options) : call.badarg();
}

Term read_timer_1(Call& call, const Term* arguments) {
  return access_timer(call, arguments[0], Access::kRead, {});
}

Term read_timer_2(Call& call, const Term* arguments) {
  const auto options = parse_options(arguments[1], Takes::kAsync);
  return options ? access_timer(call, arguments[0], Access::kRead, *options) : call.badarg();
}

Term send_after_3(Call& call, const Term* arguments) {
  return set_timer(call, arguments, TimerMessage::kPlain, {});
}
Term send_after_4(Call& call, const Term* arguments) {
  return set_timer_with_options(call, arguments, TimerMessage::kPlain);
}
Term start_timer_3(Call& call, const Term* arguments) {
  return set_timer(call, arguments, TimerMessage::kTimeout, {});
}
Term start_timer_4(Call& call, const Term* arguments) {
  return set_timer_with_options(call, arguments, TimerMessage::kTimeout);
}

constexpr auto kTimerBuiltins = std::to_array<Builtin>({
    {"erlang", "cancel_timer", 1, Effect::kOperation, cancel_timer_1},
    {"erlang", "cancel_timer", 2, Effect::kOperation, cancel_timer_2},
    {"erlang", "read_timer", 1, Effect::kOperation, read_timer_1},
    {"erlang", "read_timer", 2, Effect::kOperation, read_timer_2},
    {"erlang", "send_after", 3, Effect::kOperation, send_after_3},
    {"erlang", "send_after", 4, Effect::kOperation, send_after_4},
    {"erlang", "start_timer", 3, Effect::kOperation, start_timer_3},
    {"erlang", "start_timer", 4, Effect::kOperation, start_timer_4},
});
static_assert(std::ranges::is_sorted(kTimerBuiltins, {}, &Builtin::key));

}  // namespace

std::span<const Builtin> timer_builtins() { return kTimerBuiltins; }

}  // namespace ravel::erlang
