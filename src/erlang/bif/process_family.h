// The built-ins of the process family, by file: their table is in processes.cc.
#pragma once

#include <optional>
#include <vector>

#include "erlang/machine/builtin.h"
#include "erlang/machine/machine.h"

namespace ravel::erlang {

// spawn.cc
Term spawn_3(Call& call, const Term* arguments);
Term spawn_link_3(Call& call, const Term* arguments);
Term spawn_opt_4(Call& call, const Term* arguments);
Term spawn_request_4(Call& call, const Term* arguments);
Term spawn_request_abandon_1(Call& call, const Term* arguments);

// links.cc
Term alias_1(Call& call, const Term* arguments);
Term demonitor_1(Call& call, const Term* arguments);
Term demonitor_2(Call& call, const Term* arguments);
Term exit_2(Call& call, const Term* arguments);
Term exit_3(Call& call, const Term* arguments);
Term exit_signal_2(Call& call, const Term* arguments);
Term exit_signal_3(Call& call, const Term* arguments);
Term link_1(Call& call, const Term* arguments);
Term link_2(Call& call, const Term* arguments);
Term monitor_2(Call& call, const Term* arguments);
Term monitor_3(Call& call, const Term* arguments);
Term unalias_1(Call& call, const Term* arguments);
Term unlink_1(Call& call, const Term* arguments);

// dictionary.cc
Term erase_0(Call& call, const Term* arguments);
Term erase_1(Call& call, const Term* arguments);
Term get_0(Call& call, const Term* arguments);
Term get_1(Call& call, const Term* arguments);
Term get_keys_0(Call& call, const Term* arguments);
Term get_keys_1(Call& call, const Term* arguments);
Term put_2(Call& call, const Term* arguments);

// process_info.cc
Term process_info_1(Call& call, const Term* arguments);
Term process_info_2(Call& call, const Term* arguments);

// process_flags.cc
Term process_flag_2(Call& call, const Term* arguments);
Term process_flag_3(Call& call, const Term* arguments);

// In footprints, the flags of a process but trap_exit, which signals read: an object of the class kFlags.
constexpr std::uint64_t other_flags_payload(Term pid) { return std::uint64_t{1} << 32 | pid.pid_name(); }

// The value of a flag that has no effect here: as it was set, or what it is in a new process.
Term other_flag(Heap& heap, const Names& names, const Process& process, Term flag);
void set_other_flag(Heap& heap, const Names& names, Process& process, Term flag, Term value);
// Sizes as the emulator rounds them.
std::int64_t next_heap_size(std::int64_t words);
inline constexpr std::int64_t kHeapSizeMin = 233, kBinaryHeapSizeMin = 46422;
// The map #{size, kill, error_logger} that a valid value of max_heap_size means; nothing if it is not valid.
std::optional<Term> max_heap_size_map(Heap& heap, const Names& names, Term value);
std::int64_t size_of_max_heap_size(const Names& names, Term map);

// What monitor/3 and spawn_opt/4 take.
std::optional<MonitorOptions> parse_monitor_options(Term list);
// The list of options of exit/3, link/2 and spawn_opt/4's {link, Options}: [] or [priority, ...].
std::optional<Urgency> parse_urgency(Term list);

// The elements of a proper list; nothing for any other term.
std::optional<std::vector<Term>> proper_list(Term list);

inline bool is_foreign(Term t, Term type) { return is_kind(t, Kind::kForeign) && t.object()[1] == type; }
inline constexpr std::string_view kOtherNodes =
    " concerns another node, and a search has one node, nonode@nohost: replace the module that uses it by a "
    "stub "
    "(--stub MODULE=OTHER)";
inline constexpr std::string_view kPorts =
    " concerns a port, which leads outside the program, so no schedule can control it: replace the module "
    "that uses it "
    "by a stub (--stub MODULE=OTHER)";
// Ends the search.
inline Term refuse(Call& call, std::string_view operation, std::string_view reason) {
  call.machine.faults.refuse(std::string(operation) + std::string(reason));
  return Term::none();
}

}  // namespace ravel::erlang
