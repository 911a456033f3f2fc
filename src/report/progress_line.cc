#include "report/progress_line.h"

#include <fmt/format.h>

#include <algorithm>

#include <cmath>

#include "report/text.h"

namespace ravel {

namespace {

constexpr double kSecondsBetweenDrawings = 0.2;

// An estimate is not worth more than two digits.
std::string rounded(double number) {
  if (number >= 1e15) return fmt::format("{:.1e}", number);
  double unit = 1;
  while (number / unit >= 100) unit *= 10;
  return grouped(static_cast<std::uint64_t>(std::round(number / unit) * unit));
}

}  // namespace

ProgressLine::ProgressLine(std::FILE* stream)
    : ProgressLine(stream, is_terminal(stream) ? Mode::kDrawn : Mode::kSilent) {}

bool ProgressLine::is_due(double seconds) {
  if (mode_ == Mode::kSilent || seconds < next_drawing_) return false;
  next_drawing_ = seconds + kSecondsBetweenDrawings;
  return true;
}

void ProgressLine::draw(const std::string& line) {
  fmt::print(stream_, "\r{}\033[K", line);
  std::fflush(stream_);
  drawn_ = true;
}

void ProgressLine::on_text(const std::string& text, double seconds) {
  if (is_due(seconds)) draw(text + ", " + duration(seconds));
}

void ProgressLine::on_progress(const Counts& counts) {
  if (!is_due(counts.seconds)) return;
  std::string line = label_.empty() ? "" : label_ + ": ";
  const bool is_estimated =
      counts.executions_estimate && *counts.executions_estimate > static_cast<double>(counts.executions);
  if (counts.states)
    line += fmt::format("{}, {}, depth {}", counted(counts.states->states, "state"),
                        counted(counts.states->transitions, "transition"), grouped(counts.states->depth));
  else
    line += is_estimated ? fmt::format("{} of about {} executions", grouped(counts.executions),
                                       rounded(*counts.executions_estimate))
                         : counted(counts.executions, "execution");
  const auto bound =
      std::ranges::find_if(counts.coverage.bounds, [](const Bound& one) { return one.current.has_value(); });
  if (bound != counts.coverage.bounds.end()) line += fmt::format(", bound {}", *bound->current);
  line +=
      fmt::format(", {} events/s",
                  grouped(static_cast<std::uint64_t>(static_cast<double>(counts.events) / counts.seconds)));
  if (counts.bugs > 0) line += ", " + counted(counts.bugs, "bug");
  line += ", " + duration(counts.seconds);
  if (is_estimated && counts.executions > 0)
    line += fmt::format(", about {} left",
                        duration(counts.seconds *
                                 (*counts.executions_estimate / static_cast<double>(counts.executions) - 1)));
  draw(line);
}

void ProgressLine::erase() {
  if (!drawn_) return;
  std::fputs("\r\033[K", stream_);
  std::fflush(stream_);
  drawn_ = false;
}

}  // namespace ravel
