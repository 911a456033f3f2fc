// What include/ravel.h calls: choices of the test, assertions with a text, what threads show of themselves,
// and what they tell an explorer.

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "threads/runtime/export.h"
#include "threads/runtime/scheduler.h"

namespace ravel::threads {

namespace {

// As of ravel:choose/1. More are hardly ever meant, and each is a transition of its own.
constexpr int kWaysMax = 1000;

// A step of its own, with which every other one commutes. Before main() nobody hears of it.
void show(OperationKind kind, const char* text, long value, const void* place) {
  if (current == nullptr) return;
  Scheduler& s = scheduler();
  s.visible({.kind = kind, .pc = reinterpret_cast<std::uint64_t>(place) - 1});
  // Who shows something again and again while it waits for others does wait.
  s.fairness().note_nothing();
  if (!s.recording().is_on()) return;
  s.recording().record().text = text;
  s.recording().record().result = value;
}

}  // namespace

RAVEL_EXPORT int ravel_take_choice(int n, const void* place) noexcept {
  const std::uint64_t pc = reinterpret_cast<std::uint64_t>(place) - 1;
  Scheduler& s = scheduler();
  if (current == nullptr) s.refuse("ravel_choose: no schedule can say which way it goes there", pc);
  if (n < 1 || n > kWaysMax)
    s.fail({.kind = "misuse",
            .message = fmt::format("chooses one of {} in $F{:x};: there have to be 1 to {}", n, pc, kWaysMax),
            .stack = s.recording().stack_of(pc)});
  const std::uint32_t way =
      s.visible({.kind = OperationKind::kChoice, .size = static_cast<std::uint32_t>(n), .pc = pc});
  // Who chooses again and again while it waits for others does wait.
  s.fairness().note_nothing();
  if (s.recording().is_on()) s.recording().record().result = static_cast<std::int64_t>(way) + 1;
  return static_cast<int>(way) + 1;
}

RAVEL_EXPORT void ravel_show_probe(const char* name, long value, const void* place) noexcept {
  show(OperationKind::kProbe, name, value, place);
}
RAVEL_EXPORT void ravel_pass_label(const char* text, const void* place) noexcept {
  static constexpr std::string_view kProgress = "progress";
  if (text == kProgress) scheduler().discoveries().note_progress();
  show(OperationKind::kLabel, text, 0, place);
}

// No operation.
RAVEL_EXPORT void ravel_tell_explorer(const char* text) noexcept {
  if (current != nullptr) scheduler().tell_explorer(text == nullptr ? "" : text);
}

RAVEL_EXPORT void ravel_fail_assertion(const char* text, const char* file, unsigned line,
                                       const char* function) noexcept {
  Scheduler& s = scheduler();
  // As in __assert_fail(): formatting would take its time.
  std::string message = "assertion '";
  message.append(text).append("' failed in ").append(function);
  s.fail({.kind = "assertion",
          .message = std::move(message),
          .file = file,
          .line = line,
          .stack = s.recording().stack_of(RAVEL_CALLER)});
}

}  // namespace ravel::threads
