// What executions have shown besides bugs, since the process began: races, operations whose weaker order
// could matter, waits that ended by time, threads that were left behind.

#pragma once

#include <cstdint>
#include <vector>

#include "threads/protocol/messages.h"

namespace ravel::threads {

class Discoveries {
 public:
  // How many races and threads there are, which is asked after every step. Also weaker orders.
  std::uint32_t count() const { return count_; }

  // Findings; the one who knows the schedule adds how they came about.
  std::vector<RaceReport>& races() { return races_; }
  std::vector<LeftThread>& left_behind() { return left_behind_; }
  // The operations whose weaker order could make a difference.
  const std::vector<WeakOrder>& weak_orders() const { return weak_orders_; }
  const std::vector<TimedWait>& timed_waits() const { return timed_waits_; }
  // Words for which a race was seen since this was last asked; they are not tracked yet.
  std::vector<std::uint64_t> take_new_racy_words();
  bool has_new_racy_words() const { return !racy_.empty(); }

  // Adds a finding, which is kept once.
  void add_race(const RaceReport& race);
  void add_left_behind(LeftThread thread);
  void add_weak_order(std::uint64_t pc);
  bool wants_timed_wait(std::uint64_t pc) const;
  void add_timed_wait(std::vector<std::uint64_t> stack);
  void add_racy_word(std::uint64_t word);
  // A thread has passed the label of progress.
  void note_progress() { has_progress_ = true; }
  bool has_progress() const { return has_progress_; }

 private:
  std::vector<std::uint64_t> racy_;
  std::vector<RaceReport> races_;
  std::vector<WeakOrder> weak_orders_;
  std::vector<TimedWait> timed_waits_;
  std::vector<LeftThread> left_behind_;  // threads that had not ended when the program did
  std::uint32_t count_ = 0;
  bool has_progress_ = false;
};

}  // namespace ravel::threads
