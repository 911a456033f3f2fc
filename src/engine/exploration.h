// The listener of a search while it works, and what may end the search.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "engine/search_result.h"

namespace ravel {

// Hears about a search. No method may change the strategy. on_bug() may step the System, because the
// explorer restores or resets it before the next execution.
class Listener {
 public:
  virtual ~Listener() = default;

  // Every few hundred events.
  virtual void on_progress(const Counts&) {}
  // In long work of the strategy between two executions: so many steps were compared since it was told last.
  virtual void on_long_work(std::uint64_t) {}
  // A bug that was not seen before, or a simpler schedule for one that was.
  virtual void on_bug(const FoundBug&) {}
  // Asked after each execution. True: the search ends here, as if it was interrupted.
  virtual bool ends_search() { return false; }
};

// When a search that is under way is kept, in seconds: for the first time, and after the last time. Short
// searches are not kept.
struct KeepingTimes {
  double first = 5;
  double between = 30;
};

// Around the search: what may end it, and never changes which execution comes next.
struct Surroundings {
  Listener* listener = nullptr;                  // hears of it
  const std::atomic<bool>* interrupt = nullptr;  // set from outside to stop the search
  // How many bytes the process holds; may give some back first if these are more than that. Null: nobody
  // knows.
  std::uint64_t (*held_memory)(std::uint64_t bytes) = nullptr;
  // Hears now and then, between two executions, where the search is, as if it had been interrupted there, so
  // that little is lost if the process is killed. Not of a search without a position.
  std::function<void(const Exploration&)> keep = {};
  KeepingTimes keeping = {};              // when it hears
  std::atomic<bool>* keep_now = nullptr;  // set from outside, for once: it hears as soon as it can
};

}  // namespace ravel
