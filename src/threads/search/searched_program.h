// What a search needs of a program of threads in addition to its being a System: the data races that its
// executions show, and which accesses to memory are operations.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "engine/explorer.h"
#include "engine/strategy.h"
#include "engine/system.h"
#include "explorers/explorer_needs.h"
#include "parallel/child_process.h"
#include "states/visited_hashes.h"
#include "threads/protocol/messages.h"

namespace ravel::threads {

struct RawRefusal {
  std::string message;
  std::vector<std::uint64_t> stack;  // program counters, innermost first
};

// A word of a block that has a name, or an object of synchronisation there.
struct BlockWord {
  const HeapVariable* block = nullptr;  // null: it is in none
  std::uint64_t offset = 0;
};

// The program as a System whose states are numbered.
struct StatesOfProgram {
  virtual ~StatesOfProgram() = default;

  virtual System& system() = 0;
  virtual std::uint64_t replayed() const = 0;  // how many steps were taken again to go to states
  virtual StateTraits traits() const = 0;      // that hold since the states were first numbered
  // What a state is has turned out to be something else than was taken for granted: the search begins anew.
  virtual bool has_to_begin_anew() const = 0;

  // For copies of the process, which visit the states together. How much is known that hashes of states
  // depend on, or the above; only grows.
  virtual std::size_t knowledge() const = 0;
  // In a copy that was made in the midst of an execution: comes to its present state anew.
  virtual void come_back() = 0;
};

// Copies of the process in which the program and its search are: each can run parts of the search.
class ProgramCopies {
 public:
  virtual ~ProgramCopies() = default;

  // Why there can be none: a sentence without its end. Empty: there can be some.
  virtual std::string why_none() const = 0;
  // REQUIRES: between executions, or in one that the copy does not go on with (StatesOfProgram::come_back).
  virtual Result<ChildProcess::Forked> make() = 0;

  // In a copy. What executions show from now on is news.
  virtual void begin_part() = 0;
  // In a process that is no copy, since it has nothing in common with the one that has the search: all that
  // its executions have shown, or will show, is news.
  virtual void begin_alone() = 0;
  // What they have shown of the program since then, for learn() of the process that was copied, or of any
  // other one; empty: nothing that was not known when the copy was made.
  virtual std::string news() = 0;
  // Now and then: gives back what nobody asks for.
  virtual void tidy() = 0;

  // False: it makes no sense for this program.
  virtual bool learn(const std::string& news) = 0;
};

class SearchedProgram {
 public:
  virtual ~SearchedProgram() = default;

  virtual System& system() = 0;
  virtual const Configuration& configuration() const = 0;
  // REQUIRES: between executions.
  virtual void configure(const Configuration& configuration) = 0;

  // Words for which a race was seen since they were last taken, and that are not tracked.
  virtual bool has_new_racy_words() const = 0;
  virtual std::vector<std::uint64_t> take_new_racy_words() = 0;
  // Without fairness (Configuration::is_fair): whether a thread has waited for others in a loop, which only
  // that ends.
  virtual bool needs_fairness() const = 0;
  // What that goes by, since the program was configured; and that this has shown before. One half of the
  // reason may come from an execution of an earlier turn, or before an interruption.
  virtual LoopUses loop_uses() const = 0;
  virtual void know(const LoopUses& loops) = 0;
  // All findings so far.
  virtual Findings findings() = 0;

  // The memory to which this actor comes next by an access that is not atomic; nothing: it comes to something
  // else.
  virtual std::optional<Extent> pending_access(ActorId actor) const = 0;

  // The bug or the refusal of the execution that has just ended. REQUIRES: it ended by a bug, or by a
  // refusal.
  virtual RawBug raw_bug() const = 0;
  virtual RawRefusal raw_refusal() const = 0;

  // Null: the process that searches can't be copied.
  virtual ProgramCopies* copies() { return nullptr; }

  // The memory of the process that searches: Surroundings::held_memory.
  virtual std::uint64_t (*held_memory() const)(std::uint64_t bytes) = 0;

  // Where an object of a footprint of this execution is in the heap. REQUIRES: the configuration names
  // blocks.
  virtual BlockWord block_word(std::uint64_t object) const = 0;

  // The first address of the block of the heap that an object of the last execution is in; nothing: it is in
  // none. Slow.
  virtual std::optional<std::uint64_t> block_at(std::uint64_t object) const = 0;

  // What a delaying explorer needs that was asked for.
  virtual ExplorerNeeds delaying_explorer() { return {}; }

  virtual std::unique_ptr<Explorer> make_explorer(Strategy& strategy, const Limits& limits, Clock& clock,
                                                  const Surroundings& surroundings) = 0;
  // REQUIRES: the configuration is one for a search by states. `known`: what an earlier search has found out.
  // Null: its states cannot be numbered.
  virtual std::unique_ptr<StatesOfProgram> number_states(const StateStorage& storage, StateTraits known) = 0;
};

// The watcher of a search.
struct Watch {
  // Progress is told often; false ends the search, as the user does.
  std::function<bool(const Counts&)> on_progress;
  // Hears now and then what the search would have come to if it had been interrupted there.
  std::function<void(const Searched&)> keep = {};
  // How many processes may search by now. Null: as many as may at first.
  const std::atomic<std::uint32_t>* granted = nullptr;
};

}  // namespace ravel::threads
