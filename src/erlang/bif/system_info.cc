// system_info/1, statistics/1, system_flag/2: a system with one scheduler, the same on every host.
#include <algorithm>
#include <array>
#include <variant>

#include "erlang/bif/process_family.h"
#include "erlang/bif/system_family.h"
#include "erlang/bif/virtual_clock.h"
#include "erlang/term/release.h"

namespace ravel::erlang {

namespace {

struct Atom {
  std::string_view text;
};
struct Text {
  std::string_view characters;
};
struct Empty {};
using Answer = std::variant<std::int64_t, Atom, Text, Empty>;

struct Row {
  std::string_view name;
  Answer answer;
};

Term to_term(Call& call, const Answer& answer) {
  if (const auto* number = std::get_if<std::int64_t>(&answer)) return call.heap.integer(*number);
  if (const auto* atom = std::get_if<Atom>(&answer)) return call.atom(atom->text);
  if (const auto* text = std::get_if<Text>(&answer)) return make_string(call.heap, text->characters);
  return Term::nil();
}

const Row* find_row(std::span<const Row> rows, std::string_view name) {
  const auto row = std::ranges::lower_bound(rows, name, {}, &Row::name);
  return row == rows.end() || row->name != name ? nullptr : &*row;
}

constexpr auto kSystemInfo = std::to_array<Row>({
    {"allocated_areas", Empty{}},
    {"atom_count", 10'000},
    {"atom_limit", 1'048'576},
    {"beam_jump_table", Atom{"true"}},
    {"break_ignored", Atom{"false"}},
    {"build_type", Atom{"opt"}},
    {"check_io", Empty{}},
    {"compile_info", Empty{}},
    {"constant_pool_support", Atom{"true"}},
    {"context_reductions", 4'000},
    {"cpu_quota", Atom{"unknown"}},
    {"cpu_topology", Atom{"undefined"}},
    {"creation", 0},
    {"debug_compiled", Atom{"false"}},
    {"decentralized_counter_groups_map", Empty{}},
    {"delayed_node_table_gc", 60},
    {"dirty_cpu_schedulers", 1},
    {"dirty_cpu_schedulers_online", 1},
    {"dirty_io_schedulers", 10},
    {"dist_buf_busy_limit", 1'048'576},
    {"dist_ctrl", Empty{}},
    {"driver_version", Text{"3.3"}},
    {"dynamic_trace", Atom{"none"}},
    {"dynamic_trace_probes", Atom{"false"}},
    {"eager_check_io", Atom{"true"}},
    {"emu_args", Empty{}},
    {"emu_flavor", Atom{"emu"}},
    {"emu_type", Atom{"opt"}},
    {"end_time", 8'646'911'283'000'000'000},
    {"endian", Atom{"little"}},
    {"ethread_used_tse", 1},
    {"ets_always_compress", Atom{"false"}},
    {"ets_limit", 8'192},
    {"ets_realloc_moves", Atom{"false"}},
    {"heap_type", Atom{"private"}},
    {"hipe_architecture", Atom{"undefined"}},
    {"io_thread", Atom{"false"}},
    {"kernel_poll", Atom{"true"}},
    {"literal_test", Atom{"range"}},
    {"lock_checking", Atom{"false"}},
    {"lock_counting", Atom{"false"}},
    {"logical_processors", 1},
    {"logical_processors_available", 1},
    {"logical_processors_online", 1},
    {"machine", Text{"BEAM"}},
    {"message_queue_data", Atom{"on_heap"}},
    {"modified_timing_level", Atom{"undefined"}},
    {"multi_scheduling", Atom{"enabled"}},
    {"multi_scheduling_blockers", Empty{}},
    {"normal_multi_scheduling_blockers", Empty{}},
    {"os_monotonic_time_source", Empty{}},
    {"os_system_time_source", Empty{}},
    {"outstanding_system_requests_limit", 2},
    {"port_count", 0},
    {"port_limit", 65'536},
    {"port_parallelism", Atom{"false"}},
    {"port_tasks", Atom{"true"}},
    {"reader_groups_map", Empty{}},
    {"run_queues", 1},
    {"scheduler_bind_type", Atom{"unbound"}},
    {"scheduler_id", 1},
    {"schedulers", 1},
    {"schedulers_active", 1},
    {"schedulers_online", 1},
    {"schedulers_total", 1},
    {"smp_support", Atom{"true"}},
    {"snifs", Empty{}},
    {"start_time", 0},
    {"system_architecture", Text{"x86_64-pc-linux-gnu"}},
    {"system_logger", Atom{"logger"}},
    {"taints", Empty{}},
    {"thread_pool_size", 1},
    {"threads", Atom{"true"}},
    {"time_correction", Atom{"true"}},
    {"tolerant_timeofday", Atom{"enabled"}},
    {"trace_control_word", 0},
    {"update_cpu_info", Atom{"unchanged"}},
    {"wordsize", 8},
});
static_assert(std::ranges::is_sorted(kSystemInfo, {}, &Row::name));

Term numbers(Call& call, std::initializer_list<std::int64_t> values) {
  std::vector<Term> terms;
  for (const std::int64_t value : values) terms.push_back(Term::small(value));
  return call.heap.tuple(terms);
}

Term named(Call& call, std::string_view name, std::int64_t value) {
  return call.heap.tuple({call.atom(name), Term::small(value)});
}

Term no_limit(Call& call) { return *max_heap_size_map(call.heap, call.names, Term::small(0)); }

Term heap_sizes(Call& call) {
  std::vector<Term> sizes;
  constexpr std::int64_t kLast = std::int64_t{1} << 40;
  for (std::int64_t size = 0; size < kLast;) {
    size = next_heap_size(size + 1);
    sizes.push_back(Term::small(size));
  }
  return call.heap.list(sizes);
}

// What tells which Erlang/OTP is installed. None if there is no such item.
Term release_info(Call& call, std::string_view name) {
  const Release& release = installed_release();
  const std::string number = std::to_string(release.number);
  if (name == "compat_rel") return Term::small(release.number);
  if (name == "nif_version") return make_string(call.heap, release.nif_version);
  if (name == "process_limit") return Term::small(release.process_limit);
  if (name == "time_offset") return call.atom(release.warps_time ? "volatile" : "final");
  if (name == "time_warp_mode") return call.atom(release.warps_time ? "multi_time_warp" : "no_time_warp");
  if (name == "otp_release") return make_string(call.heap, number);
  const std::string version = call.machine.code.source().runtime_version();
  if (name == "version") return make_string(call.heap, version);
  if (name == "system_version")
    return make_string(call.heap,
                       "Erlang/OTP " + number + " [erts-" + version + "] [64-bit] [smp:1:1] [ravel]\n");
  return Term::none();
}

// What is not one number, atom or string. None if there is no such item.
Term compound_system_info(Call& call, std::string_view name) {
  if (name == "os_type") return call.heap.tuple({call.atom("unix"), call.atom("linux")});
  if (name == "os_version") return numbers(call, {6, 1, 0});
  if (name == "schedulers_state") return numbers(call, {1, 1, 1});
  if (name == "c_compiler_used") return call.heap.tuple({call.atom("gnuc"), numbers(call, {12, 2, 0})});
  if (name == "scheduler_bindings") return call.heap.tuple({call.atom("unbound")});
  if (name == "sequential_tracer") return call.heap.tuple({call.atom("sequential_tracer"), atoms::kFalse});
  if (name == "fullsweep_after") return named(call, name, 65'535);
  if (name == "min_heap_size") return named(call, name, kHeapSizeMin);
  if (name == "min_bin_vheap_size") return named(call, name, kBinaryHeapSizeMin);
  if (name == "max_heap_size") return no_limit(call);
  if (name == "heap_sizes") return heap_sizes(call);
  if (name == "garbage_collection") {
    const Term entries[] = {
        named(call, "max_heap_size", 0), named(call, "min_bin_vheap_size", kBinaryHeapSizeMin),
        named(call, "min_heap_size", kHeapSizeMin), named(call, "fullsweep_after", 65'535)};
    return call.heap.list(entries);
  }
  if (name == "all_schedulers_state") {
    const auto row = [&](std::string_view kind, std::int64_t count) {
      return call.heap.tuple({call.atom(kind), Term::small(count), Term::small(count), Term::small(count)});
    };
    const Term entries[] = {row("normal", 1), row("dirty_cpu", 1), row("dirty_io", 10)};
    return call.heap.list(entries);
  }
  return Term::none();
}

bool is_about_memory(std::string_view name) {
  constexpr std::string_view kNames[] = {"allocator",
                                         "alloc_util_allocators",
                                         "dist",
                                         "ethread_info",
                                         "info",
                                         "loaded",
                                         "procs",
                                         "thread_progress",
                                         "scheduling_statistics",
                                         "total_scheduling_statistics"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

constexpr auto kStatistics = std::to_array<Row>({
    {"microstate_accounting", Atom{"undefined"}},
    {"run_queue", 0},
    {"scheduler_wall_time", Atom{"undefined"}},
    {"scheduler_wall_time_all", Atom{"undefined"}},
    {"total_active_tasks", 1},
    {"total_active_tasks_all", 1},
    {"total_run_queue_lengths", 0},
    {"total_run_queue_lengths_all", 0},
});
static_assert(std::ranges::is_sorted(kStatistics, {}, &Row::name));

}  // namespace

Term system_info_1(Call& call, const Term* arguments) {
  const Term item = arguments[0];
  if (is_tuple_of(item, 2) && element(item, 1) == atoms::kWordsize) {
    const bool is_known = element(item, 2) == atoms::kInternal || element(item, 2) == atoms::kExternal;
    return is_known ? Term::small(8) : call.badarg();
  }
  if (is_tuple_of(item, 2) && element(item, 1) == call.atom("cpu_topology")) return atoms::kUndefined;
  if (is_tuple(item) && tuple_size(item) > 0 && element(item, 1).is_atom()) {
    const std::string_view kind = call.names.atoms.text(element(item, 1));
    if (kind == "allocator" || kind == "allocator_sizes" || kind == "memory_internal")
      return refuse(call, "erlang:system_info/1",
                    " about memory tells of the host: leave it out of the test");
    return call.badarg();
  }
  if (!item.is_atom()) return call.badarg();
  const std::string_view name = call.names.atoms.text(item);
  // What others change is an operation: only these items are.
  if (name == "process_count" || name == "ets_count")
    return call.call_instead(call.atom("ravel_otp"), call.atom("system_count"), {item});
  if (const Row* row = find_row(kSystemInfo, name)) return to_term(call, row->answer);
  Term answer = release_info(call, name);
  if (answer.is_none()) answer = compound_system_info(call, name);
  if (!answer.is_none()) return answer;
  if (is_about_memory(name))
    return refuse(call, "erlang:system_info(" + std::string(name) + ")",
                  " tells of the host: leave it out of the test");
  return call.badarg();
}

// Nothing is counted and no time passes.
Term statistics_1(Call& call, const Term* arguments) {
  if (!arguments[0].is_atom()) return call.badarg();
  const std::string_view name = call.names.atoms.text(arguments[0]);
  if (const Row* row = find_row(kStatistics, name)) return to_term(call, row->answer);
  if (name == "context_switches" || name == "reductions" || name == "exact_reductions" || name == "runtime" ||
      name == "wall_clock")
    return numbers(call, {0, 0});
  if (name == "garbage_collection" || name == "run_queues") return numbers(call, {0, 0, 0});
  if (name == "io") return call.heap.tuple({named(call, "input", 0), named(call, "output", 0)});
  const Term two[] = {Term::small(0), Term::small(0)};
  if (name == "active_tasks" || name == "run_queue_lengths" || name == "active_tasks_all" ||
      name == "run_queue_lengths_all")
    return call.heap.list(two);
  return call.badarg();
}

// Answers what the flag is. Setting one that would change what a program does is refused.
Term system_flag_2(Call& call, const Term* arguments) {
  const Term flag = arguments[0];
  const Term value = arguments[1];
  const bool is_count = value.is_small() && value.small_value() >= 0;
  const bool is_boolean = value == atoms::kTrue || value == atoms::kFalse;
  constexpr std::int64_t kBacktraceDepthDefault = 8;
  if (flag == atoms::kFullsweepAfter) return is_count ? Term::small(65'535) : call.badarg();
  if (flag == atoms::kMinHeapSize) return is_count ? Term::small(kHeapSizeMin) : call.badarg();
  if (flag == atoms::kMinBinVheapSize) return is_count ? Term::small(kBinaryHeapSizeMin) : call.badarg();
  if (flag == atoms::kMaxHeapSize)
    return max_heap_size_map(call.heap, call.names, value) ? no_limit(call) : call.badarg();
  if (flag == atoms::kSchedulerWallTime || flag == atoms::kMicrostateAccounting)
    return is_boolean ? atoms::kFalse : call.badarg();
  if (flag == atoms::kSchedulersOnline || flag == atoms::kDirtyCpuSchedulersOnline)
    return value == Term::small(1) ? value : call.badarg();
  if (flag == atoms::kTimeOffset) return value == call.atom("finalize") ? call.atom("final") : call.badarg();
  if (flag == atoms::kTraceControlWord && is_count) return Term::small(0);
  if (flag == atoms::kOutstandingSystemRequestsLimit) return is_count ? Term::small(2) : call.badarg();
  if (flag == atoms::kBacktraceDepth) {
    if (!is_count) return call.badarg();
    if (value == Term::small(kBacktraceDepthDefault)) return value;
    return refuse(call, "erlang:system_flag(backtrace_depth, _)",
                  " with another depth than 8 is not supported");
  }
  if (flag == atoms::kMultiScheduling || flag == atoms::kSequentialTracer || flag == atoms::kResetSeqTrace)
    return refuse(call, "erlang:system_flag/2", " of this flag changes the emulator, which is not there");
  return call.fail(atoms::kBadarg, atoms::kBadopt);
}

}  // namespace ravel::erlang
