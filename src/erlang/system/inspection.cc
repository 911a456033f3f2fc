#include "erlang/system/inspection.h"

#include <algorithm>
#include <utility>

#include "erlang/system/test_runners.h"
#include "erlang/term/map.h"

namespace ravel::erlang {

namespace {

// Of the dictionary, what proc_lib and EUnit put there.
constexpr std::string_view kLibraryKeys[] = {"$ancestors", "$initial_call", "$callers", "$process_label"};

// Whether a module calls tests, so that what called it says nothing of the program.
bool runs_tests(std::string_view module) { return is_runner(module) || module.starts_with("eunit_"); }

class ProcessInspection {
 public:
  ProcessInspection(const InspectionParts& parts, const Process& process)
      : machine_(parts.machine),
        actors_(parts.actors),
        places_(parts.places),
        texts_(parts.texts),
        server_states_(parts.server_states),
        process_(process),
        stack_(machine_.traces.places_of(process)) {
    texts_.choose(texts_.language_of(process));
  }

  ActorState state() {
    state_.actor = actors_.actor_of(process_.pid);
    add_waits();
    add(StateKind::kStack, "", stack());
    add_mailbox();
    add_server_state();
    add_dictionary();
    add_links();
    return std::move(state_);
  }

 private:
  void add(StateKind kind, std::string name, std::vector<StateLine> lines) {
    if (!lines.empty())
      state_.parts.push_back({.kind = kind, .name = std::move(name), .lines = std::move(lines)});
  }
  void add_text(StateKind kind, std::string name, std::string text) {
    add(kind, std::move(name), {{.text = cut_text(std::move(text))}});
  }
  std::string text_of(Term term) const { return texts_.text_of(term); }

  void add_waits();
  std::string what_it_waits_for();
  std::vector<StateLine> stack() const;
  void add_mailbox();
  void add_server_state();
  void add_dictionary();
  void add_links();

