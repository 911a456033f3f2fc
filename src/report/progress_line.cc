#include "report/progress_line.h"

#include <fmt/format.h>

#include "report/text.h"

namespace ravel {

namespace {

constexpr double kSecondsBetweenDrawings = 0.2;

}  // namespace

ProgressLine::ProgressLine(std::FILE* stream)
    : ProgressLine(stream, is_terminal(stream) ? Mode::kDrawn : Mode::kSilent) {}

void ProgressLine::on_progress(const Counts& counts) {
  if (mode_ == Mode::kSilent || counts.seconds < next_drawing_) return;
  next_drawing_ = counts.seconds + kSecondsBetweenDrawings;
  std::string line = label_.empty() ? "" : label_ + ": ";
  line += counted(counts.executions, "execution");
  if (counts.coverage.bound_current) line += fmt::format(", bound {}", *counts.coverage.bound_current);
  line +=
      fmt::format(", {} events/s",
                  grouped(static_cast<std::uint64_t>(static_cast<double>(counts.events) / counts.seconds)));
  if (counts.bugs > 0) line += ", " + counted(counts.bugs, "bug");
  line += ", " + duration(counts.seconds);
  fmt::print(stream_, "\r{}\033[K", line);
  std::fflush(stream_);
  drawn_ = true;
}

void ProgressLine::erase() {
  if (!drawn_) return;
  std::fputs("\r\033[K", stream_);
  std::fflush(stream_);
  drawn_ = false;
}

}  // namespace ravel
