// One Erlang process: what the machine knows of it while it is awake, and how it sleeps.
//
// The idea: an awake process has a stack of its own (growing downwards, one contiguous piece), its mailbox
// in an array and the rest in plain fields. Freezing turns all of that into one stored tuple, its image;
// thawing is lazy: only the topmost stack frame is put back, a deeper one when the code returns into it.
// A process that did not change since it was frozen keeps its image, so saving a state costs what changed.
//
// A frame on the stack, from the low end:
//   [ code address of the caller << 16 | number of y slots ]  y0  y1 ... yn-1
// A frozen frame is a stored object `frame`: where its function goes on, the caller's frame, y slots.
//
// A process rests only before an operation ("parked"), so the resting places are few:
//   kReady          before an operation with its arguments in `arguments`; always enabled
//   kChoosing       the same, before a choice (Effect::kChoice): enabled once for each way
//   kWaiting        in a receive that no message of its mailbox matches; not enabled
//   kMatched        in a receive; message number `receive_at` matches; enabled
//   kTimeout        in a receive that no message matches, with an `after` that may expire; enabled
//   kEnding         before its end, with `exit_reason`; enabled
//   kEnded          gone, before it tells the next one of those that were linked with it or watch it; enabled
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "erlang/machine/builtin.h"
#include "erlang/term/heap.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

union CodeWord;  // code.h

enum class Rest : std::uint8_t { kReady, kWaiting, kMatched, kTimeout, kEnding, kEnded, kChoosing };

// Into how many ways a choice may lead.
inline constexpr std::int64_t kChoicesMax = 1'000;

// A message in a mailbox. `sender` is a pid, a reference (timer) or an atom (the system).
struct Message {
  Term content;
  Term sender;
};

// Whether a message goes ahead of those that lie in a mailbox already, but for those that did the same.
enum class Urgency : std::uint8_t { kOrdinary, kPriority };

// The messages of a process: first the priority messages, then the others, each in the order in which they
// came.
class Mailbox {
 public:
  // Returns where the message lies.
  std::size_t add(const Message& message, Urgency urgency) {
    const std::size_t place = urgency == Urgency::kPriority ? priority_count_++ : messages_.size();
    messages_.insert(messages_.begin() + static_cast<std::ptrdiff_t>(place), message);
    return place;
  }
  void remove(std::size_t place) {
    if (place < priority_count_) --priority_count_;
    messages_.erase(messages_.begin() + static_cast<std::ptrdiff_t>(place));
  }
  void clear() {
    messages_.clear();
    priority_count_ = 0;
  }

  bool empty() const { return messages_.empty(); }
  std::size_t size() const { return messages_.size(); }
  std::size_t priority_count() const { return priority_count_; }
  const Message& operator[](std::size_t place) const { return messages_[place]; }
  auto begin() { return messages_.begin(); }
  auto end() { return messages_.end(); }
  auto begin() const { return messages_.begin(); }
  auto end() const { return messages_.end(); }

 private:
  std::vector<Message> messages_;
  std::size_t priority_count_ = 0;
};

// An alias is deactivated by unalias/1 and, depending on how it was made, earlier.
enum class AliasMode : std::uint8_t { kNone, kExplicitUnalias, kDemonitor, kReplyDemonitor, kReply };

// An alias that took back its monitor and has become inactive: kept, with MachineOptions::notes_messages, for
// what the end of its process touches.
inline constexpr AliasMode kSpent = AliasMode::kNone;
constexpr bool takes_back_monitor(AliasMode mode) {
  return mode == AliasMode::kReplyDemonitor || mode == kSpent;
}

// Kept by the process that watches.
struct Monitor {
  Term reference;
  Term target;  // pid watched; none if it was gone when the monitor was made
  Term object;  // what the 'DOWN' message names: the pid, or {Name, Node}
  Term tag;     // 'DOWN' unless the option {tag, Tag} was given
  AliasMode alias = AliasMode::kNone;
  Urgency urgency = Urgency::kOrdinary;  // of the 'DOWN' message
};

// Whether a monitor is still there, for the process that is watched. What was taken back is kept, with
// Ends::kStepwise or MachineOptions::notes_messages, so that the end takes the same steps and touches the
// same.
enum class TakenBack : std::uint8_t {
  kNo,
  kUnseen,  // by what commutes with the 'DOWN' message: it throws the message away if that has come before
  kSeen,    // by what can tell whether the message has come
};

// Kept by the process that is watched.
struct Watcher {
  Term reference;
  Term pid;
  Term object;
  Term tag;
  bool drops_alias = false;  // the 'DOWN' message ends an alias, unless that has ended before
  Urgency urgency = Urgency::kOrdinary;
  TakenBack taken_back = TakenBack::kNo;
};

// Kept, likewise, by a process whose link is gone.
struct FormerLink {
  enum class Gone : std::uint8_t {
    kEnded,          // the partner has ended,
    kEndedTrapping,  // trapping exits
    kUnlinked,       // one of the two has taken the link back
  };
  Term pid;
  Gone how;
  Urgency urgency = Urgency::kOrdinary;  // of the message that the partner would get
};

