// A test of an Erlang program as a System: the machine's processes and timers as the engine's actors.
//
// Actors are named as the processes: P runs the test, P.1 is its first child, P.t3 the timer whose reference
// is the third that P made. S and what is below it are Erlang/OTP's own system, which is started once,
// without exploring it, before P is made; every execution begins in that state. Bugs are an abnormal end that
// nobody handles (a failed EUnit assertion is told as such; process_ends.h), running for ever, an abnormal
// halt, and that the test's processes wait for ever, other than servers that it has left behind
// (waiting_processes.h). The system's own processes may wait: they are servers.
//
// An execution ends at its first bug, when the program halts, or when nobody can move.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/inspecting.h"
#include "engine/remark.h"
#include "engine/step_memory.h"
#include "engine/system.h"
#include "erlang/machine/machine.h"
#include "erlang/system/actor_table.h"
#include "erlang/system/application_starts.h"
#include "erlang/system/assumed_places.h"
#include "erlang/system/enabled_transitions.h"
#include "erlang/system/erlang_options.h"
#include "erlang/system/event_texts.h"
#include "erlang/system/exit_bugs.h"
#include "erlang/system/explorer_calls.h"
#include "erlang/system/fault_verdicts.h"
#include "erlang/system/message_notes.h"
#include "erlang/system/noted_failures.h"
#include "erlang/system/noted_requests.h"
#include "erlang/system/observed_steps.h"
#include "erlang/system/process_ends.h"
#include "erlang/system/process_roles.h"
#include "erlang/system/program.h"
#include "erlang/system/property_verdicts.h"
#include "erlang/system/saved_states.h"
#include "erlang/system/server_states.h"
#include "erlang/system/source_places.h"
#include "erlang/system/standstill_verdicts.h"
#include "erlang/system/start_machine.h"
#include "erlang/system/state_numbering.h"
#include "erlang/system/step_descriptions.h"
#include "erlang/system/store_collection.h"
#include "erlang/system/texts.h"
#include "erlang/system/unseen_ends.h"
#include "erlang/system/waiting_processes.h"
#include "explorers/explorer_messages.h"

namespace ravel::erlang {

// How ErlangSystem::run_plainly() ended.
struct PlainRun {
  Outcome outcome = Outcome::kFinished;
  Bug bug;                  // kBug
  Refusal refusal;          // kUnsupported
  int halt_status = 0;      // kFinished: what the program gave to halt
  std::size_t waiting = 0;  // kFinished: processes of the test that still wait
};

class ErlangSystem final : public System, public StepMemory, public ExplorerMessages, public Inspecting {
 public:
  // Loads the program's modules and starts the test. The program must outlive the system.
  static Result<std::unique_ptr<ErlangSystem>> start(Program& program, const TestName& test,
                                                     const ErlangOptions& options);
  static Result<std::unique_ptr<ErlangSystem>> start_call(Program& program, const EntryCall& entry,
                                                          const ErlangOptions& options);

