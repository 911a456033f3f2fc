// Tests that are searched side by side, each in a copy of this process.
//
// A copy is made before a test's search begins, tells now and then where it is, and ends with it. What it
// writes to standard output and standard error is kept for this process to show. A copy that dies costs its
// test one more try, at the end and alone, from where it has told to be; if that one dies, too, whoever asked
// is told. Tests that cannot be searched beside others come at the end, too, one after the other.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "check/test_outcome.h"
#include "parallel/captured_output.h"
#include "parallel/child_process.h"
#include "parallel/process_share.h"
#include "parallel/shared_atomics.h"
#include "report/progress_line.h"

namespace ravel {

// Of what the processes of a check have together, the part of one test.
struct TestShare {
  std::uint32_t jobs = 1;       // processes that may search it from its beginning
  std::uint32_t searches = 1;   // that share the memory
  ProcessShare processes = {};  // that may search it, by now and later
};

struct EndedTest {
  TestOutcome outcome = {};
  std::optional<Error> error = {};       // instead of an outcome
  std::string output = {}, errors = {};  // what its process has written
};

class TestProcesses {
 public:
  using Keep = std::function<void(const SavedTest&)>;
  struct Work {
    // In a copy of this process.
    std::function<Result<TestOutcome>(std::size_t test, const TestShare&, const Keep&)> search;
    std::function<std::string(std::size_t test)> name;
    // Where a test's search is.
    std::function<void(std::size_t test, SavedTest)> kept;
    // What a test comes to whose process has ended `how`, and which is not searched again.
    std::function<TestOutcome(std::size_t test, const std::string& how)> give_up;
    // In whatever order they end. False: no other test counts any more.
    std::function<bool(std::size_t test, EndedTest)> ended;
  };

  // `tests`: in the order in which they begin. `jobs`: how many processes there may be, those included that
  // search one test together. References must outlive this object.
  TestProcesses(const std::vector<std::size_t>& tests, std::uint32_t jobs, const std::atomic<bool>& interrupt,
                ColourWish colour, Work work);

  // Until all tests have ended, or, after an interrupt, those that have begun. An error if there can be no
  // process.
  Status run();

 private:
  struct Running {
    std::size_t test;
    std::size_t place;  // of what is granted to it
    ChildProcess child;
    CapturedOutput output;
    bool is_kept = false;  // where it is was told
  };
  using Place = std::list<Running>::iterator;

  Status begin_tests();
  Result<bool> begin(std::size_t test, const TestShare& share);
  [[noreturn]] void work(std::size_t test, const TestShare& share, const Channel& parent) const;
  TestShare share_of_next() const;
  std::size_t free_place() const;
  void grant_processes();
  void wait();
  void receive(Place running);
  void end(Place running, EndedTest ended);
  void lose(Place running);
  void put_off(Place running);
  void give_up_rest();
  void end_searches();
  void draw();

  const std::uint32_t jobs_;
  const std::atomic<bool>& interrupt_;
  const ColourWish colour_;
  const Work work_;
  const std::size_t count_;
  std::deque<std::size_t> waiting_;
  struct Lost {
    std::size_t test;
    std::string how;
  };
  std::deque<Lost> lost_;             // once
  std::deque<std::size_t> lonely_;    // that are searched when no other one is
  std::optional<std::size_t> again_;  // that runs for the second time
  std::list<Running> running_;
  SharedAtomics<std::uint32_t> granted_;  // how many processes may search each test that runs, by its place
  std::size_t ended_ = 0;
  bool is_told_to_end_ = false;  // those that run
  bool is_over_ = false;         // no other test counts any more
  SteadyClock clock_;
  const double start_;
  ProgressLine progress_;
};

}  // namespace ravel
