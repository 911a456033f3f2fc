#include "erlang/machine/opaque_names.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "erlang/machine/machine.h"
#include "erlang/term/each_name.h"
#include "erlang/term/map.h"

namespace ravel::erlang {

namespace {

// Modules that make text only to print it.
constexpr std::string_view kPrinters[] = {"ravel_io", "ravel_logger"};

std::string_view text_of(NameUse use) {
  switch (use) {
    case NameUse::kOrder: return "put in an order (by <, a sort, the keys of a map, a table)";
    case NameUse::kHash: return "hashed";
    case NameUse::kText: return "made into text";
    case NameUse::kBytes: return "made into bytes";
    case NameUse::kSize: return "measured";
    case NameUse::kNumber: return "part of a number that is to be unique, or random";
  }
  return "";
}

}  // namespace

void OpaqueNames::begin() {
  of_names_.clear();
  names.uses.watch(options.recurring && !options.symmetric.empty());
}

OpaqueNames::OfName& OpaqueNames::of_name(Term pid) {
  const std::size_t name = pid.pid_name();
  if (name >= of_names_.size()) of_names_.resize(std::max(names.pid_count(), name + 1));
  return of_names_[name];
}

std::uint32_t OpaqueNames::group_of(const Process& process) const {
  if (process.pid == Names::root_pid() || process.pid == Names::system_pid()) return 0;
  if (process.attributes.fun_group != 0) return process.attributes.fun_group;
  // What proc_lib has noted, which may be a fun.
  const std::optional<Term> key = names.atoms.find("$initial_call");
  const Term began = key ? map_get(names, process.attributes.dictionary, *key) : Term::none();
  const bool is_call = is_tuple_of(began, 3) && element(began, 3).is_small();
  const auto is_meant = [&](const ProcessPattern& one) {
    return one.matches(names, process) ||
           (is_call && one.matches_fun(names, element(began, 1), element(began, 2),
                                       static_cast<std::uint32_t>(element(began, 3).small_value())));
  };
  for (std::size_t i = 0; i < options.symmetric.size(); ++i)
    if (std::ranges::any_of(options.symmetric[i], is_meant)) return static_cast<std::uint32_t>(i + 1);
  return 0;
}

std::uint32_t OpaqueNames::group_of_fun(Term fun) const {
  if (!are_watched() || !is_kind(fun, Kind::kFun)) return 0;
  const FunEntry& entry = names.fun(static_cast<std::uint32_t>(fun.object()[1].small_value()));
  for (std::size_t i = 0; i < options.symmetric.size(); ++i)
    if (std::ranges::any_of(options.symmetric[i], [&](const ProcessPattern& one) {
          return one.matches_fun(names, entry.module, entry.name, entry.arity);
        }))
      return static_cast<std::uint32_t>(i + 1);
  return 0;
}

void OpaqueNames::look_at_members() {
  if (!are_watched()) return;
  for (const Process* const process : machine.processes.changed()) {
    if (!process->attributes_image.is_none()) continue;
    const std::uint32_t group = group_of(*process);
    if (group == 0) continue;
    OfName& known = of_name(process->pid);
    known.group = group;
    if (known.is_used) refuse(process->pid, known, known.use, true);
  }
}

// In the running process.
bool OpaqueNames::only_prints() const {
  const Process* const running = machine.interpreter.running();
  if (running == nullptr) return false;
  return std::ranges::any_of(machine.traces.places_of(*running), [&](const CodeWord* place) {
    const Module* const module = machine.code.describe_place(place).module;
    return module != nullptr &&
           std::ranges::find(kPrinters, names.atoms.text(module->name)) != std::ranges::end(kPrinters);
  });
}

// What is below a process of a group has its name in its own.
bool OpaqueNames::settle(NameUse use) {
  const bool counts = !only_prints();
  bool is_refused = false;
  for (const Term used : names.uses.noted()) {
    if (!counts || is_refused) break;
    for (Term pid = used; names.has_parent(pid) && pid != Names::device_pid(); pid = names.parent_of(pid)) {
      OfName& known = of_name(pid);
      known.is_used = true;
      known.use = use;
      if (known.group == 0) continue;
      refuse(pid, known, use, false);
      is_refused = true;
      break;
    }
  }
  names.uses.forget_noted();
  return !is_refused;
}

bool OpaqueNames::try_use(std::span<const Term> terms, NameUse use) {
  for (const Term term : terms)
    if (!term.is_none()) for_each_name(term, [this](Term pid) { names.uses.note(pid); });
  return !names.uses.has_noted() || settle(use);
}

// A single name among others that have none is where its type, or the other keys, put it; in a large map
// where its hash does.
bool OpaqueNames::try_list(Term map) {
  std::size_t keys_with_names = 0;
  std::vector<Term> found;
  for (MapIterator pairs(map); pairs.next();) {
    const std::size_t before = found.size();
    for_each_name(pairs.key(), [&](Term pid) { found.push_back(pid); });
    keys_with_names += found.size() > before ? 1 : 0;
  }
  if (keys_with_names == 0 || (keys_with_names == 1 && is_flat_map(map))) return true;
  for (const Term pid : found) names.uses.note(pid);
  return settle(NameUse::kOrder);
}

void OpaqueNames::refuse(Term pid, const OfName& known, NameUse use, bool is_later) {
  const std::string group = options.symmetric[known.group - 1].front().text;
  machine.faults.refuse(
      "the processes of --symmetric " + group + " are told apart: the name of one of them (" +
      names.pid_text(pid) + ") is " + std::string(text_of(use)) + (is_later ? " elsewhere" : "") +
      ", so they are not interchangeable; leave --symmetric out, or use their names only to "
      "send to them and to compare them by =:=");
}

}  // namespace ravel::erlang