struct Alias {
  Term reference;
  AliasMode mode;
  Urgency urgency = Urgency::kOrdinary;  // of the messages and exit signals that are sent to it as such
};

// What changes seldom; frozen as a tuple of its own.
struct Attributes {
  Term registered_name = Term::none();
  Term group_leader;
  Term initial_call;  // {Module, Function, Arity}
  Term parent;        // pid of the creator
  Term dictionary;    // a map
  Term priority = atoms::kNormal;
  Term label = atoms::kUndefined;
  Term other_flags = Term::nil();  // [{Flag, Value}] of process flags without effect here, sorted
  bool trap_exit = false;
  std::uint32_t fun_group = 0;        // of which the fun is that it began with (opaque_names.h)
  std::uint32_t children = 0;         // ordinal of the last child
  std::uint64_t references_made = 0;  // number of the last reference
  std::vector<Term> links;            // in term order
  // Those of them, in term order, whose exit signals become priority messages here
  std::vector<Term> priority_links;
  std::vector<Monitor> monitors;  // in order of creation
  std::vector<Watcher> watchers;  // in order of pid, then of reference
  std::vector<Alias> aliases;
  std::vector<FormerLink> former_links;  // in term order
};

class Process {
 public:
  explicit Process(Term name) : pid(name) {
    stack.resize(kInitialStackWords);
    reset_stack();
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  Term pid;

  // Where it goes on.
  Rest rest = Rest::kReady;
  bool started = false;             // has run up to its first operation
  const CodeWord* pc = nullptr;     // of the parked operation; of loop_rec (or wait_timeout) in a receive
  const CodeWord* cp = nullptr;     // of the caller, while the function has no frame; else null
  std::vector<Term> arguments;      // x registers that the parked operation needs
  Term exit_reason = Term::none();  // kEnding, kEnded
  Term exit_origin = Term::none();  // kEnding: pid whose signal ends it; none if it ends by itself
  Term exit_trace = Term::nil();    // kEnding by an uncaught error: its stack trace, for reports
  ErrorClass exit_class = ErrorClass::kExit;  // kEnding: how it was raised, for reports
  bool ends_by_exception = false;             // kEnding: an exception that nobody caught
  // In how many ways it can go on. REQUIRES: kChoosing.
  std::uint32_t choices() const { return static_cast<std::uint32_t>(arguments.front().small_value()); }
  // Rests before an operation: neither in a receive nor at its end.
  bool is_before_operation() const { return rest == Rest::kReady || rest == Rest::kChoosing; }
  // By a signal; but its own end is still to come.
  bool is_killed() const { return rest == Rest::kEnding && !exit_origin.is_none(); }

  // Receiving.
  Mailbox mailbox;
  std::size_t receive_at = 0;            // kMatched: the message; else the first message not looked at
  const CodeWord* receive_pc = nullptr;  // the loop_rec of the receive it is in; null: none, or no patterns
  const CodeWord* after_pc = nullptr;    // where an expired `after` goes on
  bool wakes_on_message = false;         // hibernates
  bool has_noticed_block = false;        // kWaiting, and has taken the step of noticing (Blocking::kExplore)
  Term timeout = Term::none();           // milliseconds or infinity, once evaluated
  std::int64_t due_ms = 0;               // when that is over (virtual_time.cc)
  bool is_due = false;  // kMatched, and that was over when its message came (TimePolicy::kIdle)

  Attributes attributes;

  // The stack: [top, end) is in use. REQUIRES for growing: the caller reloads its copy of `top`.
  std::vector<Term> stack;
  Term* top = nullptr;
  Term frozen_stack = Term::nil();  // frames below, not thawed
  bool is_top_frozen = false;       // the running function's frame is not thawed either,
  bool has_frozen_frame = false;    // and the first frozen frame is its own
  Term* stack_end() { return stack.data() + stack.size(); }
  const Term* stack_end() const { return stack.data() + stack.size(); }
  void reset_stack() { top = stack_end(); }
  void grow_stack(std::size_t words);

  // Freezing. `image` is the stored tuple if the process has not changed since.
  Term image = Term::none();
  Term attributes_image = Term::none();  // likewise of `attributes`
  Term mailbox_image = Term::none();
  bool is_kept = false;  // while a state is restored
  // Call before any change, or any run.
  void touch() {
    image = Term::none();
    *change_note_ = true;
  }
  Attributes& change_attributes() {
    attributes_image = Term::none();
    touch();
    return attributes;
  }
  // Changes are noted there from now on; null: nowhere.
  void note_changes_in(bool* note) { change_note_ = note != nullptr ? note : &nowhere_; }

  static constexpr std::size_t kInitialStackWords = 512;

 private:
  bool nowhere_ = false;
  bool* change_note_ = &nowhere_;
};

}  // namespace ravel::erlang
