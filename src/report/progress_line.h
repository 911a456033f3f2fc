// The one line that a search rewrites on a terminal while it works.
//
// It is drawn at most five times a second and only on a terminal; everything that prints elsewhere on that
// terminal calls erase() first.

#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

#include "engine/exploration.h"

namespace ravel {

class ProgressLine final : public Listener {
 public:
  enum class Mode : std::uint8_t { kSilent, kDrawn };

  // Draws on `stream` if that is a terminal.
  explicit ProgressLine(std::FILE* stream);
  ProgressLine(std::FILE* stream, Mode mode) : stream_(stream), mode_(mode) {}
  ~ProgressLine() override { erase(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // What is searched, in front of the numbers.
  void set_label(std::string label) { label_ = std::move(label); }

  void on_progress(const Counts& counts) override;
  // Another line instead of the counts of one search, and how long that has taken.
  void on_text(const std::string& text, double seconds);
  void erase();

 private:
  std::FILE* const stream_;
  const Mode mode_;
  bool is_due(double seconds);
  void draw(const std::string& line);

  double next_drawing_ = 0.2;  // in seconds of the search; a search shorter than that draws nothing
  bool drawn_ = false;
  std::string label_;
};

}  // namespace ravel
