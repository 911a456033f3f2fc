// The tests of a program of C or C++, each searched in a process of the program (test_search.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "check/front_end.h"
#include "check/search_settings.h"
#include "front_ends/threads/program_note.h"
#include "threads/remote/program_tests.h"

namespace ravel::threads {

class CheckedThreadsProgram final : public CheckedProgram {
 public:
  // Lists the chosen tests. `before`: null, or what is resumed. References must outlive this object.
  static Result<std::unique_ptr<CheckedProgram>> open(const CheckOptions& options, const SavedSearch* before);
  // Opens the test that was noted, run as the note says.
  static Result<std::unique_ptr<CheckedProgram>> open(const ProgramNote& note, const CheckOptions& options);

  const std::vector<TestEntry>& tests() const override { return entries_; }
  std::string assumptions() const override;
  Result<PortableProgram> portable() const override;
  Result<SearchedTest> search(std::size_t test, const SearchTask& task) override;

 private:
  CheckedThreadsProgram(const CheckOptions& options, SearchSettings settings, ProgramCall call,
                        Configuration configuration, const std::vector<ListedTest>& tests);

  const CheckOptions& options_;
  const SearchSettings settings_;
  ProgramCall call_;
  const Configuration configuration_;
  std::vector<ProgramTest> tests_;
  std::vector<TestEntry> entries_;  // the same tests, as entries
};

}  // namespace ravel::threads
