#include "threads/runtime/ending.h"

#include <utility>

#include "threads/runtime/failing_point.h"
#include "threads/runtime/report_reader.h"
#include "threads/runtime/step_recording.h"
#include "threads/runtime/thread_switch.h"

namespace ravel::threads {

void Ending::configure(const Configuration& configuration) {
  reads_reports_ = report_reader_ != nullptr && configuration.kind > TestKind::kGoogleTest;
  notes_output_ = report_reader_ != nullptr && (reads_reports_ || configuration.by_states);
  has_missed_no_test_ = false;
}

void Ending::begin_execution() {
  outcome_ = Outcome::kRunning;
  exit_status_.reset();
  failed_.reset();
  if (notes_output_) report_reader_->begin_execution();
}

// The caller may be on a stack that is never left, so nothing may stay behind in the argument: moving would
// leave it the old strings.
void Ending::end_with(RawBug& bug, std::uint32_t actor) {
  tell_failure_instead(bug);
  if (bug.actor == ~0u) bug.actor = actor;
  { const RawBug old = std::exchange(bug_, RawBug{}); }
  bug_ = std::move(bug);
  outcome_ = Outcome::kBug;
}

void Ending::refuse(std::string& what, std::uint64_t pc) {
  ravel_failing_point();
  { const std::string old = std::exchange(refusal_, std::string()); }
  refusal_ = std::move(what);
  bug_.stack = full_stack_of(pc);
  outcome_ = Outcome::kUnsupported;
}

void Ending::tell_failure_instead(RawBug& bug) {
  if (!reads_reports_) return;
  std::optional<RawBug> failure = report_reader_->failure();
  if (!failure) return;
  if (failed_) {
    failure->actor = failed_->actor;
    failure->stack = failed_->stack;
  }
  if (bug.kind != "exit_status")
    failure->details.push_back("then the test went on, and ended so: " + bug.kind + ", " + bug.message);
  bug = std::move(*failure);
}

void Ending::look_for_failure(std::uint64_t pc) {
  if (report_reader_->failure())
    failed_ = {.actor = static_cast<std::uint32_t>(current->actor), .stack = full_stack_of(pc)};
}

std::string Ending::missing_test() {
  if (!reads_reports_ || has_missed_no_test_) return {};
  std::string missing = report_reader_->missing_test();
  if (missing.empty()) has_missed_no_test_ = true;
  return missing;
}

}  // namespace ravel::threads
