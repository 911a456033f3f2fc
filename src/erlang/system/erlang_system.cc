#include "erlang/system/erlang_system.h"

#include <algorithm>

#include "base/check.h"
#include "base/hash.h"
#include "erlang/bif/table_conflicts.h"
#include "erlang/machine/process_image.h"
#include "erlang/system/growth.h"
#include "erlang/system/inspection.h"
#include "erlang/system/test_runners.h"
#include "erlang/term/print_elixir.h"
#include "states/fair_actors.h"
#include "states/polling_loops.h"

namespace ravel::erlang {

// The machine has its own names for these numbers.
static_assert(static_cast<std::uint8_t>(Access::kRead) == access::kRead &&
              static_cast<std::uint8_t>(Access::kWrite) == access::kWrite &&
              static_cast<std::uint8_t>(Access::kCreate) == access::kCreate &&
              static_cast<std::uint8_t>(Access::kSend) == access::kSend &&
              static_cast<std::uint8_t>(Access::kReceive) == access::kReceive &&
              static_cast<std::uint8_t>(Access::kReceiveOrExpire) == access::kReceiveOrExpire &&
              static_cast<std::uint8_t>(Access::kExpire) == access::kExpire &&
              static_cast<std::uint8_t>(Access::kRemove) == access::kRemove &&
              static_cast<std::uint8_t>(Access::kSendInVain) == access::kSendInVain &&
              static_cast<std::uint8_t>(Access::kChange) == access::kChange &&
              static_cast<std::uint8_t>(Access::kPass) == access::kPass);

namespace {

// Where states are kept as hashes, most of what was stored is of no use soon, and a store that stays small
// stays in the caches.
constexpr std::size_t kStoreWordsWithHashes = std::size_t{1} << 20;

// What follows from other options.
ErlangOptions completed(ErlangOptions options) {
  const Properties& properties = options.properties;
  options.machine.observes |=
      !properties.monitored.empty() || !properties.formulas.empty() || properties.asks_about_progress;
  if (options.visited.is_exact()) return options;
  options.machine.store_hashes = Store::Hashes::kWide;
  options.machine.store_words = std::min(options.machine.store_words, kStoreWordsWithHashes);
  return options;
}

// What befalls somebody from outside, as a step.
void strike(Machine& m, StepDescriptions& descriptions, Term who, std::uint32_t how) {
  if (who.is_pid()) {
    Process* const process = m.processes.find(who);
    CHECK(process != nullptr && how == EnabledTransitions::kKilled);
    if (descriptions.are_made()) descriptions.begin(*process);
    return m.kill(*process);
  }
  if (descriptions.are_made()) descriptions.begin();
  const auto channels = m.channels.all();
  const auto channel = std::ranges::find(channels, who, &Channel::reference);
  CHECK(channel != channels.end());
  const auto index = static_cast<std::size_t>(channel - channels.begin());
  if (how == EnabledTransitions::kLost)
    m.lose_signal(index);
  else
    m.duplicate_signal(index);
}

}  // namespace

ErlangSystem::ErlangSystem(Program& program, const ErlangOptions& options, StartedMachine machine,
                           const EntryCall& entry)
    : program_(program),
      options_(options),
      machine_(std::move(machine.machine)),
      is_machine_at_rest_(machine.is_at_rest),
      actors_(machine_->names),
      roles_(*machine_, entry.framework),
      places_(*machine_, program),
      texts_(*machine_, program, places_, entry.language),
      event_texts_(*machine_, texts_),
      exit_bugs_(*machine_, program, texts_),
      descriptions_({.machine = *machine_,
                     .actors = actors_,
                     .places = places_,
                     .texts = texts_,
                     .event_texts = event_texts_,
                     .exit_bugs = exit_bugs_}),
      requests_(*machine_, actors_, roles_, options_.requests_in_state),
      waiting_({.machine = *machine_,
                .program = program,
                .leftovers = options_.properties.leftovers,
                .roles = roles_,
                .requests = requests_,
                .places = places_,
                .texts = texts_}),
      fault_verdicts_({.machine = *machine_,
                       .program = program,
                       .properties = options_.properties,
                       .failures = failures_,
                       .places = places_,
                       .texts = texts_}),
      ends_(*machine_, options_.properties, roles_, exit_bugs_, texts_, failures_),
      starts_(*machine_, actors_, options_.explored_starts),
      unseen_ends_(*machine_, actors_, roles_),
      enabled_({.machine = *machine_,
                .actors = actors_,
                .roles = roles_,
                .starts = starts_,
                .unseen_ends = unseen_ends_,
                .unseen_ends_come_first = options_.machine.recurring && options_.unseen_ends_come_first}),
      standstill_verdicts_({.machine = *machine_,
                            .properties = options_.properties,
                            .roles = roles_,
                            .failures = failures_,
                            .requests = requests_,
                            .enabled = enabled_,
                            .waiting = waiting_}),
      saved_(machine_->freezer),
      notes_(*machine_, options_.non_racing),
      collection_(*machine_),
      verdicts_(*machine_, exit_bugs_, places_, texts_),
      observed_(*machine_, actors_, verdicts_, options_.abstraction),
      explorer_calls_({.machine = *machine_,
                       .actors = actors_,
                       .texts = texts_,
                       .verdicts = verdicts_,
                       .collection = collection_,
                       .explorer = options_.explorer,
                       .listens = options_.tells_explorer}) {
  collection_.add(saved_);
  collection_.add(explorer_calls_);
  collection_.add(notes_);
}

Result<std::unique_ptr<ErlangSystem>> ErlangSystem::start(Program& program, const TestName& test,
                                                          const ErlangOptions& options) {
  EntryCall entry{.module = test.module, .function = test.function};
  if (test.is_generated()) entry = {.module = kEunitRunner, .function = "run", .argument = test};
  if (test.is_of_common_test()) entry = {.module = kCommonTestRunner, .function = "run", .argument = test};
  if (test.is_of_exunit()) entry = {.module = kExunitRunner, .function = "run", .argument = test};
  entry.framework = {.is_eunit = test.is_of_eunit(),
                     .is_exunit = test.is_of_exunit(),
                     .is_common_test = test.is_of_common_test()};
  if (is_elixir_module(test.module)) entry.language = Language::kElixir;
  return start_call(program, entry, options);
}

Result<std::unique_ptr<ErlangSystem>> ErlangSystem::start_call(Program& program, const EntryCall& entry,
                                                               const ErlangOptions& options) {
  const ErlangOptions all = completed(options);
  auto machine = start_machine(program, all);
  if (!machine) return machine.error();
  std::unique_ptr<ErlangSystem> system(new ErlangSystem(program, all, std::move(*machine), entry));
  if (auto loaded = system->load(entry); !loaded) return loaded.error();
  return system;
}

ErlangSystem::~ErlangSystem() {
  numbering_.reset();  // while the machine is this one's
  if (is_machine_at_rest_) program_.resting_machines().put(std::move(machine_));
}

Status ErlangSystem::load(const EntryCall& entry) {
  Machine& m = *machine_;
  if (m.faults.current().kind != MachineFault::Kind::kNone) {
    end_by(fault_verdicts_.of_current());
    if (!program_.applications().empty()) refusal_.message += ". " + std::string(kNoStartHint);
    initial_outcome_ = outcome_;
    return Success{};
  }
  roles_.note_system();
  starts_.set_controller(m.registry.whereis(m.names.atoms.intern("application_controller")));
  std::vector<Term> arguments;
  if (entry.argument) {
    std::vector<Term> path;
    for (const std::uint32_t position : entry.argument->path) path.push_back(Term::small(position));
    arguments = {m.names.atoms.intern(entry.argument->module), m.names.atoms.intern(entry.argument->function),
                 m.heap.list(path)};
  }
  if (options_.machine.recurring) {
    collection_.add(numbering_.emplace(m, requests_, options_));
    requests_.choose_in_state();
    m.opaque_names.begin();
  }
  if (Status opened = observed_.open(options_.properties); !opened) return opened;
  if (options_.machine.recurring && !options_.abstraction.empty()) {
    m.property_monitors.note_beginning();
    if (Status opened = m.abstraction.open(options_.abstraction); !opened) return opened;
  }
  if (may_remember_steps()) numbering_->remember_steps();
  if (Status opened = explorer_calls_.open(); !opened) return opened;
  m.run_time_code.watch_code();
  m.faults.clear_notes();
  m.free_names.forget_made();
  m.start(m.names.atoms.intern(entry.module), m.names.atoms.intern(entry.function), arguments);
  names_made_at_start_.assign(m.free_names.made().begin(), m.free_names.made().end());
  look();
  initial_outcome_ = outcome_;
  if (m.faults.current().kind == MachineFault::Kind::kNone) {
    saved_.save_initial();
    explorer_calls_.note_start();
    notes_.note_start();
  }
  return Success{};
}

// Nothing but processes has a part in what happens, and nobody looks at it.
bool ErlangSystem::may_remember_steps() const {
  const MachineOptions& machine = options_.machine;
  return machine.recurring && options_.remembers_steps && !machine.observes && !machine.notes_messages &&
         !machine.fires_early && machine.mishaps.count() == 0 && machine.mishaps.slow.empty() &&
         machine.delivery == Delivery::kInstant && machine.blocking != Blocking::kExplore &&
         machine.ends == Ends::kAtomic && options_.explorer.empty() && !options_.tells_explorer;
}

void ErlangSystem::reset() {
  if (!saved_.has_initial()) return;  // the first local steps failed already: there is only that state
  if (remembers_steps()) numbering_->note_other_state();
  saved_.restore_initial();
  explorer_calls_.go_back_to_start();
  outcome_ = initial_outcome_;
  events_ = 0;
  failures_.go_back_to(0);
  ends_.go_back_to(0);
  starts_.go_back_to({});
  requests_.begin_execution();
  descriptions_.begin_execution();
  notes_.go_back_to(0);
  has_ended_by_bug_ = false;
  if (outcome_ != Outcome::kBug) enabled_.list();
  look();
  machine_->record.labels.clear();
  look_by_observers();
}

void ErlangSystem::look_by_observers() {
  if (auto failure = observed_.look(enabled_.all(), outcome_))
    end_by({.outcome = Outcome::kUnsupported, .refusal = std::move(*failure)});
}

void ErlangSystem::end_by(ExecutionVerdict verdict) {
  enabled_.clear();
  outcome_ = verdict.outcome;
  if (outcome_ == Outcome::kBug) bug_ = std::move(verdict.bug);
  if (outcome_ == Outcome::kUnsupported) refusal_ = std::move(verdict.refusal);
}

bool ErlangSystem::ask_monitors(std::span<const CodeWord* const> places) {
  using AfterViolation = ObservedSteps::AfterViolation;
  const bool goes_on = goes_on_after_failure();
  ObservedSteps::MonitorsSay said =
      observed_.ask_monitors(places, goes_on ? AfterViolation::kGoOn : AfterViolation::kStop);
  for (Bug& violation : said.violations) {
    if (goes_on) {
      failures_.note(std::move(violation), events_ + 1);
    } else {
      bug_ = std::move(violation);
      outcome_ = Outcome::kBug;
    }
  }
  const bool has_failed = said.failure.has_value();
  if (has_failed) end_by({.outcome = Outcome::kUnsupported, .refusal = std::move(*said.failure)});
  return has_failed || (!goes_on && !said.violations.empty());
}

// ---- Transitions

Event ErlangSystem::step(const Transition& chosen) {
  const Transition transition = chosen;  // which may stand in enabled_
  Machine& m = *machine_;
  const Term who = actors_.term_of(transition.actor);
  const bool is_of_start = starts_.is_going_on();
  const std::size_t could_move = enabled_.all().size();
  bool ends_abnormally = false;
  Term image = Term::none();
  bool takes_as_sent = false;
  const CodeWord* receive = nullptr;  // in which it was
  const bool has_monitors = m.property_monitors.size() != 0;
  std::vector<const CodeWord*> places;  // where it was, for monitors
  ends_.forget_touches();
  m.free_names.forget_made();
  const bool has_to_move = options_.machine.recurring && is_sure_to_move(transition) &&
                           std::ranges::count(enabled_.all(), transition.actor, &Transition::actor) == 1;
  using Beside = StepDescriptions::Beside;
  const Beside beside =
      descriptions_.are_made() && enabled_.could_go_on_beside(who) ? Beside::kSomebody : Beside::kNobody;
  if (transition.kind == TransitionKind::kEarly) m.mishaps.note_early();
  if (who == ActorTable::kTime) {
    if (descriptions_.are_made()) descriptions_.begin();
    if (enabled_.can_time_pass())
      m.time.pass(*m.time.earliest_deadline());
    else
      m.end_mishaps();
  } else if (transition.kind == TransitionKind::kFault) {
    strike(m, descriptions_, who, transition.alternative);
  } else if (who.is_pid()) {
    Process* process = m.processes.find_even_ended(who);
    CHECK(process != nullptr);
    if (descriptions_.are_made()) descriptions_.begin(*process);
    if (has_monitors) places = m.traces.places_of(*process);
    if (transition.kind == TransitionKind::kBlocks) {
      m.block(*process);
    } else {
      ends_abnormally = process->rest == Rest::kEnding && ends_.ends_as_bug(*process);
      if (ends_abnormally) {
        if (goes_on_after_failure()) {
          failures_.note(exit_bugs_.bug_of_exit(*process), events_ + 1);
          ends_abnormally = false;
        } else {
          bug_ = exit_bugs_.bug_of_exit(*process);
        }
      }
      const bool is_in_receive = process->rest == Rest::kMatched || process->rest == Rest::kTimeout;
      if (options_.machine.notes_messages && is_in_receive) image = m.image_of(*process);
      takes_as_sent = notes_.takes_as_sent(*process);
      if (is_in_receive) receive = process->receive_pc;
      m.step(*process, transition.alternative);
    }
  } else if (Names::is_channel(who)) {
    const auto channel = std::ranges::find(m.channels.all(), who, &Channel::reference);
    CHECK(channel != m.channels.all().end());
    if (descriptions_.are_made()) descriptions_.begin();
    m.bring_signal(static_cast<std::size_t>(channel - m.channels.all().begin()));
  } else {
    const auto timers = m.time.timers();
    const auto timer = std::ranges::find(timers, who, &Timer::reference);
    CHECK(timer != timers.end());
    if (descriptions_.are_made()) descriptions_.begin();
    m.fire(static_cast<std::size_t>(timer - timers.begin()));
  }
  m.opaque_names.look_at_members();
  if (descriptions_.are_made()) descriptions_.finish(who);
  if (options_.properties.leftovers == Leftovers::kLeft && who.is_pid())
    requests_.note(events_, who, receive);
  const bool comes_in_one_order =
      is_of_start || (options_.starts == ErlangOptions::Starts::kOnce && starts_.begins(who, could_move));
  if (is_of_start) starts_.note_event(who);
  const bool is_ended_by_monitor = has_monitors && !ends_abnormally && ask_monitors(places);
  if (ends_abnormally) outcome_ = Outcome::kBug;
  if (ends_abnormally || is_ended_by_monitor) {
    enabled_.clear();
  } else {
    look();
    look_by_observers();
  }
  if (explorer_calls_.refusal()) {
    end_by({.outcome = Outcome::kUnsupported, .refusal = *explorer_calls_.refusal()});
    waiting_.begin_judging();
  }
  const bool has_only_looked = has_to_move && observed_.has_only_looked(who);
  if (has_only_looked) observed_.note_only_looked(kOnlyLooked);
  if (remembers_steps()) {
    if (who.is_pid() && transition.kind == TransitionKind::kOperation && !has_only_looked)
      numbering_->note_step({.who = who, .alternative = transition.alternative});
    else
      numbering_->note_other_state();
  }
  ++events_;
  has_ended_by_bug_ = ends_abnormally || is_ended_by_monitor;
  footprint_.clear();
  for (const Touched& touched : m.record.footprint)
    footprint_.push_back({.object = touched.object,
                          .access = static_cast<Access>(touched.access),
                          .decides = touched.decides,
                          .is_coarse = is_told_by_table_touches(touched.object),
                          .is_priority = touched.is_priority,
                          .message = touched.message});
  footprint_.insert(footprint_.end(), ends_.touches().begin(), ends_.touches().end());
  if (comes_in_one_order)
    footprint_.push_back({.object = object_id(ObjectClass::kTime, 0),
                          .access = Access::kPass,
                          .decides = false,
                          .is_coarse = false,
                          .is_priority = false,
                          .message = 0});
  if (descriptions_.are_made()) descriptions_.note_rare_event(who, beside, footprint_);
  if (options_.machine.notes_messages)
    notes_.note({.who = who, .image = image, .takes_as_sent = takes_as_sent}, footprint_);
  return {.actor = transition.actor, .alternative = transition.alternative, .footprint = footprint_};
}

bool ErlangSystem::goes_on_after_failure() const {
  return options_.after_failure == ErlangOptions::AfterFailure::kGoOnAndTell ||
         (options_.after_failure == ErlangOptions::AfterFailure::kGoOn &&
          descriptions_.mode() != Descriptions::kOn);
}

void ErlangSystem::look() {
  if (machine_->faults.current().kind != MachineFault::Kind::kNone)
    return end_by(fault_verdicts_.of_current());
  enabled_.list();
  waiting_.begin_judging();
  if (enabled_.all().empty())
    end_by(standstill_verdicts_.of_current());
  else
    outcome_ = Outcome::kRunning;
}

std::vector<WaitingActor> ErlangSystem::waiting() {
  std::vector<WaitingActor> waiting;
  for (const Process* process : waiting_.stuck())
    if (process->rest == Rest::kWaiting || process->rest == Rest::kTimeout)
      waiting.push_back({.actor = actors_.actor_of(process->pid), .lines = waiting_.lines_of(*process)});
  return waiting;
}

std::vector<ActorState> ErlangSystem::inspect() {
  if (!server_states_) server_states_.emplace(*machine_);
  return inspect_processes({.machine = *machine_,
                            .actors = actors_,
                            .places = places_,
                            .texts = texts_,
                            .server_states = *server_states_},
                           roles_);
}

// ---- Saving

std::optional<Snapshot> ErlangSystem::save() {
  if (!saved_.has_initial()) return std::nullopt;
  const Snapshot snapshot = saved_.save();
  const auto index = static_cast<std::uint32_t>(snapshot);
  if (index >= saved_progress_.size()) saved_progress_.resize(index + 1);
  saved_progress_[index] = {.events = events_,
                            .failures = failures_.count(),
                            .handled_ends = ends_.handled_in_execution(),
                            .start = starts_.progress()};
  collection_.collect_if_due();
  return snapshot;
}

// After a step by which an execution ends as a bug, the state may be one in which another execution goes on;
// and in the middle of a step there is none.
std::optional<MetState> ErlangSystem::number_state() {
  CHECK(options_.machine.recurring);
  if (!saved_.has_initial() || has_ended_by_bug_ || explorer_calls_.refusal() ||
      machine_->faults.current().kind != MachineFault::Kind::kNone)
    return std::nullopt;
  const std::optional<MetState> met = numbering_->number(observed_.abstract(), outcome_);
  collection_.collect_if_due();
  return met;
}

void ErlangSystem::go_to(StateNumber state) {
  CHECK(numbering_);
  numbering_->go_to(state);
  events_ = 0;
  failures_.go_back_to(0);
  ends_.go_back_to(0);
  starts_.go_back_to({});
  has_ended_by_bug_ = false;
  outcome_ = Outcome::kRunning;
  enabled_.list();
}

std::vector<std::string> ErlangSystem::what_grows(std::span<const StateNumber> states) {
  Growth growth(*machine_);
  for (const StateNumber state : states) {
    if (!numbering_->keeps(state)) continue;
    go_to(state);
    growth.look();
  }
  return growth.describe();
}

void ErlangSystem::restore(Snapshot snapshot) {
  if (remembers_steps()) numbering_->note_other_state();
  saved_.restore(snapshot);
  const Progress& progress = saved_progress_[static_cast<std::uint32_t>(snapshot)];
  events_ = progress.events;
  failures_.go_back_to(progress.failures);
  ends_.go_back_to(progress.handled_ends);
  starts_.go_back_to(progress.start);
  requests_.go_back_to(events_);
  has_ended_by_bug_ = false;
  notes_.go_back_to(events_);
  outcome_ = Outcome::kRunning;
  enabled_.list();
}

std::optional<Fingerprint> ErlangSystem::fingerprint() {
  std::vector<Term> words;
  machine_->freezer.save(words);
  Fingerprint print{.high = 0x243F6A8885A308D3, .low = 0x13198A2E03707344};
  const auto add = [&](std::uint64_t hash) {
    print.high = combine(print.high, hash);
    print.low = combine(print.low, hash * 0x9E3779B97F4A7C15);
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool is_image = i >= kWordsBeforeImages && (i - kWordsBeforeImages) % 2 == 1;
    add(is_image ? hash_but_for_counts(machine_->freezer.parts_of(words[i])) : Store::hash(words[i]));
  }
  return print;
}

}  // namespace ravel::erlang
