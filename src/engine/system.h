// A program under control that can be stepped from outside: what a front end gives to the engine.
//
// The idea: every actor waits before its next operation, so the System can list who could move. A step
// executes one pending operation and the local code after it, up to the actor's next operation.
// The explorer owns the loop; the System never calls back.
//
// Invariants that every System keeps:
// 1. Determinism: after reset() or restore(), the same transitions lead to the same enabled sets, the same
//    events and the same outcome. No clock, address or hash order of the host may show.
// 2. outcome() == kRunning if and only if enabled() is not empty: whoever knows why nothing can move (all
//    done, or a deadlock) says so in the outcome.
// 3. enabled() is ordered by the actors' logical names, and an actor's alternatives by number, so that
//    transitions of one actor are neighbours.
// 4. An ActorId means the same logical actor in all executions of this object.
//
// A System has five parts: stepping, snapshots, states that are numbered, what may be asked of the execution
// at hand, and descriptions.
// Which of the optional abilities it has, it says itself (SystemParts); a strategy that needs one that is
// missing is refused by name.
//
// Cost: enabled(), step(), outcome(), save(), restore() and release() are the inner loop of every search,
// called millions of times a second; they should not allocate when they have done it before. Everything else
// is called once an execution or less.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/actor.h"
#include "engine/assumption.h"
#include "engine/bug.h"
#include "engine/hashed_states.h"
#include "engine/rare_event.h"
#include "engine/transition.h"

namespace ravel {

enum class Outcome : std::uint8_t {
  kRunning,
  kFinished,     // everything that had to end has ended, and no property is violated
  kBug,          // bug() says which
  kUnsupported,  // refusal() says what
};

// A saved state inside the System's own storage.
enum class Snapshot : std::uint32_t {};

// Equal states of one System object have equal fingerprints. How rarely different states share one is for
// each System to say: 2^-128 at best, and never more often than its own hashes of a state's parts agree.
struct Fingerprint {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  friend auto operator<=>(const Fingerprint&, const Fingerprint&) = default;
};

// One event for a human. Empty strings and line 0 mean: not known.
struct EventDescription {
  std::string text;   // the operation: "sends {ping, 1} to P.2 (server)"
  std::string actor;  // the logical name, and the registered one if there is one: "P.2 (server)"
  std::string file;
  std::uint32_t line = 0;
  std::string source;                  // the text of that source line, without indentation
  std::vector<std::string> extra;      // further lines, such as what the operation returned
  std::string constraint = {};         // of a receive: which messages it can take
  std::vector<std::string> sent = {};  // the values of the messages that it sent, in the order of its touches
  bool is_aside = false;  // it only looks, for the sake of a library: many of these in a row are told as one
  bool is_by_library = false;  // code of a library has done it, on behalf of this line
  RareEvent rare = RareEvent::kNone;
  // Of shared memory, and not atomic: if it races with another one, that is a data race
  bool is_plain_access = false;
};

// Whether steps remember what describe_last() needs. A search has it off.
enum class Descriptions : std::uint8_t {
  kOff,
  kOn,        // and an execution ends at its first bug, which is what a reader wants to see
  kOfSearch,  // and an execution goes on after a bug wherever it does so in a search
};

// How an execution goes on that nobody chooses for.
enum class GoOn : std::uint8_t {
  kWithLast,     // nobody is preempted
  kWithYoungest  // of those who can move, the last one by name does
};

// A bug after another one, in an execution that went on.
struct LaterBug {
  Bug bug;
  std::size_t events;  // after which it happened
};

// What a System can do that not every System can.
struct SystemParts {
  bool snapshots = false;  // save() gives a snapshot, mostly
  // restore() also brings back all that is told of the execution that led there
  bool whole_snapshots = false;
  bool fingerprints = false;
  bool numbers_states = false;
  bool pending = false;  // pending() tells all operations
};

// Running a program step by step.
class Stepping {
 public:
  virtual ~Stepping() = default;

  // Back to the initial state. Snapshots stay valid.
  virtual void reset() = 0;

  // REQUIRES: `transition` is one of SystemView::enabled().
  virtual Event step(const Transition& transition) = 0;

