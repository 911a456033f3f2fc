// How an execution ends: by itself, with a bug, or because it does what is refused. And what the output of a
// test framework says of its test, if the program has one whose output tells failures.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/system.h"
#include "threads/protocol/messages.h"
#include "threads/protocol/operation.h"

namespace ravel::threads {

class ReportReader;

class Ending {
 public:
  void configure(const Configuration& configuration);
  void begin_execution();

  Outcome outcome() const { return outcome_; }
  const RawBug& bug() const { return bug_; }
  // If the bug is that the program ends with it.
  std::optional<int> exit_status() const { return exit_status_; }
  const std::string& refusal() const { return refusal_; }

  void finish() { outcome_ = Outcome::kFinished; }
  void set_exit_status(int status) { exit_status_ = status; }
  // The program has this bug, unless its test framework has told of a failure before. `actor` is whose it is
  // if the bug does not say it.
  void end_with(RawBug& bug, std::uint32_t actor = ~0u);
  // The running thread does what is refused, at `pc`.
  void refuse(std::string& what, std::uint64_t pc);

  // Asked if the configuration's kind of test is one of a framework whose output tells failures.
  void set_report_reader(ReportReader* reader) { report_reader_ = reader; }
  // Whether the output tells failures.
  bool reads_reports() const { return reads_reports_; }
  // The running thread is about to write to a stream, at `pc`: a failure that it has told before is its own.
  void note_printing(std::uint64_t pc, bool is_recorded) {
    if (reads_reports_ && is_recorded && !failed_) look_for_failure(pc);
  }
  // Why the framework can't be believed when it says that all is well; empty: it has run the test, in this
  // execution or in one before.
  std::string missing_test();

 private:
  void tell_failure_instead(RawBug& bug);
  void look_for_failure(std::uint64_t pc);

  Outcome outcome_ = Outcome::kRunning;
  RawBug bug_;
  std::string refusal_;
  std::optional<int> exit_status_;
  ReportReader* report_reader_ = nullptr;
  bool reads_reports_ = false;
  bool notes_output_ = false;  // where that of an execution begins
  struct Failed {
    std::uint32_t actor = ~0u;
    std::vector<std::uint64_t> stack;
  };
  std::optional<Failed> failed_;     // actor that told this execution's first failure, if that is recorded
  bool has_missed_no_test_ = false;  // an execution since configure() has said that it ran its test
};

}  // namespace ravel::threads
