#include "engine/inspecting.h"

#include <utility>

#include "base/check.h"

namespace ravel {

std::string_view word_of(StateKind kind) {
  switch (kind) {
    case StateKind::kWaits: return "waits";
    case StateKind::kStack: return "stack";
    case StateKind::kMailbox: return "mailbox";
    case StateKind::kState: return "state";
    case StateKind::kFields: return "fields";
    case StateKind::kDictionary: return "dictionary";
    case StateKind::kLinks: return "links";
    case StateKind::kLocks: return "locks";
    case StateKind::kVariables: return "variables";
  }
  CHECK(false);
}

std::string to_string(const StateLine& line) {
  return line.file.empty() ? line.text : line.text + " at " + line.file + ":" + std::to_string(line.line);
}

std::string cut_text(std::string text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  const auto continues = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  std::size_t end = bytes_max;
  while (end > 0 && continues(end)) --end;
  text.resize(end);
  return text + "…";
}

void PartLines::add(StateLine line) {
  if (lines_.size() + 1 < kInspectedLinesMax) {
    lines_.push_back(std::move(line));
  } else {
    ++left_out_;
  }
}

std::vector<StateLine> PartLines::take() {
  if (left_out_ > 0) lines_.push_back({.text = "… and " + std::to_string(left_out_) + " more"});
  left_out_ = 0;
  return std::exchange(lines_, {});
}

}  // namespace ravel
