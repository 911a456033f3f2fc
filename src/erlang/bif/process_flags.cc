// process_flag/2,3. Only trap_exit changes what a program does here; the others are kept and answered.
#include <algorithm>
#include <array>

#include "erlang/bif/process_family.h"
#include "erlang/term/compare.h"
#include "erlang/term/map.h"
#include "erlang/term/release.h"

namespace ravel::erlang {

namespace {

using atoms::boolean;

bool is_boolean(Term t) { return t == atoms::kTrue || t == atoms::kFalse; }
bool is_count(Term t) { return t.is_small() && t.small_value() >= 0; }

// Whether binaries that processes share count, too: an option since there is one.
bool has_binaries_option() { return installed_release().limits_shared_binaries; }

Term make_heap_size_map(Heap& heap, const Names& names, Term size, Term kill, Term log,
                        Term with_binaries = atoms::kFalse) {
  std::vector<Term> pairs = {atoms::kSize, size, atoms::kKill, kill, atoms::kErrorLogger, log};
  if (has_binaries_option()) pairs.insert(pairs.end(), {atoms::kIncludeSharedBinaries, with_binaries});
  return map_from_pairs(heap, names, pairs);
}

constexpr std::int64_t kFullsweepAfterDefault = 65535;

Term default_value(Heap& heap, const Names& names, Term flag) {
  if (flag == atoms::kErrorHandler) return atoms::kErrorHandler;
  if (flag == atoms::kFullsweepAfter) return Term::small(kFullsweepAfterDefault);
  if (flag == atoms::kMinHeapSize) return Term::small(kHeapSizeMin);
  if (flag == atoms::kMinBinVheapSize) return Term::small(kBinaryHeapSizeMin);
  if (flag == atoms::kMaxHeapSize)
    return make_heap_size_map(heap, names, Term::small(0), atoms::kTrue, atoms::kTrue);
  if (flag == atoms::kMessageQueueData) return atoms::kOnHeap;
  if (flag == atoms::kSensitive || flag == atoms::kAsyncDist) return atoms::kFalse;
  return Term::small(0);  // save_calls, scheduler
}

// The value to keep, or none if it is not valid.
Term checked_value(Call& call, Term flag, Term value) {
  if (flag == atoms::kFullsweepAfter || flag == atoms::kMinHeapSize || flag == atoms::kMinBinVheapSize) {
    if (!is_count(value)) return Term::none();
    if (flag == atoms::kFullsweepAfter) return value;
    const std::int64_t smallest = flag == atoms::kMinHeapSize ? kHeapSizeMin : kBinaryHeapSizeMin;
    return Term::small(std::max(smallest, next_heap_size(value.small_value())));
  }
  if (flag == atoms::kMaxHeapSize) {
    const auto map = max_heap_size_map(call.heap, call.names, value);
    if (!map) return Term::none();
    const std::int64_t largest = size_of_max_heap_size(call.names, *map);
    const Term smallest = other_flag(call.heap, call.names, call.self(), atoms::kMinHeapSize);
    return largest == 0 || largest >= smallest.small_value() ? *map : Term::none();
  }
  if (flag == atoms::kMessageQueueData)
    return value == atoms::kOnHeap || value == atoms::kOffHeap ? value : Term::none();
  if (flag == atoms::kSensitive || flag == atoms::kAsyncDist) return is_boolean(value) ? value : Term::none();
  if (flag == atoms::kScheduler)
    return is_count(value) && value.small_value() <= 1 ? Term::small(0) : Term::none();
  return Term::none();
}

bool is_save_calls_length(Term value) { return is_count(value) && value.small_value() <= 10000; }

Term exchange_flag(Call& call, Process& process, Term flag, Term value) {
  const Term old = other_flag(call.heap, call.names, process, flag);
  const bool changes = !equal_exactly(old, value);
  call.machine.record.note_access(ObjectClass::kFlags, other_flags_payload(process.pid),
                                  changes ? access::kWrite : access::kRead);
  if (!changes) return old;
  set_other_flag(call.heap, call.names, process, flag, value);
  return old;
}

Term set_trap_exit(Call& call, Term value) {
  if (!is_boolean(value)) return call.badarg();
  Process& self = call.self();
  const Term old = boolean(self.attributes.trap_exit);
  if (old == value) return old;
  call.machine.record.note_plain_access(ObjectClass::kFlags, self.pid.pid_name(), access::kWrite);
  self.change_attributes().trap_exit = value == atoms::kTrue;
  return old;
}

Term set_priority(Call& call, Term value) {
  if (value != atoms::kMax && value != atoms::kHigh && value != atoms::kNormal && value != atoms::kLow)
    return call.badarg();
  const Term old = call.self().attributes.priority;
  if (old == value) return old;
  call.machine.record.note_plain_access(ObjectClass::kFlags, other_flags_payload(call.self().pid),
                                        access::kWrite);
  call.self().change_attributes().priority = value;
  return old;
}

Term set_error_handler(Call& call, Term value) {
  if (!value.is_atom()) return call.badarg();
  if (value != atoms::kErrorHandler)
    return refuse(call, "erlang:process_flag/2",
                  " with an error handler of one's own is not supported: leave it out of the test");
  return atoms::kErrorHandler;
}

}  // namespace

Term other_flag(Heap& heap, const Names& names, const Process& process, Term flag) {
  for (Term rest = process.attributes.other_flags; rest.is_cons(); rest = rest.tail())
    if (element(rest.head(), 1) == flag) return element(rest.head(), 2);
  return default_value(heap, names, flag);
}

void set_other_flag(Heap& heap, const Names& names, Process& process, Term flag, Term value) {
  std::vector<Term> flags;
  for (Term rest = process.attributes.other_flags; rest.is_cons(); rest = rest.tail())
    if (element(rest.head(), 1) != flag) flags.push_back(rest.head());
  const auto is_before = [&](Term a, Term b) {
    return names.atoms.compare(element(a, 1), element(b, 1)) < 0;
  };
  const Term entry = heap.tuple({flag, value});
  flags.insert(std::ranges::lower_bound(flags, entry, is_before), entry);
  process.change_attributes().other_flags = heap.list(flags);
}

// The emulator's series: Fibonacci's with a step more up to about a million words, then a fifth more each.
std::int64_t next_heap_size(std::int64_t words) {
  constexpr int kFibonacciSizes = 23;
  std::int64_t before = 12;
  std::int64_t size = 38;
  if (words <= before) return before;
  for (int i = 2; size < words && i < kFibonacciSizes; ++i) {
    const std::int64_t next = before + size + 1;
    before = size;
    size = next;
  }
  while (size < words && size < kSmallMax / 2) size += size / 5;
  return size;
}

std::optional<Term> max_heap_size_map(Heap& heap, const Names& names, Term value) {
  if (value.is_small()) {
    if (value.small_value() < 0) return std::nullopt;
    return make_heap_size_map(heap, names, value, atoms::kTrue, atoms::kTrue);
  }
  if (!is_map(value)) return std::nullopt;
  const Term size = map_get(names, value, atoms::kSize);
  const Term kill = map_get(names, value, atoms::kKill);
  const Term log = map_get(names, value, atoms::kErrorLogger);
  const Term with_binaries =
      has_binaries_option() ? map_get(names, value, atoms::kIncludeSharedBinaries) : Term::none();
  if (size.is_none() || !is_count(size)) return std::nullopt;
  if ((!kill.is_none() && !is_boolean(kill)) || (!log.is_none() && !is_boolean(log))) return std::nullopt;
  if (!with_binaries.is_none() && !is_boolean(with_binaries)) return std::nullopt;
  return make_heap_size_map(heap, names, size, kill.is_none() ? atoms::kTrue : kill,
                            log.is_none() ? atoms::kTrue : log,
                            with_binaries.is_none() ? atoms::kFalse : with_binaries);
}

std::int64_t size_of_max_heap_size(const Names& names, Term map) {
  return map_get(names, map, atoms::kSize).small_value();
}

Term process_flag_2(Call& call, const Term* arguments) {
  const Term flag = arguments[0];
  const Term value = arguments[1];
  if (flag == atoms::kTrapExit) return set_trap_exit(call, value);
  if (flag == atoms::kPriority) return set_priority(call, value);
  if (flag == atoms::kErrorHandler) return set_error_handler(call, value);
  if (flag == atoms::kMonitorNodes || (is_tuple_of(flag, 2) && element(flag, 1) == atoms::kMonitorNodes))
    return is_boolean(value) ? Term::small(0) : call.badarg();  // no other node ever comes up
  if (flag == atoms::kSaveCalls) {
    if (!is_save_calls_length(value)) return call.fail(atoms::kBadarg, atoms::kNone);
    return exchange_flag(call, call.self(), flag, value);
  }
  constexpr std::array kKept = {atoms::kFullsweepAfter, atoms::kMinHeapSize,      atoms::kMinBinVheapSize,
                                atoms::kMaxHeapSize,    atoms::kMessageQueueData, atoms::kSensitive,
                                atoms::kScheduler,      atoms::kAsyncDist};
  const bool is_known = flag != atoms::kAsyncDist || installed_release().has_async_dist;
  if (std::ranges::find(kKept, flag) == kKept.end() || !is_known)
    return call.fail(atoms::kBadarg, atoms::kBadopt);
  const Term checked = checked_value(call, flag, value);
  return checked.is_none() ? call.badarg() : exchange_flag(call, call.self(), flag, checked);
}

// erts_internal:process_flag/3, of another process too: answers its problems to process_flag/3 in erlang.erl.
Term process_flag_3(Call& call, const Term* arguments) {
  if (!arguments[0].is_pid()) return atoms::kBadtype;
  call.machine.record.note_access(ObjectClass::kLife, arguments[0].pid_name(), access::kRead);
  Process* process = call.machine.processes.find_alive(arguments[0]);
  if (process == nullptr) return atoms::kBadtype;
  if (arguments[1] != atoms::kSaveCalls || !is_save_calls_length(arguments[2])) return atoms::kBadarg;
  return exchange_flag(call, *process, arguments[1], arguments[2]);
}

}  // namespace ravel::erlang
