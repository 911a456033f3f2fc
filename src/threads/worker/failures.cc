#include "threads/worker/failures.h"

#include <optional>
#include <string>

#include "threads/frameworks/test_framework.h"
#include "threads/runtime/report_reader.h"
#include "threads/runtime/scheduler.h"
#include "threads/runtime/signals.h"
#include "threads/worker/output.h"

namespace ravel::threads {

namespace {

// The failure that was printed last and is not told yet; nothing if the trap is after one that the program
// expects.
std::optional<RawBug> take_trapped_failure() {
  return find_framework(TestKind::kGoogleTest)->find_failure(take_new_output());
}

class FrameworkReports final : public ReportReader {
 public:
  void begin_execution() override { note_beginning_of_execution(); }
  std::optional<RawBug> failure() override { return framework().find_failure(output_of_execution()); }
  std::string missing_test() override {
    if (framework().has_run_test == nullptr || framework().has_run_test(output_of_execution())) return {};
    return "the program ended before " + std::string(framework().name) +
           " said that the test has run: a test called exit(), or the program's main() does not do what it "
           "is asked to";
  }

 private:
  static const TestFramework& framework() { return *find_framework(scheduler().configuration().kind); }
};

}  // namespace

void tell_failures_of_frameworks() {
  catch_faults(take_trapped_failure);
  static FrameworkReports reports;
  scheduler().ending().set_report_reader(&reports);
}

}  // namespace ravel::threads
