// Tests of a program in P that are searched.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/front_end.h"
#include "check/search_settings.h"
#include "check/system_search.h"
#include "front_ends/p/opened_program.h"
#include "front_ends/p/own_options.h"
#include "p/system/use_of_program.h"

namespace ravel::p {

class CheckedPProgram final : public CheckedProgram {
 public:
  // `options` must outlive the program. `before`: what is resumed, or null.
  static Result<std::unique_ptr<CheckedProgram>> open(const CheckOptions& options, const SavedSearch* before);
  // One test of a program that is there, run as it was noted.
  static Result<std::unique_ptr<CheckedProgram>> open(std::shared_ptr<const OpenedProgram> program,
                                                      std::size_t test, const POptions& system,
                                                      const CheckOptions& options);

  const std::vector<TestEntry>& tests() const override { return entries_; }
  std::vector<std::string> remarks() const override;
  std::string assumptions() const override;
  Result<PortableProgram> portable() const override;
  Result<SearchedTest> search(std::size_t test, const SearchTask& task) override;

 private:
  CheckedPProgram(std::shared_ptr<const OpenedProgram> program, std::vector<std::size_t> chosen,
                  SearchSettings settings, const POptions& system, const CheckOptions& options);

  Result<SearchedTest> search_in_turn(std::size_t test, const SearchTask& task,
                                      const SearchSettings& settings, UseOfProgram* use);
  bool draws_first() const;
  // Of the settings of a search by states, those of the executions that are drawn before.
  static SearchSettings drawing(SearchSettings settings);
  Result<SearchedTest> search(std::size_t test, const SearchTask& task, const SearchSettings& settings,
                              UseOfProgram* use);
  std::optional<BugFile> trace_of_bug(SystemSearch& search, PSystem& system, std::size_t test);
  const TestCase& test_case(std::size_t test) const { return program_->program().tests[chosen_[test]]; }

  const std::shared_ptr<const OpenedProgram> program_;
  const std::vector<std::size_t> chosen_;  // places in Program::tests
  const SearchSettings settings_;
  const POptions system_;
  const CheckOptions& options_;
  std::vector<TestEntry> entries_;
};

}  // namespace ravel::p