  void reset() override;
  std::span<const Transition> enabled() override { return enabled_.all(); }
  bool leaves_others_out() const override { return unseen_ends_.is_one_first(); }
  Event step(const Transition& transition) override;
  Outcome outcome() const override { return outcome_; }
  bool stops_others() const override {
    return machine_->faults.current().kind != MachineFault::Kind::kNone || has_ended_by_bug_;
  }
  Bug bug() const override { return outcome_ == Outcome::kBug ? bug_ : failures_.first(); }
  std::optional<std::size_t> events_to_bug() const override {
    return failures_.exist() ? std::optional<std::size_t>(failures_.events_to_first()) : std::nullopt;
  }
  std::vector<LaterBug> later_bugs() const override { return failures_.later(); }
  bool could_take(std::size_t receive, std::size_t send, std::size_t touch) override {
    return notes_.could_take(receive, send, touch);
  }
  std::vector<AssumedPlace> assumed() override {
    return assumed_places(machine_->faults.assumptions(), starts_, places_);
  }
  void note_overtaking(std::size_t receive, std::size_t taken, std::size_t overtaking) override {
    static_cast<void>(overtaking);
    notes_.note_overtaking(receive, taken);
  }
  bool notes_overtaking() const override {
    return options_.machine.delivery == Delivery::kInstant && !machine_->faults.assumptions().is_full();
  }
  bool conflict_closely(std::size_t earlier, std::size_t later) override {
    return notes_.conflict_closely(earlier, later);
  }
  std::uint64_t close_key(std::size_t event) override { return notes_.close_key(event); }
  Refusal refusal() const override { return refusal_; }
  // Because of which a search has to begin again.
  struct Discovered {
    // Some operation has been refused since, with MessageOrder::kRefused, it would have shown the order of
    // messages.
    bool shows_message_order;
    // With MachineOptions::recurring: some end came first, and the program has looked at the list of all
    // processes: without that.
    bool lists_hidden_ends;
    // Modules whose code some execution has changed, besides MachineOptions::watched_code: with these
    // watched.
    std::span<const WatchedCode> code;
    // With Starts::kOnce: starts and stops besides ErlangOptions::explored_starts that were asked for, in
    // some execution, while others could go on: with these explored.
    std::span<const std::string> concurrent_starts;
  };
  Discovered discovered() const {
    return {.shows_message_order = machine_->faults.has_refused_message_order(),
            .lists_hidden_ends = unseen_ends_.was_one_first() && machine_->processes.were_listed(),
            .code = machine_->run_time_code.discovered_code(),
            .concurrent_starts = starts_.concurrent()};
  }
  SystemParts parts() const override {
    return {.snapshots = true, .fingerprints = true, .numbers_states = options_.machine.recurring};
  }
  std::optional<Snapshot> save() override;
  void restore(Snapshot snapshot) override;
  void release(Snapshot snapshot) override { saved_.release(snapshot); }
  // Made of the stored words' 56-bit hashes: two different states agree with a probability of some 2^-56.
  // Whoever must not err compares the words of Freezer::save(), which are equal exactly if the states are
  // (but for 0.0 and -0.0). How many children and references a process has made does not count: what it makes
  // next has other names, and nothing else.
  std::optional<Fingerprint> fingerprint() override;
  // REQUIRES for all of these: MachineOptions::recurring.
  std::optional<MetState> number_state() override;
  void go_to(StateNumber state) override;
  bool remembers_steps() const override { return numbering_ && numbering_->remembers_steps(); }
  std::optional<Known> repeat(StateNumber from, std::uint32_t index) override {
    return numbering_->repeat(from, index);
  }
  std::vector<std::string> what_grows(std::span<const StateNumber> states) override;
  std::vector<std::string> propositions() const override { return observed_.propositions(); }
  Letter letter() override { return observed_.letter(); }
  void leave(StateNumber state) override { numbering_->leave(state); }
  std::uint64_t bytes_of_states() const override { return numbering_ ? numbering_->bytes() : 0; }
  std::optional<HashedStates> hashed_states() const override {
    return numbering_ ? numbering_->inexactness() : std::nullopt;
  }
  bool is_judged_by_execution() const override { return standstill_verdicts_.is_judged_by_execution(); }
  // What processes have asked. If it matters of some in a search by states, the search has to begin again
  // (NotedRequests::that_matter()).
  NotedRequests& requests() { return requests_; }
  const NotedRequests& requests() const { return requests_; }
  // What was named before the first step: processes, references and tables, in their order. What a step has
  // named is in Machine::free_names.
  std::span<const Term> names_made_at_start() const { return names_made_at_start_; }
  // Who moves, by number and by name.
  ActorTable& actors() { return actors_; }
  std::optional<ActorId> owner_of(std::uint64_t object) override { return actors_.owner_of(object); }
  std::uint32_t faults_left(std::uint32_t alternative) override { return enabled_.faults_left(alternative); }
  ActorName actor_name(ActorId actor) const override { return actors_.name_of(actor); }
  std::optional<ActorId> find_actor(const ActorName& name) const override { return actors_.find(name); }
  void set_descriptions(Descriptions descriptions) override { descriptions_.set_mode(descriptions); }
  EventDescription describe_last() override { return descriptions_.last(); }
  std::vector<WaitingActor> waiting() override;
  std::string output_so_far() override { return machine_->device.output(); }
  // Without the processes of Erlang/OTP's own system.
  std::vector<ActorState> inspect() override;

