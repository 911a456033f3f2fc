// A System with everything that reduction has to understand: mailboxes with selective receives that may
// expire, variables, operations on several objects whose next object depends on what they read, locks,
// spawning, killing, operations that make another actor's impossible.
//
// Every actor executes a straight program; a receive that takes an odd message skips the operation after it,
// so that what an actor does depends on what it got. Each operation is one step.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "engine/system.h"
#include "tests/toy/numbered_copies.h"

namespace ravel::toy {

enum class Act : std::uint8_t {
  kRead,       // reads variable `object`
  kWrite,      // writes `value` to variable `object`
  kAdd,        // reads and writes variable `object`
  kBranch,     // reads variable 0; then reads `object` if it is even, else writes to variable 1
  kClaim,      // reads variable 0; then sets it to 1 if it is 0
  kWriteTwo,   // writes to variables `object` and `value`
  kSend,       // sends `value` to actor `object`
  kSendTwo,    // sends `value` to actor `object`, and `value` + 1 to actor 0
  kSendFirst,  // sends `value` to actor `object` as a priority message
  kSendMixed,  // the same, and `value` + 1 to actor 0 as an ordinary one
  kReceive,    // takes the first message with a bit of `value`
  kReceiveOr,  // the same, but may go on without one; a message that comes in time prevents that
  kKill,       // actor `object` ends, if it has not ended
  kLock,       // waits until lock variable `object` is free
  kUnlock,
  kPost,         // adds one to semaphore `object`
  kTake,         // waits until semaphore `object` is not 0, and takes one
  kTryLock,      // locks lock variable `object` if it is free; else skips the next operation
  kSpawn,        // starts actor `object`
  kCancel,       // actor `object` does nothing more, if it has not begun
  kChoose,       // a data choice: adds 0 or 1 to variable `object`
  kStop,         // ends the execution for everybody
  kStopSending,  // the same, and sends `value` to actor `object` in the same step
};

struct Action {
  Act act = Act::kRead;
  std::uint32_t object = 0;
  std::uint32_t value = 0;

  std::string to_string() const;
};

using MessageProgram = std::vector<std::vector<Action>>;  // by actor

std::string to_string(const MessageProgram& program);

class MessageSystem final : public System {
 public:
  explicit MessageSystem(MessageProgram program);

  void reset() override;
  std::span<const Transition> enabled() override { return enabled_; }
  Event step(const Transition& transition) override;
  // Of actions on one variable only.
  std::optional<Touch> pending(const Transition& transition) override;
  Outcome outcome() const override { return outcome_; }
  bool stops_others() const override { return state_.is_stopped; }
  Bug bug() const override;
  Refusal refusal() const override { return {}; }
  SystemParts parts() const override {
    return {.snapshots = true, .whole_snapshots = true, .numbers_states = true};
  }
  std::optional<Snapshot> save() override;
  void restore(Snapshot snapshot) override;
  void release(Snapshot snapshot) override;
  std::optional<MetState> number_state() override;
  void go_to(StateNumber state) override;
  std::uint64_t bytes_of_states() const override { return numbered_.bytes(); }
  bool could_take(std::size_t receive, std::size_t send, std::size_t touch) override;
  std::optional<ActorId> owner_of(std::uint64_t object) override;
  std::vector<ActorId> blocked() override;
  // Locks and semaphores.
  bool operations_block() const override;
  ActorName actor_name(ActorId actor) const override;
  std::optional<ActorId> find_actor(const ActorName& name) const override;
  void set_descriptions(Descriptions) override {}
  EventDescription describe_last() override { return {}; }
  std::string output_so_far() override { return ""; }

  // What happened in the current execution, the same for equivalent executions and for no others: what every
  // actor did, with what it took from whom, and the order of conflicting accesses. Made from the events
  // alone, naively.
  std::string trace() const;

  // All that decides what can happen next, and nothing else.
  std::string state_text() const;

 private:
  struct Message {
    std::uint32_t value, sender, ordinal;  // the how-many-th event of the sender
    bool is_priority;
  };
  struct Actor {
    std::uint32_t next = 0;
    std::uint32_t events = 0;
    bool started = true;
    bool killed = false;  // its next step is its end
    bool ended = false;
    bool skips = false;
    std::vector<Message> mailbox;  // the priority messages first
  };
  struct Noted {
    std::uint64_t object;
    bool writes;
  };
  struct Happened {
    std::uint32_t actor, ordinal;
    std::string what;
    std::vector<Noted> noted;   // conflicts between actors, messages apart
    std::uint32_t pattern = 0;  // of a receive
    // By touch: mailbox, value; value 0 if not a send
    std::vector<std::pair<std::uint32_t, std::uint32_t>> sent;
  };
  struct State {
    std::vector<Actor> actors;
    std::vector<std::uint32_t> variables;
    std::vector<bool> locked;
    std::vector<std::uint32_t> semaphores;
    bool is_stopped = false;
    std::vector<Happened> happened;
  };

  const Action* next_action(std::uint32_t index) const;
  std::size_t find_message(const Actor& actor, std::uint32_t pattern) const;  // mailbox.size(): none
  bool is_blocked(const Actor& actor, const Action& action) const;
  void look();
  void touch(std::uint64_t object, Access access, std::uint32_t message = 0);
  void send(std::uint32_t to, std::uint32_t value, bool is_priority = false);

  const MessageProgram program_;
  State state_;
  Outcome outcome_ = Outcome::kRunning;
  std::vector<Transition> enabled_;
  std::vector<Touch> touches_;
  std::vector<State> saved_;
  std::vector<std::uint32_t> free_;
  NumberedCopies<State> numbered_;
};

// A program of random actions: `actors` of `operations` each.
MessageProgram random_message_program(Random& random, const std::vector<Act>& acts, std::uint32_t actors,
                                      std::uint32_t operations);

}  // namespace ravel::toy
