// Built-ins on time: clocks, dates, conversions, and unique integers.
//
// The clocks stand still or follow the deadlines (machine.h, Clocks), and local time is UTC. What promises to
// be unique or to grow (now/0, unique_integer) counts as well.
#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "erlang/bif/builtins.h"
#include "erlang/bif/process_family.h"
#include "erlang/bif/shown_names.h"
#include "erlang/bif/virtual_clock.h"
#include "erlang/term/arithmetic.h"
#include "erlang/term/process_number.h"

namespace ravel::erlang {

namespace {

// Clocks.

// How many of the unit are in a second, or none.
Term parts_of_second(Term unit) {
  if (unit == atoms::kNative || unit == atoms::kNanosecond || unit == atoms::kNanoSeconds)
    return Term::small(kNsPerSecond);
  if (unit == atoms::kSecond || unit == atoms::kSeconds) return Term::small(1);
  if (unit == atoms::kMillisecond || unit == atoms::kMilliSeconds) return Term::small(1'000);
  if (unit == atoms::kMicrosecond || unit == atoms::kMicroSeconds) return Term::small(1'000'000);
  if (unit.is_small() && unit.small_value() > 0) return unit;
  return is_kind(unit, Kind::kPositiveBig) ? unit : Term::none();
}

Term in_unit(Call& call, std::int64_t ns, Term unit) {
  const Term parts = unit == call.atom("perf_counter") ? Term::small(kNsPerSecond) : parts_of_second(unit);
  if (parts.is_none()) return call.badarg();
  const Term product = multiply(call.heap, call.heap.integer(ns), parts);
  const Term result =
      product.is_none() ? product : integer_divide(call.heap, product, Term::small(kNsPerSecond));
  return result.is_none() ? call.system_limit() : result;
}

std::int64_t monotonic_ns(Call& call) { return kVirtualMonotonicNs + call.machine.time.clock_ns(); }
std::int64_t system_ns(Call& call) { return kVirtualSystemNs + call.machine.time.clock_ns(); }

Term monotonic_time_0(Call& call, const Term*) { return call.heap.integer(monotonic_ns(call)); }
Term monotonic_time_1(Call& call, const Term* arguments) {
  return in_unit(call, monotonic_ns(call), arguments[0]);
}
Term system_time_0(Call& call, const Term*) { return call.heap.integer(system_ns(call)); }
Term system_time_1(Call& call, const Term* arguments) { return in_unit(call, system_ns(call), arguments[0]); }
Term time_offset_0(Call& call, const Term*) {
  return call.heap.integer(kVirtualSystemNs - kVirtualMonotonicNs);
}
Term time_offset_1(Call& call, const Term* arguments) {
  return in_unit(call, kVirtualSystemNs - kVirtualMonotonicNs, arguments[0]);
}
Term time_unit_0(Call&, const Term*) { return Term::small(kNsPerSecond); }

Term timestamp_of(Call& call, std::int64_t microseconds) {
  constexpr std::int64_t kMillion = 1'000'000;
  return call.heap.tuple({Term::small(microseconds / kMillion / kMillion),
                          Term::small(microseconds / kMillion % kMillion),
                          Term::small(microseconds % kMillion)});
}
Term timestamp_0(Call& call, const Term*) { return timestamp_of(call, system_ns(call) / kNsPerMicrosecond); }
Term now_0(Call& call, const Term*) {
  const auto count = static_cast<std::int64_t>(call.machine.next_unique_integer());
  return timestamp_of(call, system_ns(call) / kNsPerMicrosecond + count);
}

// Dates.

struct DateTime {
  std::int64_t year, month, day, hour, minute, second;
};

constexpr std::int64_t kSecondsPerDay = 86'400;
constexpr std::int64_t kFirstYear = 1902;  // of local time

bool is_leap_year(std::int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

std::int64_t days_of_month(std::int64_t year, std::int64_t month) {
  constexpr std::int64_t kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return kDays[month - 1] + (month == 2 && is_leap_year(year) ? 1 : 0);
}

bool is_date_time(const DateTime& t) {
  return t.year >= kFirstYear && t.year < std::numeric_limits<std::int32_t>::max() && t.month >= 1 &&
         t.month <= 12 && t.day >= 1 && t.day <= days_of_month(t.year, t.month) && t.hour >= 0 &&
         t.hour <= 23 && t.minute >= 0 && t.minute <= 59 && t.second >= 0 && t.second <= 59;
}

DateTime date_time_from_seconds(std::int64_t seconds) {
  std::int64_t days = seconds / kSecondsPerDay;
  std::int64_t second_of_day = seconds % kSecondsPerDay;
  if (second_of_day < 0) {
    --days;
    second_of_day += kSecondsPerDay;
  }
  days += 719'468;
  const std::int64_t era = (days >= 0 ? days : days - 146'096) / 146'097;
  const std::int64_t day_of_era = days - era * 146'097;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month_from_march = (5 * day_of_year + 2) / 153;
  const std::int64_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  return {.year = year_of_era + era * 400 + (month <= 2 ? 1 : 0),
          .month = month,
          .day = day_of_year - (153 * month_from_march + 2) / 5 + 1,
          .hour = second_of_day / 3'600,
          .minute = second_of_day / 60 % 60,
          .second = second_of_day % 60};
}

Term triple(Heap& heap, std::int64_t a, std::int64_t b, std::int64_t c) {
  return heap.tuple({Term::small(a), Term::small(b), Term::small(c)});
}
Term date_term(Heap& heap, const DateTime& t) { return triple(heap, t.year, t.month, t.day); }
Term time_term(Heap& heap, const DateTime& t) { return triple(heap, t.hour, t.minute, t.second); }
Term date_time_term(Heap& heap, const DateTime& t) {
  const Term date = date_term(heap, t);
  return heap.tuple({date, time_term(heap, t)});
}

bool read_triple(Term t, std::int64_t (&values)[3]) {
  if (!is_tuple_of(t, 3)) return false;
  for (Word i = 1; i <= 3; ++i) {
    if (!element(t, i).is_small()) return false;
    values[i - 1] = element(t, i).small_value();
  }
  return true;
}

std::optional<DateTime> read_date_time(Term t) {
  std::int64_t date[3];
  std::int64_t time[3];
  if (!is_tuple_of(t, 2) || !read_triple(element(t, 1), date) || !read_triple(element(t, 2), time))
    return std::nullopt;
  return DateTime{date[0], date[1], date[2], time[0], time[1], time[2]};
}

DateTime virtual_now(Call& call) { return date_time_from_seconds(system_ns(call) / kNsPerSecond); }

Term date_0(Call& call, const Term*) { return date_term(call.heap, virtual_now(call)); }
Term time_0(Call& call, const Term*) { return time_term(call.heap, virtual_now(call)); }
Term universaltime_0(Call& call, const Term*) { return date_time_term(call.heap, virtual_now(call)); }

// Local time is universal time.
Term universaltime_to_localtime_1(Call& call, const Term* arguments) {
  const auto t = read_date_time(arguments[0]);
  if (!t || !is_date_time(*t)) return call.badarg();
  return date_time_term(call.heap, *t);
}

Term localtime_to_universaltime_2(Call& call, const Term* arguments) {
  const Term is_dst = arguments[1];
  if (is_dst != atoms::kTrue && is_dst != atoms::kFalse && is_dst != atoms::kUndefined) return call.badarg();
  return universaltime_to_localtime_1(call, arguments);
}

// Unique integers.

// Made of the creator and what it counts: nobody else notices. Above all that the shared counter reaches.
Term own_unique_integer(Call& call) {
  Process& self = call.self();
  if (!may_show(call, self.pid, NameUse::kNumber)) return Term::none();
  const std::uint64_t count = ++self.change_attributes().references_made;
  const Term creator = call.heap.unsigned_integer(process_number(call.names, self.pid));
  const Term shifted = shift_left(call.heap, creator, Term::small(Names::kReferenceIndexBits));
  return add(call.heap, shifted, Term::small(static_cast<std::int64_t>(count)));
}

Term unique_integer_0(Call& call, const Term*) { return own_unique_integer(call); }

Term unique_integer_1(Call& call, const Term* arguments) {
  bool monotonic = false;
  Term rest = arguments[0];
  for (; rest.is_cons(); rest = rest.tail()) {
    if (rest.head() == atoms::kMonotonic) {
      monotonic = true;
    } else if (rest.head() != atoms::kPositive) {
      return call.badarg();
    }
  }
  if (!rest.is_nil()) return call.badarg();
  if (!monotonic) return own_unique_integer(call);
  return call.call_instead(call.atom("ravel_otp"), call.atom("unique_integer"), {arguments[0]});
}

// What unique_integer/1 does if it is asked for `monotonic`: an operation, since the processes share the
// counter.
Term monotonic_integer_1(Call& call, const Term*) {
  return call.heap.unsigned_integer(call.machine.next_unique_integer());
}

// Random numbers: what `rand` starts from (ravel_otp:default_seed/0).
Term random_seed_0(Call& call, const Term*) {
  call.machine.faults.note_assumed(Assumed::kOneSeed);
  return call.heap.integer(call.machine.options.random_seed);
}

// Timetraps of Common Test need time that passes only when nothing else can happen.
Term has_timetraps_0(Call& call, const Term*) {
  return call.machine.options.time == TimePolicy::kIdle ? atoms::kTrue : atoms::kFalse;
}

constexpr auto kTimeBuiltins = std::to_array<Builtin>({
    {"erlang", "date", 0, Effect::kClock, date_0},
    {"erlang", "localtime", 0, Effect::kClock, universaltime_0},
    {"erlang", "localtime_to_universaltime", 2, Effect::kPure, localtime_to_universaltime_2},
    {"erlang", "monotonic_time", 0, Effect::kClock, monotonic_time_0},
    {"erlang", "monotonic_time", 1, Effect::kClock, monotonic_time_1},
    {"erlang", "now", 0, Effect::kOperation, now_0},
    {"erlang", "system_time", 0, Effect::kClock, system_time_0},
    {"erlang", "system_time", 1, Effect::kClock, system_time_1},
    {"erlang", "time", 0, Effect::kClock, time_0},
    {"erlang", "time_offset", 0, Effect::kPure, time_offset_0},
    {"erlang", "time_offset", 1, Effect::kPure, time_offset_1},
    {"erlang", "timestamp", 0, Effect::kClock, timestamp_0},
    {"erlang", "unique_integer", 0, Effect::kLocal, unique_integer_0},
    {"erlang", "unique_integer", 1, Effect::kLocal, unique_integer_1},
    {"erlang", "universaltime", 0, Effect::kClock, universaltime_0},
    {"erlang", "universaltime_to_localtime", 1, Effect::kPure, universaltime_to_localtime_1},
    {"erts_internal", "perf_counter_unit", 0, Effect::kPure, time_unit_0},
    {"erts_internal", "time_unit", 0, Effect::kPure, time_unit_0},
    {"os", "perf_counter", 0, Effect::kClock, monotonic_time_0},
    {"os", "system_time", 0, Effect::kClock, system_time_0},
    {"os", "system_time", 1, Effect::kClock, system_time_1},
    {"os", "timestamp", 0, Effect::kClock, timestamp_0},
    {"ravel_ct_server", "has_timetraps", 0, Effect::kPure, has_timetraps_0},
    {"ravel_otp", "random_seed", 0, Effect::kPure, random_seed_0},
    {"ravel_otp", "unique_integer", 1, Effect::kOperation, monotonic_integer_1},
});
static_assert(std::ranges::is_sorted(kTimeBuiltins, {}, &Builtin::key));

}  // namespace

std::span<const Builtin> time_builtins() { return kTimeBuiltins; }

}  // namespace ravel::erlang
