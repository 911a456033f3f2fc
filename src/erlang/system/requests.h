// What the processes of an execution have asked others, so that who waits for an answer can be told from who
// waits for work.
//
// The idea: who asks says who he is. A message is a request if it holds the name of its sender (its pid, its
// registered name or a reference that it made) and does not go to somebody who was named in the message that
// the sender has taken last: that one gets an answer. Taking a message settles all that was asked before.
// What goes to the process that runs the test is no request: when the test is over, nobody has to answer.
//
// Invariants:
// 1. It depends on what a process itself has done and on nothing else, so it is the same in all schedules of
//    a trace.
// 2. Entries stand in the order of events, so that going back to an earlier point of an execution drops the
//    last ones.
// 3. Asked and Requests::asked_by() are all that what follows depends on: who has them goes on without the
//    entries. So they can be part of a state.
//
// Cost: for each message that is sent or taken a look at its first words, and an entry.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "erlang/machine/code.h"
#include "erlang/term/names.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

// What matters of all that a process has asked and taken so far. Places and names are in ascending order.
struct Asked {
  std::vector<const CodeWord*> free_in;     // receives in which it took something, or went on without a
                                            // message, while all that it had asked was answered
  std::vector<const CodeWord*> unanswered;  // where it has asked something since it took a message
  std::vector<Term> named;                  // pids in the message that it took last

  friend bool operator==(const Asked&, const Asked&) = default;
};

class Requests {
 public:
  // Back to the point of the execution after so many events.
  void go_back_to(std::uint32_t events);

  // Called for event number `event`, from 0, of the process.
  void took(std::uint32_t event, Term pid, Term content, const CodeWord* receive);
  void expired(std::uint32_t event, Term pid, const CodeWord* receive);
  // `to` is the process that gets it, or did get it; `registered_name` the sender's, or none.
  void sent(std::uint32_t event, Term pid, Term to, Term content, Term registered_name,
            const CodeWord* place);
  // A new process gets a pid that another one may have had before, which nobody knows any more.
  void began(std::uint32_t event, Term pid);
  // Whether it is a request of `pid` if it goes to somebody who waits for no answer.
  static bool names_sender(Term pid, Term content, Term registered_name);

  Asked asked_by(Term pid) const;
  // As if that had been all so far. REQUIRES: there is no entry of the process since the last
  // go_back_to(0).
  void begin_with(Term pid, const Asked& asked);

  // The places at which a process has asked what nobody has answered: since it took a message, the last
  // first.
  std::vector<const CodeWord*> unanswered(Term pid) const;
  // Whether a process was in this receive before without having asked for anything: then it takes there
  // whatever comes.
  bool was_free_in(Term pid, const CodeWord* receive) const;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::size_t kNamesMax = 4;
  enum class What : std::uint8_t { kBegan, kTook, kExpired, kAsked };
  struct Entry {
    std::uint32_t event;
    std::uint32_t previous;    // of the same process
    std::uint32_t last_taken;  // of the same process: the last entry that took a message, up to this one
    std::uint32_t last_began;  // and the last one with which it began
    What what;
    Term pid;
    const CodeWord* place;              // the receive, or where it was sent
    std::array<Term, kNamesMax> named;  // kTook: pids that the message names, then none
  };
  std::uint32_t head_of(Term pid) const {
    const auto name = static_cast<std::size_t>(pid.pid_name());
    return name < heads_.size() ? heads_[name] : kNone;
  }
  Entry& add(std::uint32_t event, What what, Term pid, const CodeWord* place);
  // Whether the message of an entry names this process, and no other one that had its pid.
  bool names(const Entry& taken, Term pid) const;

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> heads_;  // by pid name: the last entry of the process
};

}  // namespace ravel::erlang
