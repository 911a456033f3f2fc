#include "erlang/system/erlang_explorer.h"

#include <array>
#include <filesystem>

#include "erlang/system/erlang_system.h"
#include "erlang/term/print.h"

namespace ravel::erlang {

namespace {

constexpr PrintOptions kShort{.depth_max = 12, .elements_max = 30, .bytes_max = 400};
constexpr const char kRunner[] = "ravel_explorer";

// The state of an explorer that was told nothing yet is the first one that was numbered.
constexpr std::uint32_t kInitial = 0;

std::uint32_t number_in(const ExplorerState& state) { return state.empty() ? kInitial : state.front(); }

// Of which no actor has the number.
constexpr ActorId kNobody{~std::uint32_t{0}};

}  // namespace

void ErlangExplorer::note_enabled(ExplorerState& state, ActorId actor, std::optional<ActorId> by,
                                  const ActorNames&) const {
  const auto next = system_.tell_explorer("enabled", number_in(state), [&](std::vector<Term>& arguments) {
    arguments.push_back(system_.explored_actor(actor));
    arguments.push_back(by ? system_.explored_actor(*by) : atoms::kUndefined);
  });
  state.assign(1, next);
}

void ErlangExplorer::note_blocked(ExplorerState& state, ActorId actor) const {
  const auto next = system_.tell_explorer("blocked", number_in(state), [&](std::vector<Term>& arguments) {
    arguments.push_back(system_.explored_actor(actor));
  });
  state.assign(1, next);
}

void ErlangExplorer::note_message(ExplorerState& state, const ExplorerMessage& message) const {
  if (!system_.explorer_takes_messages()) return;
  const auto next = system_.tell_explorer("message", number_in(state), [&](std::vector<Term>& arguments) {
    arguments.push_back(system_.explored_actor(message.from));
    arguments.push_back(system_.heard_by_explorer(message.number));
  });
  state.assign(1, next);
}

void ErlangExplorer::delay(ExplorerState& state, std::span<const ActorId> enabled) const {
  const auto next = system_.tell_explorer("delay", number_in(state), [&](std::vector<Term>& arguments) {
    arguments.push_back(system_.explored_actors(enabled));
  });
  state.assign(1, next);
}

ActorId ErlangExplorer::next(const ExplorerState& state, std::span<const ActorId> enabled) const {
  const std::size_t place = system_.ask_explorer(number_in(state), enabled);
  return place == 0 ? kNobody : enabled[place - 1];
}

// ---- What the System does for it

Status ErlangSystem::open_explorer() {
  Machine& m = *machine_;
  m.told_explorer.listen(options_.tells_explorer);
  if (options_.explorer.empty()) return Success{};
  // Names that exist in every execution.
  for (const char* const name : {"init", "enabled", "blocked", "next", "delay", "message", "call", "timer",
                                 "channel", "time", "undefined"})
    m.names.atoms.intern(name);
  const std::string file = file_of_property(options_.explorer);
  const std::string module = file.empty() ? options_.explorer : std::filesystem::path(file).stem().string();
  const OpaqueNames::Pause pause(m.opaque_names);
  const Result<Term> answer = property_text_call(m, "open", module, kRunner, "the explorer");
  if (!answer) return Error{"--explorer " + options_.explorer + ": " + answer.error().message};
  explorer_module_ = element(*answer, 2);
  explorer_takes_messages_ = element(*answer, 3) == atoms::kTrue;
  explorer_states_.number_of(m.store.intern(element(*answer, 4)));
  explorer_checksum_ = static_cast<std::uint64_t>(element(*answer, 5).small_value());
  return Success{};
}

Term ErlangSystem::explored_actor(ActorId actor) {
  const Term who = actors_.term_of(actor);
  if (who.is_pid() || who == atoms::kTime) return who;
  Machine& m = *machine_;
  const bool is_channel = Names::is_channel(who);
  const std::uint64_t number = is_channel ? Names::ordinal_of_channel(who) : Names::index_of(who);
  return m.heap.tuple({m.names.atoms.intern(is_channel ? "channel" : "timer"), Names::creator_of(who),
                       Term::small(static_cast<std::int64_t>(number))});
}

Term ErlangSystem::explored_actors(std::span<const ActorId> actors) {
  std::vector<Term> terms;
  for (const ActorId actor : actors) terms.push_back(explored_actor(actor));
  return machine_->heap.list(terms);
}

// The value of {ok, Value}, stored; none if the explorer fails. What is to be an argument may be young.
Term ErlangSystem::call_explorer(const char* function, const std::string& callback,
                                 std::span<const Term> arguments) {
  Machine& m = *machine_;
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
  if (value.is_none()) note_failed_explorer(failure);
  m.heap.reset();
  return value;
}

std::uint32_t ErlangSystem::tell_explorer(const char* callback, std::uint32_t state,
                                          const std::function<void(std::vector<Term>&)>& add_arguments) {
  if (explorer_refusal_) return state;
  Machine& m = *machine_;
  m.freezer.store_state();
  std::vector<Term> arguments = {explorer_states_.term_of(state)};
  add_arguments(arguments);
  const std::string name = std::string(callback) + "/" + std::to_string(arguments.size());
  const std::array<Term, 3> call = {explorer_module_, m.names.atoms.intern(callback), m.heap.list(arguments)};
  const Term value = call_explorer("call", name, call);
  if (value.is_none()) return state;
  const std::uint32_t next = explorer_states_.number_of(value);
  collection_.collect_if_due();
  return next;
}

std::size_t ErlangSystem::ask_explorer(std::uint32_t state, std::span<const ActorId> actors) {
  if (explorer_refusal_) return 1;
  machine_->freezer.store_state();
  const std::array<Term, 3> call = {explorer_module_, explorer_states_.term_of(state),
                                    explored_actors(actors)};
  const Term place = call_explorer("next", "next/2", call);
  return place.is_none() ? 1 : static_cast<std::size_t>(place.small_value());
}

// The search is not over yet: its next step ends it.
void ErlangSystem::note_failed_explorer(const PropertyMonitors::Verdict& failure) {
  const Outcome outcome = outcome_;
  note_failed_monitor("the explorer " + options_.explorer, failure);
  explorer_refusal_ = std::move(refusal_);
  refusal_ = {};
  outcome_ = outcome;
}

void ErlangSystem::end_by_explorer() {
  refusal_ = *explorer_refusal_;
  outcome_ = Outcome::kUnsupported;
  waiting_.begin_judging();
  enabled_.clear();
}

std::vector<ExplorerMessage> ErlangSystem::take_explorer_messages() {
  ToldExplorer& told = machine_->told_explorer;
  std::vector<ExplorerMessage> taken;
  if (told.messages().empty()) return taken;
  machine_->freezer.store_state();
  heard_by_explorer_.assign(told.messages().begin(), told.messages().end());
  for (std::size_t i = 0; i < heard_by_explorer_.size(); ++i) {
    ExplorerMessage& message = taken.emplace_back();
    message.from = actors_.actor_of(told.senders()[i]);
    message.number = i;
    if (options_.explorer.empty()) message.text = print_term(machine_->names, heard_by_explorer_[i]);
  }
  told.forget();
  return taken;
}

}  // namespace ravel::erlang