  const Machine& machine_;
  ActorTable& actors_;
  const SourcePlaces& places_;
  Texts& texts_;
  ServerStates& server_states_;
  const Process& process_;
  const std::vector<const CodeWord*> stack_;  // where it is
  ActorState state_;
};

void ProcessInspection::add_waits() {
  const std::string what = what_it_waits_for();
  if (what.empty()) return;
  EventDescription where;
  places_.describe_where(process_, where);
  add(StateKind::kWaits, "", {{.text = cut_text(what), .file = where.file, .line = where.line}});
}

// Empty: it can go on.
std::string ProcessInspection::what_it_waits_for() {
  if (process_.rest != Rest::kWaiting && process_.rest != Rest::kTimeout) return {};
  if (process_.wakes_on_message) return "hibernates";
  // gen:do_call/4 watches whom it asks, and makes no other monitor while it waits.
  const auto asks = [&](const CodeWord* place) {
    const CodePlace found = machine_.code.describe_place(place);
    return found.module != nullptr && machine_.names.atoms.text(found.module->name) == "gen" &&
           machine_.names.atoms.text(found.function) == "do_call";
  };
  const std::vector<Monitor>& monitors = process_.attributes.monitors;
  if (!stack_.empty() && asks(stack_.front()) && !monitors.empty()) {
    const Term asked = monitors.back().target;
    if (!asked.is_pid()) return "waits in a call for an answer";
    state_.waits_for.push_back(actors_.actor_of(asked));
    return "waits for the answer of " + texts_.name_of(asked);
  }
  const bool is_timed = process_.rest == Rest::kTimeout && process_.timeout.is_small();
  if (process_.receive_pc == nullptr)
    return is_timed ? "sleeps for " + text_of(process_.timeout) + " ms" : "waits for nothing";
  const std::string clauses = texts_.constraint_of(process_);
  return "waits " + (is_timed ? "for at most " + text_of(process_.timeout) + " ms " : std::string()) +
         (clauses.starts_with("a receive of ") ? "in " : "in a receive for ") + clauses;
}

std::vector<StateLine> ProcessInspection::stack() const {
  PartLines lines;
  for (const CodeWord* const place : stack_) {
    const CodePlace found = machine_.code.describe_place(place);
    if (found.module == nullptr) continue;
    if (runs_tests(machine_.names.atoms.text(found.module->name))) break;
    const bool is_receive = place == stack_.front() && process_.receive_pc != nullptr &&
                            !process_.is_before_operation() && process_.rest != Rest::kEnding;
    EventDescription where;
    places_.describe_where(is_receive ? process_.receive_pc : place, where,
                           is_receive ? SourcePlaces::Place::kReceive : SourcePlaces::Place::kOther);
    lines.add({.text = texts_.text_of_function(found.module->name, found.function, found.arity),
               .file = where.file,
               .line = where.line});
  }
  return lines.take();
}

void ProcessInspection::add_mailbox() {
  PartLines lines;
  for (const Message& message : process_.mailbox) lines.add({.text = cut_text(text_of(message.content))});
  add(StateKind::kMailbox, "", lines.take());
}

void ProcessInspection::add_server_state() {
  const std::optional<ServerState> server = server_states_.find(process_);
  if (!server) return;
  if (server->kind == ServerState::Kind::kState)
    return add_text(StateKind::kState, server->is_in_callback ? "before the callback" : "",
                    text_of(server->term));
  PartLines lines;
  for (Term rest = server->term; rest.is_cons(); rest = rest.tail()) {
    const Term handler = rest.head();
    if (is_tuple(handler) && tuple_size(handler) >= 4)
      lines.add({.text = cut_text("{" + text_of(element(handler, 2)) + "," + text_of(element(handler, 3)) +
                                  "," + text_of(element(handler, 4)) + "}")});
  }
  add(StateKind::kState, "", lines.take());
}

void ProcessInspection::add_dictionary() {
  const Term dictionary = process_.attributes.dictionary;
  if (!is_map(dictionary)) return;
  std::size_t told = 0, left_out = 0;
  for (MapIterator pairs(dictionary); pairs.next();) {
    const Term key = pairs.key();
    const bool is_of_library =
        key.is_atom() &&
        std::ranges::find(kLibraryKeys, machine_.names.atoms.text(key)) != std::end(kLibraryKeys);
    if (is_of_library) continue;
    if (told == kInspectedLinesMax) {
      ++left_out;
      continue;
    }
    ++told;
    add_text(StateKind::kDictionary, cut_text(text_of(key)), text_of(pairs.value()));
  }
  if (left_out > 0) add_text(StateKind::kDictionary, "…", std::to_string(left_out) + " more");
}

void ProcessInspection::add_links() {
  const Attributes& attributes = process_.attributes;
  PartLines lines;
  if (!attributes.registered_name.is_none())
    lines.add({.text = "registered as " + text_of(attributes.registered_name)});
  if (attributes.trap_exit) lines.add({.text = "traps exits"});
  for (const Term link : attributes.links) lines.add({.text = "linked with " + texts_.name_of(link)});
  for (const Monitor& monitor : attributes.monitors)
    lines.add({.text = "monitors " +
                       (monitor.target.is_pid() ? texts_.name_of(monitor.target) : text_of(monitor.object))});
  for (const Watcher& watcher : attributes.watchers)
    if (watcher.taken_back == TakenBack::kNo)
      lines.add({.text = "monitored by " + texts_.name_of(watcher.pid)});
  add(StateKind::kLinks, "", lines.take());
}

}  // namespace

std::vector<ActorState> inspect_processes(const InspectionParts& parts, const ProcessRoles& roles) {
  const Language language = parts.texts.language();
  std::vector<ActorState> states;
  for (const Process* const process : parts.machine.processes.all())
    if (process->rest != Rest::kEnded && !roles.is_of_system(*process))
      states.push_back(ProcessInspection(parts, *process).state());
  parts.texts.choose(language);
  return states;
}

}  // namespace ravel::erlang
