// The search of one test of a program of C or C++: in the program's own process, or step by step from here.
//
// What it finds is in the engine's words, and each bug comes with the record of its execution in a process of its own and
// a ticket.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "cli/options.h"
#include "cli/search_file.h"
#include "cli/search_settings.h"
#include "engine/recording.h"
#include "report/progress_line.h"
#include "report/tested.h"
#include "threads/remote/remote_system.h"

namespace ravel {

struct ThreadsTested {
  Tested tested;
  std::string graph;                  // if it was asked for
  std::vector<Recording> recordings;  // by bug; without a bug: it could not be recorded
  SavedTest saved;
};

class ThreadsSearch {
 public:
  // All references must outlive this. `folder` is that of the tickets.
  ThreadsSearch(const threads::ProgramCall& call, const threads::Configuration& configuration, const SearchSettings& settings,
                const std::string& folder, const ReportOptions& report);

  // From now on what is searched is drawn as well; `prefix` begins the names in the drawing (report/search_graph.h).
  void draw_as(std::string prefix) { graph_prefix_ = std::move(prefix); }
  // With which steps every execution begins.
  void begin_with(threads::SearchPrefix prefix) { prefix_ = std::move(prefix); }
  // Bugs of these kinds are none: the search goes on behind them, and their schedules are not told.
  void ignore(std::vector<std::string> kinds) { ignored_ = std::move(kinds); }
  // `label` is what the line of progress names the test; `before`: what is gone on with, or null.
  Result<ThreadsTested> run(const std::string& label, const SavedTest* before);

 private:
  using RemoteSystem = threads::RemoteSystem;

  Error prefix_error(std::uint64_t step) const;
  threads::SearchOrder order(const SavedTest* before) const;
  threads::VariableNaming naming(const threads::Symbols& symbols) const;
  Result<threads::Searched> search(RemoteSystem& system, const threads::SearchOrder& order);
  std::string draw(const std::string& prefix);
  threads::Searched search_outside(RemoteSystem& system, const threads::SearchOrder& order);
  void take_over(const SavedTest& before, ThreadsTested& result) const;
  void drop_ignored(threads::Searched& searched) const;
  void note_locking(const std::vector<threads::SourcePlace>& places, threads::Searched& searched, ThreadsTested& result) const;
  void record_bugs(RemoteSystem& system, const threads::Searched& searched, ThreadsTested& result) const;
  std::vector<NamedVariable> name_objects(threads::Configuration configuration, const RemoteSystem& found_in,
                                          const std::vector<Transition>& schedule, const std::vector<std::uint64_t>& objects) const;
  std::string write_ticket(const Recording& recording, const threads::Configuration& configuration) const;

  const threads::ProgramCall& call_;
  threads::Configuration configuration_;
  const SearchSettings& settings_;
  const std::string& folder_;
  const ReportOptions& report_;
  ProgressLine progress_;
  std::string graph_prefix_;  // empty: nothing is drawn
  threads::SearchPrefix prefix_;
  std::vector<std::string> ignored_;
};

}  // namespace ravel
