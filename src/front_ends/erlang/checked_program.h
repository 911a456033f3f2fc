// The tests of a program of Erlang or Elixir, each searched by the explorer's loop over an ErlangSystem.
//
// A search that takes the order of messages in mailboxes for what nobody can see begins anew where somebody
// looks at it, and one that takes a module's code for what never changes where somebody loads another. A
// search by states begins anew if its verdicts turn out to depend on what is no part of a state.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "check/front_end.h"
#include "check/search_settings.h"
#include "check/system_search.h"
#include "erlang/system/erlang_system.h"
#include "erlang/system/eunit_suite.h"
#include "erlang/system/program.h"
#include "front_ends/erlang/explainer.h"
#include "front_ends/erlang/watching_listener.h"

namespace ravel::erlang {

// How one test is searched.
struct TestSettings {
  SearchSettings search;
  ErlangOptions system;
  Fairness fairness = Fairness::kWeak;
};

// An error if options do not go together.
Result<TestSettings> test_settings(const CheckOptions& options);

class CheckedErlangProgram final : public CheckedProgram {
 public:
  // Opens the program, and lists the chosen tests. `before`: null, or what is resumed. References must
  // outlive this.
  static Result<std::unique_ptr<CheckedProgram>> open(const CheckOptions& options, const SavedSearch* before);
  // The same for one test of an opened program, which is run as `system` says.
  static Result<std::unique_ptr<CheckedProgram>> open(std::unique_ptr<Program> program,
                                                      const std::string& test, const ErlangOptions& system,
                                                      const CheckOptions& options);

  const std::vector<TestEntry>& tests() const override { return entries_; }
  std::vector<std::string> remarks() const override { return program_->remarks(); }
  std::string assumptions() const override;
  Result<PortableProgram> portable() const override;
  Result<SearchedTest> search(std::size_t test, const SearchTask& task) override;

 private:
  // What a search finds out that it has to know from its beginning.
  struct Discovered {
    MessageOrder order = MessageOrder::kRefused;
    std::vector<WatchedCode> code = {};
    std::vector<std::string> explored_starts = {};
    std::vector<ActorName> requests_in_state = {};
    bool lists_processes = false;  // so that ends which nobody sees do not come first
    bool has_loops = false;        // that only one process can tell, by states
    // Of a search by states that goes on.
    NotedRequests::Known requests = {};
    // Of the search before, if what it has found and the time that it took count.
    std::optional<SearchResult> before = {};
    double seconds = 0;
  };

  CheckedErlangProgram(const CheckOptions& options, std::unique_ptr<Program> program, TestSettings settings)
      : options_(options), program_(std::move(program)), settings_(std::move(settings)) {}

  Status choose(const std::vector<std::string>& wanted);
  Result<TestSettings> settings_for(const TestCase& test) const;
  Result<Discovered> discovered_before(const SavedTest* saved) const;
  Result<TestSettings> settings_of_search(const TestCase& test, const SearchTask& task,
                                          const Discovered& known) const;
  Result<std::optional<SearchedTest>> search_once(const TestCase& test, const SearchTask& task,
                                                  Discovered& known);
  Result<const SavedTest*> find_saved(const SavedTest* saved, const Discovered& known) const;
  static std::string print_own(MessageOrder order, const Discovered& known, const ErlangSystem* recurring);
  static void learn_requests(const std::string& noted, ErlangSystem& system);
  bool has_to_begin_anew(const ErlangSystem& searched, const WatchingListener& listener, SystemSearch& search,
                         Discovered& known) const;
  void note_discovered(const ErlangSystem& system, Discovered& known) const;
  bool note_requests(const ErlangSystem& system, const Exploration& exploration, const SearchSettings& search,
                     const System& told, Discovered& known) const;
  void add_bugs_before(const Discovered& known, System& told, SystemSearch& search) const;
  void find_unreceived(ErlangSystem& system, SystemSearch& search, std::uint64_t events_max) const;

  const CheckOptions& options_;
  const std::unique_ptr<Program> program_;
  TestSettings settings_;  // of tests whose module has no options of its own
  std::vector<TestCase> cases_;
  std::vector<TestEntry> entries_;  // the same
};

}  // namespace ravel::erlang
