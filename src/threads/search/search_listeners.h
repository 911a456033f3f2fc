// Listeners to the explorer in a search of a program of threads: they end its run where something makes that
// pointless, and keep the raw form of its bugs.

#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "engine/exploration.h"
#include "engine/explorer_loop.h"
#include "threads/search/searched_program.h"
#include "threads/search/turns.h"

namespace ravel::threads {

// Ends the explorer's run if something outside wants that, or if new races make it pointless: a complete
// search at once, a sampling one after the execution that shows them.
class Reporter final : public Listener {
 public:
  Reporter(const Watch& watch, SearchedProgram& program, const Counts& before, std::atomic<bool>& stop)
      : watch_(watch), program_(program), before_(before), stop_(stop) {}

  void on_progress(const Counts& counts) override {
    if ((stops_at_race && program_.has_new_racy_words()) || program_.needs_fairness()) stop_ = true;
    if (states != nullptr && states->has_to_begin_anew()) stop_ = true;
    if (counts.events + compared_in_turn / kComparedPerEvent >= turn_ends) stop_ = turn_is_over = true;
    known_ = sum(before_, counts);
    if (!watch_.on_progress(known_)) stop_ = interrupted = true;
  }
  // A turn does not end here, where the strategy has no position.
  void on_long_work(std::uint64_t steps) override {
    compared += steps, compared_in_turn += steps;
    if (compared >= compared_max) stop_ = true;
    if (!watch_.on_progress(known_)) stop_ = interrupted = true;
  }
  bool ends_search() override {
    compared = 0;
    return stops_behind_race && program_.has_new_racy_words();
  }

  bool stops_at_race = false, stops_behind_race = false;
  const StatesOfProgram* states = nullptr;      // of a search by states
  std::uint64_t turn_ends = ~std::uint64_t{0};  // at how many events of its strategy
  bool turn_is_over = false;
  std::uint64_t compared = 0, compared_max = ~std::uint64_t{0};  // steps, since the last execution
  std::uint64_t compared_in_turn = 0;
  bool interrupted = false;

 private:
  const Watch& watch_;
  SearchedProgram& program_;
  const Counts& before_;
  std::atomic<bool>& stop_;
  Counts known_;
};

// Keeps the raw form of each bug, which the engine's form of it does not hold.
class RawBugs final : public Listener {
 public:
  RawBugs(const SearchedProgram& program, Listener& next) : program_(program), next_(next) {}

  void on_progress(const Counts& counts) override { next_.on_progress(counts); }
  bool ends_search() override { return next_.ends_search(); }
  void on_bug(const FoundBug& found) override {
    RawBug raw = program_.raw_bug();
    if (found.bug.kind == "event_bound")
      raw = {.kind = found.bug.kind, .message = found.bug.message, .file = {}, .stack = {}, .details = {}};
    // Of a copy's bug the execution has been run here once more.
    CHECK_MESSAGE(raw.kind == found.bug.kind, kNondeterminism);
    const std::string key = found.bug.key();
    const auto place = std::ranges::find(keys_, key);
    if (place == keys_.end()) {
      keys_.push_back(key);
      bugs_.push_back(std::move(raw));
    } else {
      bugs_[static_cast<std::size_t>(place - keys_.begin())] = std::move(raw);
    }
    next_.on_bug(found);
  }
  bool knows(const FoundBug& found) const { return std::ranges::count(keys_, found.bug.key()) > 0; }
  // REQUIRES: knows(found).
  const RawBug& of(const FoundBug& found) const {
    const auto place = std::ranges::find(keys_, found.bug.key());
    CHECK(place != keys_.end());
    return bugs_[static_cast<std::size_t>(place - keys_.begin())];
  }

 private:
  const SearchedProgram& program_;
  Listener& next_;
  std::vector<std::string> keys_;
  std::vector<RawBug> bugs_;
};

}  // namespace ravel::threads
