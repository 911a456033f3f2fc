// A program under test in its own process, as a System of the engine.
//
// Every step is a message to that process and back: slow beside a search inside it, but exact, so that
// tickets, stories and explanations need to know nothing of threads. Here addresses get the names of the
// source.

#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "engine/exploration.h"
#include "engine/inspecting.h"
#include "engine/system.h"
#include "explorers/explorer_messages.h"
#include "parallel/process_share.h"
#include "threads/protocol/inspection.h"
#include "threads/protocol/messages.h"
#include "threads/protocol/search_parts.h"
#include "threads/remote/gathered_findings.h"
#include "threads/remote/program_call.h"
#include "threads/remote/program_process.h"
#include "threads/remote/remote_actors.h"
#include "threads/remote/remote_texts.h"
#include "threads/remote/touched_memory.h"

namespace ravel::threads {

class RemoteSystem final : public System, public ExplorerMessages, public Inspecting, private AskedPlaces {
 public:
  // `debugger`: the command of one that starts the program (debugger.h), or nothing. It is waited for at the
  // end.
  static Result<std::unique_ptr<RemoteSystem>> start(const ProgramCall& call,
                                                     const Configuration& configuration,
                                                     const std::vector<std::string>& debugger = {});
  ~RemoteSystem() override;

  const Configuration& configuration() const { return configuration_; }
  // REQUIRES: between executions.
  void set_configuration(const Configuration& configuration);

  // The tests that the program has marked.
  const std::vector<TestPlace>& marked_tests() const { return marked_tests_; }

  // The answer to a command. Nothing: the process has ended, and its end is the bug of the execution.
  std::optional<Reader> ask(const Writer& command, MessageKind answer);
  // The same, where the answer is how the program stands now: what it has after that.
  std::optional<Reader> ask_state(const Writer& command);
  // Whether the program's process, or the debugger of it, is no more.
  bool is_gone() const { return process_.is_gone(); }
  // Takes a waiting thread to where a debugger stops.
  void show(const ActorName& actor);
  // All actors that were seen.
  const std::vector<ActorName>& actors() const { return actors_.names(); }

  // What a search in the program's process tells on its way.
  struct SearchListener {
    std::function<void(const Counts&)> on_progress;
    // Where it is: what it would have come to if it had been interrupted there. The process goes on
    // meanwhile, and cannot be asked anything.
    std::function<void(Searched)> on_kept;
    std::function<bool()> is_interrupted;
    // Why one process has searched, though there may be several: a sentence without its end.
    std::function<void(const std::string&)> on_undivided = {};
    std::function<void(const std::string&)> on_problem = {};  // on the way, that has not ended it
    ProcessShare processes = {};                              // that may search
  };
  // A whole search in the program's process, and copies of it. An error if the process, or copies, ended
  // while they searched.
  // `seconds_alone`: before it is given to several.
  Result<Searched> search(const SearchOrder& order, const SearchListener& listener, double seconds_alone = 0);

  // Runs a part of a search that another process has, in the program's process: `order` is that of the
  // search, whose limits of time and executions are those of the run. An error if the process ended
  // meanwhile.
  Result<PartRan> run_part(const SearchOrder& order, const std::string& part,
                           const std::function<bool()>& is_interrupted);
  // Has the program's process learn what parts have shown elsewhere (ProgramNews). All that is known then, in
  // the same form; needs_fairness() and gathered() go by it. REQUIRES: follow_findings() was called. An error
  // if the process has ended.
  Result<std::string> learn(const std::vector<std::string>& news);

  // REQUIRES: the configuration counts accesses. An error if the process ended meanwhile.
  Result<Profile> profile(const ProfileOrder& order);
  // A process has ended since it would have used what others use at the same time (ProgramCall).
  bool needs_machine() const { return needs_machine_; }
  // Copies of the process have ended for that reason in the last search; in the next one there will be none.
  bool is_to_be_alone() const { return is_to_be_alone_; }
  const RemoteTexts& texts() const { return texts_; }
  // The program and its libraries, as they lie in memory.
  const std::vector<Module>& modules() const { return modules_; }