  std::vector<ExplorerMessage> take_explorer_messages() override { return explorer_calls_.take_messages(); }
  // For a delaying explorer of the user's own. How it fails ends the search with the next step.
  ExplorerCalls& explorer_calls() { return explorer_calls_; }

  // Instead of all of the above: runs the test once from here, as a machine with clocks would, with next to
  // no switches (plain_run.cc). Only the test's own process decides how it ends; others that fail are told by
  // Erlang/OTP's logger. REQUIRES: a policy under which time passes.
  // After `events_max` events it is cut off, with the outcome kRunning.
  PlainRun run_plainly(std::uint64_t events_max = std::numeric_limits<std::uint64_t>::max());

  // Of all executions: whom tests have left behind, and which abnormal ends were no bugs because somebody
  // handled them.
  struct RemarksSoFar {
    const Remarks& left_behind;
    const Remarks& handled_ends;
  };
  RemarksSoFar remarks() const {
    return {.left_behind = waiting_.left_behind(), .handled_ends = ends_.handled()};
  }

  ~ErlangSystem() override;

  Machine& machine() { return *machine_; }

 private:
  ErlangSystem(Program& program, const ErlangOptions& options, StartedMachine machine,
               const EntryCall& entry);
  Status load(const EntryCall& entry);
  bool may_remember_steps() const;
  void look();  // at what the last step has done: enabled_ and outcome_
  void end_by(ExecutionVerdict verdict);
  void look_by_observers();                                    // at what the last step has led to
  bool ask_monitors(std::span<const CodeWord* const> places);  // whether the execution ends by what they say
  // Whether an execution goes on after a bug that stops nobody.
  bool goes_on_after_failure() const;

  Program& program_;
  const ErlangOptions options_;
  std::unique_ptr<Machine> machine_;
  const bool is_machine_at_rest_;  // with its system: it serves the next test, too
  std::vector<Term> names_made_at_start_;
  ActorTable actors_;
  ProcessRoles roles_;
  SourcePlaces places_;
  Texts texts_;
  EventTexts event_texts_;
  ExitBugs exit_bugs_;
  StepDescriptions descriptions_;
  NotedFailures failures_;
  NotedRequests requests_;
  WaitingProcesses waiting_;
  FaultVerdicts fault_verdicts_;
  ProcessEnds ends_;
  ApplicationStarts starts_;
  UnseenEnds unseen_ends_;
  EnabledTransitions enabled_;
  StandstillVerdicts standstill_verdicts_;
  SavedStates saved_;
  MessageNotes notes_;
  StoreCollection collection_;
  PropertyVerdicts verdicts_;
  ObservedSteps observed_;
  ExplorerCalls explorer_calls_;
  std::vector<Touch> footprint_;
  std::uint32_t events_ = 0;  // of this execution
  // What a snapshot keeps besides the machine's state.
  struct Progress {
    std::uint32_t events = 0, failures = 0, handled_ends = 0;
    ApplicationStarts::Progress start = {};
  };
  std::vector<Progress> saved_progress_;  // by snapshot
  bool has_ended_by_bug_ = false;
  std::optional<StateNumbering> numbering_;  // with MachineOptions::recurring
  std::optional<ServerStates> server_states_;
  Outcome outcome_ = Outcome::kRunning;
  Outcome initial_outcome_ = Outcome::kRunning;
  Bug bug_;
  Refusal refusal_;
};

}  // namespace ravel::erlang
