#include "p/source/diagnostics.h"

#include <algorithm>
#include <utility>

namespace ravel::p {

void Diagnostics::error(Place place, std::string sentence) {
  ++errors_;
  found_.push_back({place, Severity::kError, std::move(sentence)});
}

void Diagnostics::warning(Place place, std::string sentence) {
  found_.push_back({place, Severity::kWarning, std::move(sentence)});
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  std::vector<Diagnostic> result = found_;
  std::stable_sort(result.begin(), result.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return a.place != b.place ? a.place < b.place : a.severity < b.severity;
  });
  const auto same_place = [](const Diagnostic& a, const Diagnostic& b) {
    return a.place == b.place && (a.severity == Severity::kError || a.sentence == b.sentence);
  };
  result.erase(std::unique(result.begin(), result.end(), same_place), result.end());
  return result;
}

std::string to_string(const Diagnostic& diagnostic, const Sources& sources) {
  return sources.describe(diagnostic.place) +
         (diagnostic.severity == Severity::kWarning ? ": warning: " : ": ") + diagnostic.sentence;
}

std::string to_string(const Diagnostics& diagnostics, const Sources& sources, std::size_t count_max) {
  const std::vector<Diagnostic> sorted = diagnostics.sorted();
  std::string text;
  for (std::size_t i = 0; i < sorted.size() && i < count_max; ++i)
    text += to_string(sorted[i], sources) + "\n";
  if (sorted.size() > count_max) text += "(" + std::to_string(sorted.size() - count_max) + " more)\n";
  return text;
}

}  // namespace ravel::p