  // The findings of all executions since the process began, or, if each has its own, since this object was
  // made. Actors are ours.
  Findings findings();
  // The same, with the words for which a race was seen. REQUIRES: each execution has a process of its own, or
  // follow_findings() was called.
  GatheredFindings& gathered() { return gathered_; }
  // Without fairness: whether a thread has waited for others in a loop, which only that ends.
  bool needs_fairness() const { return state_.needs_fairness; }
  // What that goes by, of all executions since the configuration was set; and that others have shown this.
  // Each half of the reason may come from another execution, also if each has a process of its own.
  const LoopUses& loop_uses() const { return loops_; }
  void know_loops(const LoopUses& loops);
  // That findings are asked for when there are more, also if executions have no process of their own, as a
  // search from here needs it.
  void follow_findings() { follows_findings_ = true; }
  // The memory to which this actor comes next by an access that is not atomic. Nothing, too, if it is not
  // enabled.
  std::optional<Extent> pending_access(ActorId actor) const;
  // Where an object of a footprint of this execution is in a block that has a name; null: in none.
  const BlockPlace* block_place(std::uint64_t object) const;
  // The first address of the block of the heap around an address; nothing: there is none.
  std::optional<std::uint64_t> block_at(std::uint64_t address);
  // What is at an address of this execution, as the source names it. REQUIRES: the configuration names
  // blocks.
  NamedVariable variable_at(std::uint64_t address);
  // The bug of the execution that has just ended, with names of the source.
  RawBug raw_bug() const;
  const State& state() const { return state_; }

  void reset() override;
  std::span<const Transition> enabled() override { return state_.enabled; }
  Event step(const Transition& transition) override;
  std::size_t follow(std::span<const Transition> transitions) override;
  void run_on(std::optional<ActorId> last, GoOn how, std::uint64_t steps_max) override;
  Outcome outcome() const override { return state_.outcome; }
  bool stops_others() const override { return state_.stops_others; }
  std::vector<ActorId> blocked() override { return state_.blocked; }
  Bug bug() const override { return bug_; }
  Refusal refusal() const override;
  // The end of the program, and a thread that fails, end the others, too.
  bool operations_block() const override { return true; }
  std::optional<Touch> pending(const Transition& transition) override;
  std::optional<ActorId> owner_of(std::uint64_t object) override;
  SystemParts parts() const override { return {.pending = true}; }
  std::optional<Snapshot> save() override { return std::nullopt; }
  void restore(Snapshot) override;
  void release(Snapshot) override {}
  ActorName actor_name(ActorId actor) const override { return actors_.name(actor); }
  std::optional<ActorId> find_actor(const ActorName& name) const override { return actors_.find(name); }
  void set_descriptions(Descriptions descriptions) override;
  EventDescription describe_last() override;
  std::string output_so_far() override;
  // With the memory that operations have touched in steps that were described, of this execution or earlier
  // ones. When the process is gone, what it told last.
  std::vector<ActorState> inspect() override;
  // With Configuration::tells_explorer.
  std::vector<ExplorerMessage> take_explorer_messages() override { return std::exchange(told_, {}); }

 private:
  RemoteSystem(const ProgramCall& call, const Configuration& configuration,
               const std::vector<std::string>& debugger);
  Status launch();
  Result<Searched> follow_search(const SearchListener& listener, std::size_t granted);
  Searched read_searched(Reader& in);
  Error tell_end();
  void configure();
  void tell_loops();
  void send(const std::string& bytes);
  void note_death();
  void note_crash(int status);
  void leave_child();
  Findings ask_findings();
  HeapPlace place_of(std::uint64_t address, When when) override;

  const ProgramCall call_;
  Configuration configuration_;
  ProgramProcess process_;
  bool describes_ = false;
  bool is_searching_ = false;  // the process does not answer
  RemoteActors actors_;
  RemoteTexts texts_;
  State state_;
  std::unordered_map<std::uint64_t, BlockPlace> named_;  // by object, of this execution
  Bug bug_;
  ActorId last_{};  // the actor of the last step
  std::vector<TestPlace> marked_tests_;
  std::vector<Module> modules_;
  bool has_child_ = false;  // of Command::kFork
  bool follows_findings_ = false;
  bool needs_machine_ = false;
  bool is_to_be_alone_ = false;
  std::vector<ExplorerMessage> told_;
  LoopUses loops_;
  bool are_loops_told_ = true;         // to the process that others are made of
  GatheredFindings gathered_;          // of such children, or if they are followed
  TouchedMemory touched_;              // in described steps
  std::vector<ActorState> inspected_;  // last
};

}  // namespace ravel::threads
