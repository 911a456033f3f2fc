// Signals that are on their way: what another process sends arrives by an event of its own
// (Delivery::kChannels).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "erlang/machine/machine_part.h"
#include "erlang/machine/signals.h"

namespace ravel::erlang {

class Channels final : public MachinePart {
 public:
  explicit Channels(Machine& its_machine) : MachinePart(its_machine) {}

  bool are_used() const;
  std::span<const Channel> all() const { return channels_; }
  // Sends a signal: it arrives at once, or goes into the channel between the two.
  void transmit(Term sender, Term receiver, const Signal& signal);
  // The oldest signal of a channel arrives, as a step. REQUIRES: there is one.
  void bring(std::size_t channel);
  // The same without an arrival; or a copy of it arrives and it stays.
  void take_oldest(std::size_t channel);
  void bring_copy(std::size_t channel);
  // A process that has ended sends nothing more.
  void forget_channels_of_ended(Term sender);

  Term freeze(std::vector<Term>& scratch);
  void thaw(Term image);
  void for_each_term(Roots::Visit visit, void* collector);  // everything young

 private:
  Channel& between(Term sender, Term receiver);
  Signal note_taking(const Channel& channel);

  std::vector<Channel> channels_;
};

}  // namespace ravel::erlang
