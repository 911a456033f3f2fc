// The search of one test of a program of C or C++: in the program's own process, or step by step from here.
//
// What it finds is in the engine's words, and each bug comes with the record of its execution in a process of
// its own and a ticket.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "check/check_options.h"
#include "check/front_end.h"
#include "check/saved_search.h"
#include "check/search_settings.h"
#include "front_ends/threads/bug_recorder.h"
#include "front_ends/threads/own_options.h"
#include "parallel/process_share.h"
#include "report/progress_line.h"
#include "threads/remote/remote_system.h"

namespace ravel::threads {

class TestSearch {
 public:
  // All references must outlive this object. `folder` is that of the tickets.
  TestSearch(const ProgramCall& call, const Configuration& configuration, const SearchSettings& settings,
             VariableParts parts, const std::string& folder, const ReportOptions& report);

  // How many processes may search; one, if nothing is said. `jobs`: at first.
  void use_processes(std::uint32_t jobs, const ProcessShare& processes) {
    jobs_ = jobs;
    processes_ = processes;
  }
  // If one has searched for long, it is told why; or that so many could.
  void tell_why_undivided() { is_told_undivided_ = true; }
  void suggest_processes(std::uint32_t jobs) { suggested_jobs_ = jobs; }

  // From now on what is searched is noted as a tree as well (report/noted_search.h).
  void note() { is_noted_ = true; }
  // Sets the steps with which every execution begins. `tracked`: what was tracked when they were noted, as in
  // Configuration.
  void begin_with(std::vector<NamedStep> steps, std::vector<std::uint64_t> tracked) {
    prefix_ = std::move(steps);
    prefix_tracked_ = std::move(tracked);
  }
  // Bugs of these kinds are none: the search goes on after them, and their schedules are not told.
  void ignore(std::vector<std::string> kinds) { ignored_ = std::move(kinds); }
  // This is done with the search in the place of running it.
  void divide_by(PartWork* work) { parts_work_ = work; }
  // Hears now and then where the search is.
  void keep_by(std::function<void(const SavedTest&)> keep) { keep_ = std::move(keep); }
  // What bugs are told with.
  void tell_by(SearchTask::Tell tell) { tell_ = std::move(tell); }
  // `label` is what the line of progress names the test; `before`: what is gone on with, or null.
  Result<SearchedTest> run(const std::string& label, const SavedTest* before);

 private:
  enum class When : std::uint8_t { kOnTheWay, kAtTheEnd };
  using Keep = std::function<void(Searched)>;
  struct Described {
    std::size_t count = 0;
    std::vector<std::string> texts = {};
  };

  Error prefix_error(std::uint64_t step) const;
  SearchOrder order(const SavedTest* before) const;
  VariableNaming naming(const Symbols& symbols) const;
  Result<Searched> search(RemoteSystem& system, const SearchOrder& order, const Keep& keep);
  std::optional<SearchTree> note_search();
  void tell_undivided(double seconds) const;
  // Whether the explorer is a library of the user's.
  bool has_own_explorer() const { return settings_.context.explorer.make != nullptr; }
  Result<std::optional<Searched>> divide(RemoteSystem& system, const SearchOrder& order);
  Result<Searched> search_outside(RemoteSystem& system, const SearchOrder& order, const Keep& keep);
  void conclude(RemoteSystem& system, Searched searched, const SavedTest* before, When when,
                Configuration& configuration, SearchedTest& done);
  void keep(RemoteSystem& system, Searched now, const SavedTest* before, const SearchedTest& begun);
  const std::vector<std::string>& describe(RemoteSystem& system, const Configuration& configuration,
                                           const Findings& findings, When when);
  void take_over(const SavedTest& before, SearchedTest& done) const;
  void drop_ignored(Searched& searched) const;
  void note_locking(const std::vector<SourcePlace>& places, Searched& searched, SearchedTest& done) const;
  void add_bugs(RemoteSystem& system, const Configuration& configuration, const Searched& searched, When when,
                SearchedTest& done);
  void explain(const RecordedBug& recorded, TestReport& report) const;
  void tell(RemoteSystem* system, const Recording& recording, TestReport& report) const;

  const ProgramCall& call_;
  Configuration configuration_;
  const SearchSettings& settings_;
  const VariableParts parts_;  // what a variable is
  const ReportOptions& report_;
  BugRecorder recorder_;
  Described described_;  // what was found besides bugs
  std::function<void(const SavedTest&)> keep_;
  SearchTask::Tell tell_;
  ProgressLine progress_;
  bool is_noted_ = false;
  PartWork* parts_work_ = nullptr;
  std::uint32_t jobs_ = 1, suggested_jobs_ = 1;
  ProcessShare processes_;
  bool is_told_undivided_ = false;
  std::vector<std::string> problems_;  // of processes that have searched together
  std::string undivided_;              // why one process has searched: a sentence without its end
  std::vector<NamedStep> prefix_;
  std::vector<std::uint64_t> prefix_tracked_;
  std::vector<std::string> ignored_;
  const std::shared_ptr<ExplorerComplaints> complaints_ = std::make_shared<ExplorerComplaints>();
};

}  // namespace ravel::threads
