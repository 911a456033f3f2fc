// A search of a program of C or C++ whose parts are files (check/part_work.h).
//
// Parts are run inside of the program's process, as a whole search is. Whoever has the search takes the steps
// that it needs from outside: those of positions, of what parts have noted, and of bugs. Which accesses are
// operations, and whether threads stand back for others, is the same for all parts. An execution that shows
// that more is needed ends its part; the search begins anew with what it has shown. What executions show
// besides goes with each result, and is learned by the process of whoever has the search: two halves of a
// reason to begin anew may come from two parts.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "check/part_work.h"
#include "engine/strategy.h"
#include "threads/protocol/messages.h"
#include "threads/remote/remote_system.h"

namespace ravel::threads {

class DividedSearch {
 public:
  // References must outlive this object.
  struct Setting {
    const ProgramCall& call;
    RemoteSystem& system;
    Configuration& configuration;  // as the search begins, and then as it has ended
    const SearchSettings& settings;
    SearchOrder order;  // of the whole search
    PartWork& work;
    // One that is to be told.
    std::function<void(const RawFoundBug& raw, const NamedBug& bug)> on_bug;
  };
  explicit DividedSearch(Setting setting) : setting_(std::move(setting)) {}

  // Nothing: there are parts to be run, or PartWork::status() says what went wrong. An error: it cannot be
  // divided, or the program's process has ended.
  Result<std::optional<Searched>> run();

 private:
  struct Refused {
    std::string message;
    std::vector<std::uint64_t> stack;
  };

  Status make_ready();
  SavedTest run_once(Divisible& divisible);
  bool has_to_begin_anew();
  Result<PartRun> run_part(const Part& part, const PartBudget& budget);
  bool learn(const std::vector<std::string>& news);
  std::string own();
  void note_discovery(std::span<const NamedStep> steps);
  RawFoundBug raw_of(const NamedBug& bug);
  Searched searched(const SavedTest& total);
  std::unique_ptr<Strategy> make_strategy() const;
  Error end_of_process(const std::string& how) const;

  Setting setting_;
  std::vector<std::string> known_;  // ProgramNews of all parts: a process that has ended forgets them
  std::optional<Refused> refused_;  // by the last discovery
  bool has_waited_ = false;         // as only fairness ends it
  Status problem_ = Success{};
};

}  // namespace ravel::threads
