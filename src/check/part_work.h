// What is done with a search of which parts are files, in the place of running it to its end in this process:
// it is divided, one of its parts is run, or what parts have found is brought together.
#pragma once

#include <atomic>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "check/front_end.h"
#include "check/saved_search.h"
#include "check/search_settings.h"
#include "engine/divisible.h"
#include "engine/exploration.h"
#include "parts/part_worker.h"
#include "parts/run_part.h"

namespace ravel {

// A search that its front end has made ready. Nothing of it was run in this process.
struct PartedSearch {
  System& system;
  Divisible& divisible;  // of the strategy; may not be given positions
  PartRunning running;   // of parts, in this process
  const SearchSettings& settings;
  const std::atomic<bool>& interrupt;
  std::function<SavedTest(const Exploration&)> save;           // what is saved of the test
  std::function<void(const NamedBug&)> on_bug;                 // one to be told: writes its ticket
  std::function<void(std::span<const NamedStep>)> discovered;  // PartSlice::last, for the front end
  // For a program that is searched inside of its own process: runs a part there. An error: that process has
  // ended. Empty: parts are run in this process.
  std::function<Result<PartRun>(const Part&, const PartBudget&)> run_part = {};
  // Takes what executions of parts have shown of the program (PartFindings::news); it is part of what `save`
  // saves from then on. True: the search has to begin anew. Empty: they show nothing besides.
  std::function<bool(const std::vector<std::string>& news)> learn = {};
};

class PartWork {
 public:
  virtual ~PartWork() = default;

  // What the program is, before any search. An error ends the command.
  virtual Status open(const CheckedProgram& program, const std::string& test) = 0;
  // Whether what earlier processes have found does not count any more.
  virtual bool begins_anew() const = 0;
  // Whether tickets of bugs are written by this process.
  virtual bool tells_bugs() const = 0;
  // What is to be told of the search. Called again if what was found out makes it begin anew.
  virtual SavedTest run(const PartedSearch& search) = 0;

  // The search is over, and this is told of it.
  virtual Status keep_told(const SavedTest& told) = 0;
  // Whether the search is over and is to be told. Else run() has returned nothing of interest.
  virtual bool is_over() const = 0;
  // What went wrong in run().
  virtual const Status& status() const = 0;
};

}  // namespace ravel
