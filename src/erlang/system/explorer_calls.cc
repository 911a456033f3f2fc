#include "erlang/system/explorer_calls.h"

#include <array>
#include <filesystem>

#include "erlang/system/properties.h"
#include "erlang/term/print.h"

namespace ravel::erlang {

namespace {

constexpr PrintOptions kShort{.depth_max = 12, .elements_max = 30, .bytes_max = 400};
constexpr const char kRunner[] = "ravel_explorer";

}  // namespace

Status ExplorerCalls::open() {
  Machine& m = machine_;
  m.told_explorer.listen(listens_);
  if (explorer_.empty()) return Success{};
  // Names that exist in every execution.
  for (const char* const name : {"init", "enabled", "blocked", "next", "delay", "message", "call", "timer",
                                 "channel", "time", "undefined"})
    m.names.atoms.intern(name);
  const std::string file = file_of_property(explorer_);
  const std::string module = file.empty() ? explorer_ : std::filesystem::path(file).stem().string();
  const OpaqueNames::Pause pause(m.opaque_names);
  const Result<Term> answer = property_text_call(m, "open", module, kRunner, "the explorer");
  if (!answer) return Error{"--explorer " + explorer_ + ": " + answer.error().message};
  module_ = element(*answer, 2);
  takes_messages_ = element(*answer, 3) == atoms::kTrue;
  states_.number_of(m.store.intern(element(*answer, 4)));
  checksum_ = static_cast<std::uint64_t>(element(*answer, 5).small_value());
  return Success{};
}

Term ExplorerCalls::explored_actor(ActorId actor) {
  const Term who = actors_.term_of(actor);
  if (who.is_pid() || who == atoms::kTime) return who;
  Machine& m = machine_;
  const bool is_channel = Names::is_channel(who);
  const std::uint64_t number = is_channel ? Names::ordinal_of_channel(who) : Names::index_of(who);
  return m.heap.tuple({m.names.atoms.intern(is_channel ? "channel" : "timer"), Names::creator_of(who),
                       Term::small(static_cast<std::int64_t>(number))});
}

Term ExplorerCalls::explored_actors(std::span<const ActorId> actors) {
  std::vector<Term> terms;
  for (const ActorId actor : actors) terms.push_back(explored_actor(actor));
  return machine_.heap.list(terms);
}

// The value of {ok, Value}, stored; none if the explorer fails. What is to be an argument may be young.
Term ExplorerCalls::call(const char* function, const std::string& callback, std::span<const Term> arguments) {
  Machine& m = machine_;
  const OpaqueNames::Pause pause(m.opaque_names);
  const PureCalls::Answer answer =
      m.pure_calls.call(m.names.atoms.intern(kRunner), m.names.atoms.intern(function), arguments);
  Term value = Term::none();
  PropertyMonitors::Verdict failure{.kind = PropertyMonitors::Verdict::Kind::kFailed};
  failure.problem = "in its callback " + callback;
  if (!answer.problem.empty()) {
    failure.problem += " " + answer.problem;
    failure.places = answer.places;
  } else if (element(answer.value, 1) == atoms::kOk) {
    value = m.store.intern(element(answer.value, 2));
  } else {
    const Term error_class = element(answer.value, 2);
    failure.problem +=
        error_class == atoms::kThrow ? " it throws " : " it raises the " + texts_.text_of(error_class) + " ";
    failure.problem += print_term(m.names, element(answer.value, 3), kShort);
    failure.trace = element(answer.value, 4);
  }
  // The search is not over yet: its next step ends it.
  if (value.is_none()) refusal_ = verdicts_.refusal_of_failure("the explorer " + explorer_, failure);
  m.heap.reset();
  return value;
}

std::uint32_t ExplorerCalls::tell(const char* callback, std::uint32_t state,
                                  const std::function<void(std::vector<Term>&)>& add_arguments) {
  if (refusal_) return state;
  Machine& m = machine_;
  m.freezer.store_state();
  std::vector<Term> arguments = {states_.term_of(state)};
  add_arguments(arguments);
  const std::string name = std::string(callback) + "/" + std::to_string(arguments.size());
  const std::array<Term, 3> arguments_of_call = {module_, m.names.atoms.intern(callback),
                                                 m.heap.list(arguments)};
  const Term value = call("call", name, arguments_of_call);
  if (value.is_none()) return state;
  const std::uint32_t next = states_.number_of(value);
  collection_.collect_if_due();
  return next;
}

std::size_t ExplorerCalls::ask(std::uint32_t state, std::span<const ActorId> actors) {
  if (refusal_) return 1;
  machine_.freezer.store_state();
  const std::array<Term, 3> arguments = {module_, states_.term_of(state), explored_actors(actors)};
  const Term place = call("next", "next/2", arguments);
  return place.is_none() ? 1 : static_cast<std::size_t>(place.small_value());
}

std::vector<ExplorerMessage> ExplorerCalls::take_messages() {
  ToldExplorer& told = machine_.told_explorer;
  std::vector<ExplorerMessage> taken;
  if (told.messages().empty()) return taken;
  machine_.freezer.store_state();
  heard_.assign(told.messages().begin(), told.messages().end());
  for (std::size_t i = 0; i < heard_.size(); ++i) {
    ExplorerMessage& message = taken.emplace_back();
    message.from = actors_.actor_of(told.senders()[i]);
    message.number = i;
    if (explorer_.empty()) message.text = print_term(machine_.names, heard_[i]);
  }
  told.forget();
  return taken;
}

void ExplorerCalls::note_start() {
  const ToldExplorer& told = machine_.told_explorer;
  initial_tellers_.assign(told.senders().begin(), told.senders().end());
  initially_told_.assign(told.messages().begin(), told.messages().end());
}

void ExplorerCalls::go_back_to_start() { machine_.told_explorer.put_back(initial_tellers_, initially_told_); }

void ExplorerCalls::for_each(Visit visit, void* collector) {
  states_.for_each_root(visit, collector);
  visit(collector, heard_.data(), heard_.size());
  visit(collector, initially_told_.data(), initially_told_.size());
}

}  // namespace ravel::erlang
