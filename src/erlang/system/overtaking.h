// Which messages overtake others where signals travel (Delivery::kChannels): a message that arrives before
// one of another process to the same receiver, although it was sent because of that one. Known by vector
// clocks, in stories only.

#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <unordered_map>

#include "engine/transition.h"

namespace ravel::erlang {

class Overtaking {
 public:
  void reset() { *this = {}; }
  // An event of a process.
  void note(std::uint64_t process, Footprint footprint);
  // A signal arrives by way of a channel; `rivals` are the other channels to the same receiver, where signals
  // are still on their way. Whether it has overtaken one of these.
  bool note_arrival(Footprint footprint, std::span<const std::uint64_t> rivals);

 private:
  using Clock = std::map<std::uint64_t, std::uint32_t>;  // how many events of each process came before
  struct Sent {
    std::uint64_t sender = 0;
    std::uint32_t event = 0;  // of the sender
    Clock clock;
    bool is_priority = false;
  };

  static void join(Clock& clock, const Clock& other);
  void put(std::uint64_t object, const Sent& sent);
  void take(std::uint64_t object, std::uint32_t message, Clock& clock);

  std::unordered_map<std::uint64_t, Clock> of_process_;
  std::unordered_map<std::uint64_t, Clock> of_object_;          // of those who have changed it
  std::unordered_map<std::uint64_t, std::deque<Sent>> queues_;  // mailboxes and channels
};

}  // namespace ravel::erlang