  // Takes these transitions one after the other, as far as they are enabled; how many that were. Nothing is
  // told of the events, which is cheaper where telling costs more than taking a step.
  virtual std::size_t follow(std::span<const Transition> transitions) = 0;
  // The same by a simple rule, until the execution ends or so many more steps were taken. `last`: who took
  // the step before.
  virtual void run_on(std::optional<ActorId> last, GoOn how, std::uint64_t steps_max) = 0;

  virtual Outcome outcome() const = 0;
  virtual Bug bug() const = 0;  // REQUIRES: outcome() == kBug, or events_to_bug()
  // Whether bug() is the same as this one, which a System may know without making it.
  virtual bool is_bug(const Bug& known) const { return bug().is_same(known); }
  // After how many events of this execution the bug happened, if the execution went on after it.
  virtual std::optional<std::size_t> events_to_bug() const { return std::nullopt; }
  // The other bugs of such an execution, in their order.
  virtual std::vector<LaterBug> later_bugs() const { return {}; }
  virtual Refusal refusal() const = 0;  // REQUIRES: outcome() == kUnsupported
};

// States that are kept. Without them the explorer resets and replays.
class Snapshots {
 public:
  virtual ~Snapshots() = default;

  // Saves the current state; nothing if this System can't. The enabled transitions stay valid.
  // Snapshots are mostly released in the reverse order of saving; the storage of released ones is reused.
  virtual std::optional<Snapshot> save() = 0;
  // The snapshot stays valid, for further restores. What the System tells of the execution before it
  // (could_take, the bugs) is in it only if SystemParts::whole_snapshots; else the last execution must have
  // led there.
  virtual void restore(Snapshot snapshot) = 0;
  virtual void release(Snapshot snapshot) = 0;
};

// A state that was met, in the order in which they were met first: 0, 1, 2, ...
enum class StateNumber : std::uint32_t {};

struct MetState {
  StateNumber number;
  bool is_new;
};

// States that are kept for ever, each once, whatever way led there: what a search by states needs. A state is
// all that decides what can happen next, and nothing else.
// What formulas of temporal logic see: bit i is proposition number i of those that the System was given.
struct Letter {
  std::uint64_t state = 0;  // what holds in the present state
  std::uint64_t step = 0;   // what only the step that has led there did
};

// Of a state that was met before, from a System that keeps hashes of states: it does not know which one it
// is.
inline constexpr StateNumber kNumberForgotten{0xffff'ffff};

class NumberedStates {
 public:
  virtual ~NumberedStates() = default;

  // The number of the present state: equal ones have equal numbers, others have not, but for what
  // hashed_states() says. Nothing if it has none, as after a step that has ended the execution by its own
  // fault, or if there is no room for more.
  virtual std::optional<MetState> number_state() { return std::nullopt; }
  // The present state is this one. What is told of the execution before it is known no more.
  // REQUIRES: it was numbered with the outcome kRunning, and is not left.
  virtual void go_to(StateNumber state) { static_cast<void>(state); }
  // Nobody will go there again, though the state may be met. REQUIRES: of the states that are not left it has
  // the largest number, or the smallest one.
  virtual void leave(StateNumber state) { static_cast<void>(state); }
  // What grows on a way through these states, so that none comes again: sentences without a full stop. The
  // present state is another one afterwards. REQUIRES: as for go_to(), but for states that are left.
  virtual std::vector<std::string> what_grows(std::span<const StateNumber> states) {
    static_cast<void>(states);
    return {};
  }
  // The propositions that it was given, as formulas write them.
  virtual std::vector<std::string> propositions() const { return {}; }
  // REQUIRES: the last change of state was a step or reset().
  virtual Letter letter() { return {}; }
  // How many bytes the numbered states take.
  virtual std::uint64_t bytes_of_states() const { return 0; }
  // If it may take a new state for an old one: how it keeps them, and how many are expected to be left out.
  virtual std::optional<HashedStates> hashed_states() const { return std::nullopt; }
  // Whether the outcome is a judgement on the execution, of which not all is known since go_to(): who wants
  // to know takes its steps from the initial state.
  virtual bool is_judged_by_execution() const { return false; }
};

// What may be asked of the execution at hand, and changes nothing: all that a strategy sees of a System.
class SystemView {
 public:
  virtual ~SystemView() = default;

  // What can happen now. Valid until the next step, restore or reset.
  virtual std::span<const Transition> enabled() = 0;
  // Whether enabled() leaves others out that could move, because what it lists commutes with all that they
  // may do.
  virtual bool leaves_others_out() const { return false; }

  // Nothing if this System can't tell states apart.
  virtual std::optional<Fingerprint> fingerprint() { return std::nullopt; }

  // Whether the last event has ended the execution although other actors could have gone on.
  virtual bool stops_others() const { return false; }

  // Whether event number `receive` of this execution, which took a message or went on without one, would have
  // taken the message that touch number `touch` of event number `send` put into the same mailbox, if there
  // had been no other. REQUIRES: both events have happened.
  virtual bool could_take(std::size_t receive, std::size_t send, std::size_t touch) {
    static_cast<void>(receive), static_cast<void>(send), static_cast<void>(touch);
    return true;
  }

  // Who waits for what another actor's operation has to give, as for a lock that is taken. Not who waits for
  // a message.
  virtual std::vector<ActorId> blocked() { return {}; }

  // The object that a transition's operation is about, one of those that it will touch, if that is known
  // before it happens. REQUIRES: it is one of enabled().
  virtual std::optional<Touch> pending(const Transition& transition) {
    static_cast<void>(transition);
    return std::nullopt;
  }

  // Of TransitionKind::kFault: how many with this alternative, which is their kind, may still happen from
  // here.
  virtual std::uint32_t faults_left(std::uint32_t alternative) {
    static_cast<void>(alternative);
    return 0;
  }

  // Whether an operation that an actor has come to can become impossible because of what others do, as with
  // locks. (That a receive has to wait for its message is no such thing.)
  virtual bool operations_block() const { return false; }

  // Whose mailbox or life an object of a footprint is. Nothing if it is neither.
  virtual std::optional<ActorId> owner_of(std::uint64_t object) {
    static_cast<void>(object);
    return std::nullopt;
  }

  // Whether two events of this execution do conflict that conflict by touches, if these are coarse
  // (Touch::is_coarse) on both sides. REQUIRES: both events have happened.
  virtual bool conflict_closely(std::size_t earlier, std::size_t later) {
    static_cast<void>(earlier), static_cast<void>(later);
    return true;
  }

  // All that conflict_closely() looks at of an event, as a number: events with equal ones conflict with the
  // same others, but for a chance of 2^-56. REQUIRES: it has happened.
  virtual std::uint64_t close_key(std::size_t event) {
    static_cast<void>(event);
    return 0;
  }

  // Event number `receive` took the message of event `taken`. If messages could overtake each other it could
  // have taken that of `overtaking` instead, another actor's, although that follows from `taken` having
  // happened. REQUIRES: all have happened.
  virtual void note_overtaking(std::size_t receive, std::size_t taken, std::size_t overtaking) {
    static_cast<void>(receive), static_cast<void>(taken), static_cast<void>(overtaking);
  }
  // Whether anybody wants to know of that.
  virtual bool notes_overtaking() const { return false; }

  virtual ActorName actor_name(ActorId actor) const = 0;
  // Nothing if no actor of this name was ever seen by this object.
  virtual std::optional<ActorId> find_actor(const ActorName& name) const = 0;
};

// An actor that can't go on by itself: lines that say where, and why.
struct WaitingActor {
  ActorId actor{};
  std::vector<std::string> lines;
};

// Executions for readers.
class Describing {
 public:
  virtual ~Describing() = default;

  // REQUIRES for describe_last(): the last change of state was a step, not with kOff.
  virtual void set_descriptions(Descriptions descriptions) = 0;
  virtual EventDescription describe_last() = 0;
  // Those that wait now, and were not there before the test.
  virtual std::vector<WaitingActor> waiting() { return {}; }
  // What the program has printed since the initial state.
  virtual std::string output_so_far() = 0;
  // Where what this System takes for granted has decided something, in any execution of this object.
  virtual std::vector<AssumedPlace> assumed() { return {}; }
};

class System : public Stepping,
               public Snapshots,
               public NumberedStates,
               public SystemView,
               public Describing {
 public:
  virtual SystemParts parts() const { return {}; }

  // By step(), unless a System knows a better way.
  std::size_t follow(std::span<const Transition> transitions) override;
  void run_on(std::optional<ActorId> last, GoOn how, std::uint64_t steps_max) override;
};

}  // namespace ravel
