// The explorer's loop over the System of one test: what a front end whose System runs in this process needs
// to search it.
//
//   SystemSearch search(system, settings, task, options,
//                       {.front_end = "toy", .test = name, .program = note});
//   if (Status begun = search.begin(); !begun) return begun.error();
//   search.run();
//   return search.finish(explain);
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "check/front_end.h"
#include "check/search_settings.h"
#include "check/ticket_writer.h"
#include "engine/exploration.h"
#include "engine/race.h"
#include "parts/part_findings.h"
#include "parts/part_worker.h"
#include "report/progress_line.h"
#include "states/state_search.h"

namespace ravel {

class SystemSearch {
 public:
  using Explain = std::function<std::optional<Explanation>(const Recording&)>;

  // References must outlive this. Of `tickets` the folder and the bound on events are set here.
  SystemSearch(System& system, SearchSettings settings, const SearchTask& task, const CheckOptions& options,
               TicketSubject tickets);
  ~SystemSearch();

  // Finds the prefix, makes the strategy, and lets it go on from where the test's search was.
  Status begin() { return begin(task_.before); }
  // The same from another search than the task says, or, if it is null, from the beginning.
  Status begin(const SavedTest* before);

  // For strategies that visit states: the System whose states these are, if that is another one than that
  // which tells, and what its schedules are for that one. Call it before begin(). Must outlive this.
  // `program`: the note of tickets of executions without an end, which that System tells itself.
  void search_states_of(System& system, StateSearch::Translate translate, std::string program);
  // Formulas that the System whose states are visited knows the propositions of.
  // `tell` says what a violation is called, if not by the formula.
  void ask(std::vector<std::string> formulas, Fairness fairness, TellViolation tell = {}) {
    formulas_ = std::move(formulas);
    fairness_ = fairness;
    tell_ = std::move(tell);
  }
  // What executions of this process have shown besides, for the report of a process that has others run parts
  // of the search.
  void set_findings(std::function<void(TestReport&)> add) { add_findings_ = std::move(add); }
  // What executions show is noted in this process only. Call it before run().
  void forbid_parts() { may_have_parts_ = false; }
  // A search by states knows more than a position says. Call it before run().
  void forbid_resuming() { may_be_resumed_ = false; }
  // For strategies that visit states: several processes could do so.
  void note_shareable() { may_be_shared_ = true; }
  // For strategies that visit states: that several processes do so, and that its states' System numbers them
  // in `states`. `learn`: takes what another process has noted of the search for the front end (set_own).
  // Call it before run(). References must outlive this.
  void share_states(SharedStates& states, std::function<void(const std::string& own)> learn) {
    shared_states_ = &states;
    learn_own_ = std::move(learn);
  }
  // Whether several processes have found a loop in which nobody does anything but look, if they were to look
  // for one. They cannot tell it: one process, which keeps the states, has to search again. REQUIRES: run()
  // was called.
  bool has_loops() const { return has_loops_; }
  // `make`: a delaying explorer that only the front end makes, or null. `messages`: what the program tells
  // its explorer, or null. Call it before begin(). References must outlive this.
  void set_explorer(std::function<std::unique_ptr<DelayingExplorer>()> make, ExplorerMessages* messages) {
    if (make) settings_.context.explorer.make = std::move(make);
    settings_.context.explorer.messages = messages;
  }
  // What is saved of the search now and then for the front end: SavedTest::own.
  void set_own(std::function<std::string()> own) { own_ = std::move(own); }
  // Whether executions go round without progress. REQUIRES: its states' System knows when there is some.
  void ask_about_progress(Fairness fairness) {
    asks_about_progress_ = true;
    fairness_ = fairness;
  }
  // That loops in which nobody does anything but look are bugs. REQUIRES: its states' System knows the number
  // of a state that it meets again.
  void look_for_polling(Fairness fairness) { fairness_of_polling_ = fairness; }

  // Searches. `listener` hears of everything first, and hands it on to tickets(). REQUIRES: begin()
  // succeeded.
  void run(Listener* listener = nullptr);
  TicketWriter& tickets() { return *writer_; }
  // What was found, for whoever adds to it. REQUIRES: run() was called.
  Exploration& exploration() { return exploration_; }
  // The same of what is told of the test besides; its result is set by finish().
  TestReport& report() { return report_; }

  enum class Simpler : std::uint8_t { kFewerPreemptions, kFewerEvents };
  // The schedules of bugs that are told become those that `simplify` makes of them, where these lead to the
  // same bug and are simpler in this sense. Not of executions without an end. REQUIRES: run() was called.
  void simplify(Simpler sense,
                const std::function<std::optional<std::vector<NamedStep>>(const Recording&)>& simplify);

  // Records, explains and tells the bugs that are told with their stories. `shown`: a System of this test
  // that answers could_take(), or null; an empty function: there is none. REQUIRES: run() was called.
  SearchedTest finish(const Explain& explain, const std::function<System*()>& shown = {});

 private:
  void keep(const Exploration& now) const;
  bool read_position(const std::string& position);
  std::string why_unresumable() const;
  void repeat_steps_in(StateSearch& search) const;
  Exploration visit_states(const Surroundings& surroundings);
  Exploration run_strategy(Strategy& strategy, Surroundings surroundings);
  bool may_be_divided() const;
  std::string why_undivided() const;
  Exploration run_in_parts(const Surroundings& surroundings);
  // What tells bugs of parts that this process runs.
  enum class Telling : std::uint8_t { kNobody, kWriter };
  PartRunning running_parts(Listener& listener, Telling telling = Telling::kNobody);
  void tell_bug(const NamedBug& bug, Listener& listener);
  Exploration work_on_parts(const Surroundings& surroundings);
  void keep_parts(PartFindings findings) const;
  void add_findings(const PartFindings& findings);
  bool is_in_parts() const;
  // Of states (state_search_parts.cc).
  Exploration share_states_with(const Surroundings& surroundings);
  void tell_of_sharing(const Exploration& found) const;
  Exploration refuse_position() const;
  SavedTest save(const Exploration& now) const;
  void add_complaints();
  System& system_of(const FoundBug& found) { return found.lasso ? *states_of_ : system_; }

  System& system_;
  System* states_of_ = &system_;
  StateSearch::Translate translate_;
  std::string program_of_states_;
  std::vector<std::string> formulas_;
  Fairness fairness_ = Fairness::kWeak;
  TellViolation tell_;
  bool asks_about_progress_ = false;
  std::optional<Fairness> fairness_of_polling_;
  std::function<std::string()> own_;
  SharedStates* shared_states_ = nullptr;
  bool may_be_shared_ = false;
  bool has_loops_ = false;
  std::function<void(const std::string&)> learn_own_;
  std::function<void(TestReport&)> add_findings_;
  const std::shared_ptr<ExplorerComplaints> complaints_ = std::make_shared<ExplorerComplaints>();
  bool may_be_resumed_ = true, may_have_parts_ = true;
  std::vector<TemporalQuestion> questions_;
  SearchSettings settings_;
  const SearchTask& task_;
  const CheckOptions& options_;
  const TicketSubject subject_;
  ProgressLine progress_;
  std::unique_ptr<Strategy> strategy_;
  std::unique_ptr<TicketWriter> writer_;
  std::optional<Exploration> so_far_;
  Exploration exploration_;
  TestReport report_;  // what is saved of it: without recordings and tree
  std::optional<SearchTree> tree_;
};

}  // namespace ravel
