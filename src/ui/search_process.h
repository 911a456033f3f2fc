// A search that goes on from a place of an execution, in a process of its own, so that it can be watched and
// stopped, and harms nobody if it dies.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "check/saved_search.h"
#include "check/subject.h"
#include "engine/named_step.h"
#include "parallel/child_process.h"

namespace ravel {

class SearchProcess {
 public:
  struct State {
    bool is_running = true;
    double seconds = 0;
    std::uint64_t executions = 0, events = 0;
    std::string problem = {};  // why there is no result: a sentence
    TestReport found = {};     // what was found, once it has ended without a problem
  };

  // Every execution begins with `prefix`. `arguments` are those of `ravel check` that say how to search.
  // `subject` is opened anew in the process, and must outlive this.
  static Result<std::unique_ptr<SearchProcess>> start(const FrontEnds& front_ends, const Subject& subject,
                                                      std::vector<NamedStep> prefix,
                                                      std::span<const std::string> arguments);
  ~SearchProcess();
  SearchProcess(const SearchProcess&) = delete;
  SearchProcess& operator=(const SearchProcess&) = delete;

  // As far as it has told by now.
  const State& look();
  // It ends with what it has found so far.
  void stop();

 private:
  SearchProcess(ChildProcess child, std::string folder)
      : child_(std::move(child)), folder_(std::move(folder)) {}
  void read(const std::string& message);
  void end(std::string problem);

  ChildProcess child_;
  const std::string folder_;  // for what it writes; it is removed with this object
  State state_;
};

}  // namespace ravel
