// Built-ins that make processes, and their options.
#include "erlang/bif/process_family.h"
#include "erlang/term/release.h"

namespace ravel::erlang {

namespace {

enum class Requests : std::uint8_t { kAllowed, kNotAllowed };  // the options of spawn_request/5

struct SpawnOptions {
  enum class Problem : std::uint8_t { kNone, kBadOption, kNoList } problem = Problem::kNone;
  SpawnRequest request;
  std::vector<std::pair<Term, Term>> other_flags;
  Term reply_tag = atoms::kSpawnReply;
  bool replies_success = true;
  bool replies_error = true;
};

bool is_count(Term t) { return t.is_small() && t.small_value() >= 0; }

bool parse_reply(Term value, SpawnOptions& options) {
  if (value != atoms::kYes && value != atoms::kNo && value != atoms::kErrorOnly &&
      value != atoms::kSuccessOnly)
    return false;
  options.replies_success = value == atoms::kYes || value == atoms::kSuccessOnly;
  options.replies_error = value == atoms::kYes || value == atoms::kErrorOnly;
  return true;
}

bool parse_pair(Call& call, Term name, Term value, Requests requests, SpawnOptions& options) {
  SpawnRequest& request = options.request;
  if (name == atoms::kPriority) {
    request.priority = value;
    return value == atoms::kMax || value == atoms::kHigh || value == atoms::kNormal || value == atoms::kLow;
  }
  if (name == atoms::kMonitor) {
    const auto monitor = parse_monitor_options(value);
    if (!monitor) return false;
    request.monitor = *monitor;
    return true;
  }
  if (name == atoms::kLink && installed_release().has_priority_messages) {
    const auto urgency = parse_urgency(value);
    if (!urgency) return false;
    request.link = true;
    request.link_urgency = *urgency;
    return true;
  }
  if (name == atoms::kReply) return requests == Requests::kAllowed && parse_reply(value, options);
  if (name == atoms::kReplyTag) {
    options.reply_tag = value;
    return requests == Requests::kAllowed;
  }
  if (name == atoms::kScheduler) return is_count(value) && value.small_value() <= 1;
  const auto keep = [&](Term kept) {
    options.other_flags.emplace_back(name, kept);
    return true;
  };
  if (name == atoms::kMessageQueueData)
    return (value == atoms::kOnHeap || value == atoms::kOffHeap) && keep(value);
  if (name == atoms::kFullsweepAfter) return is_count(value) && keep(value);
  if (name == atoms::kMinHeapSize)
    return is_count(value) && keep(Term::small(std::max(kHeapSizeMin, next_heap_size(value.small_value()))));
  if (name == atoms::kMinBinVheapSize)
    return is_count(value) &&
           keep(Term::small(std::max(kBinaryHeapSizeMin, next_heap_size(value.small_value()))));
  if (name == atoms::kMaxHeapSize) {
    const auto map = max_heap_size_map(call.heap, call.names, value);
    return map && keep(*map);
  }
  return false;
}

// The limit of the heap must not be below the size that the process starts with.
bool heap_sizes_agree(Call& call, const SpawnOptions& options) {
  std::int64_t smallest = kHeapSizeMin;
  std::int64_t largest = 0;
  for (const auto& [flag, value] : options.other_flags) {
    if (flag == atoms::kMinHeapSize) smallest = value.small_value();
    if (flag == atoms::kMaxHeapSize) largest = size_of_max_heap_size(call.names, value);
  }
  return largest == 0 || largest >= smallest;
}

SpawnOptions parse_options(Call& call, Term list, Requests requests) {
  SpawnOptions options;
  const auto bad = [&] { options.problem = SpawnOptions::Problem::kBadOption; };
  for (; list.is_cons(); list = list.tail()) {
    const Term option = list.head();
    if (option == atoms::kLink) {
      options.request.link = true;
    } else if (option == atoms::kMonitor) {
      options.request.monitor = MonitorOptions{};
    } else if (!is_tuple_of(option, 2) ||
               !parse_pair(call, element(option, 1), element(option, 2), requests, options)) {
      bad();
    }
  }
  if (!heap_sizes_agree(call, options)) bad();
  if (!list.is_nil()) options.problem = SpawnOptions::Problem::kNoList;
  return options;
}

std::int64_t arity_of_fun(Term fun) { return fun.object()[is_kind(fun, Kind::kFun) ? 2 : 3].small_value(); }

// Fills in what the process calls; false if that is no call. apply(Fun, Arguments) starts as the fun's own
// call.
bool set_call(SpawnRequest& request, Term module, Term function, Term arguments) {
  auto list = proper_list(arguments);
  if (!module.is_atom() || !function.is_atom() || !list) return false;
  request.module = module;
  request.function = function;
  request.arguments = std::move(*list);
  if (module != atoms::kErlang || function != atoms::kApply || request.arguments.size() != 2) return true;
  const Term fun = request.arguments[0];
  auto inner = proper_list(request.arguments[1]);
  if (!is_fun(fun) || !inner || static_cast<std::size_t>(arity_of_fun(fun)) != inner->size()) return true;
  request.fun = fun;
  request.arguments = std::move(*inner);
  return true;
}

Spawned spawn_with(Call& call, const SpawnOptions& options) {
  const Spawned spawned = call.machine.signals.spawn(call.self(), options.request);
  Process& child = *call.machine.processes.find(spawned.pid);
  for (const auto& [flag, value] : options.other_flags)
    set_other_flag(call.heap, call.names, child, flag, value);
  return spawned;
}

}  // namespace

Term spawn_3(Call& call, const Term* arguments) {
  SpawnRequest request;
  if (!set_call(request, arguments[0], arguments[1], arguments[2])) return call.badarg();
  return call.machine.signals.spawn(call.self(), request).pid;
}

Term spawn_link_3(Call& call, const Term* arguments) {
  SpawnRequest request;
  if (!set_call(request, arguments[0], arguments[1], arguments[2])) return call.badarg();
  request.link = true;
  return call.machine.signals.spawn(call.self(), request).pid;
}

Term spawn_opt_4(Call& call, const Term* arguments) {
  SpawnOptions options = parse_options(call, arguments[3], Requests::kNotAllowed);
  if (options.problem != SpawnOptions::Problem::kNone) return call.fail(atoms::kBadarg, call.atom("badopt"));
  if (!set_call(options.request, arguments[0], arguments[1], arguments[2])) return call.badarg();
  const Spawned spawned = spawn_with(call, options);
  return options.request.monitor ? call.heap.tuple({spawned.pid, spawned.monitor}) : spawned.pid;
}

// Problems are answers here, for spawn_request/5 in erlang.erl or as a message.
Term spawn_request_4(Call& call, const Term* arguments) {
  SpawnRequest only_checked;
  if (!set_call(only_checked, arguments[0], arguments[1], arguments[2])) return atoms::kBadarg;
  SpawnOptions options = parse_options(call, arguments[3], Requests::kAllowed);
  if (options.problem == SpawnOptions::Problem::kNoList) return atoms::kBadopt;
  Process& self = call.self();
  const auto reply = [&](Term reference, Term result, Term detail) {
    const Term message = call.heap.tuple({options.reply_tag, reference, result, detail});
    call.machine.signals.deliver(self.pid, message, atoms::kSpawnService);
  };
  if (options.problem == SpawnOptions::Problem::kBadOption) {
    const Term reference = call.machine.signals.make_reference(self);
    if (options.replies_error) reply(reference, atoms::kError, atoms::kBadopt);
    return reference;
  }
  set_call(options.request, arguments[0], arguments[1], arguments[2]);
  const Spawned spawned = spawn_with(call, options);
  const Term reference =
      options.request.monitor ? spawned.monitor : call.machine.signals.make_reference(self);
  if (options.replies_success) reply(reference, atoms::kOk, spawned.pid);
  return reference;
}

// The reply is always there already.
Term spawn_request_abandon_1(Call& call, const Term* arguments) {
  if (!arguments[0].is_reference() && !is_foreign(arguments[0], atoms::kReference)) return call.badarg();
  return atoms::kFalse;
}

}  // namespace ravel::erlang
