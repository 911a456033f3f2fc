// What is wrong with a program, or odd about it: a place and a sentence each.
//
// Whoever finds a fault reports it and goes on, so that a user sees several at once; what follows from a
// fault that was reported is not reported again (a type that could not be found is the type of an error,
// which fits everywhere). At one place only the first error is kept.

#pragma once

#include <string>
#include <vector>

#include "p/source/sources.h"

namespace ravel::p {

enum class Severity { kError, kWarning };

struct Diagnostic {
  Place place;
  Severity severity = Severity::kError;
  std::string sentence;
};

class Diagnostics {
 public:
  void error(Place place, std::string sentence);
  void warning(Place place, std::string sentence);

  bool has_errors() const { return errors_ > 0; }
  std::size_t errors() const { return errors_; }
  // In the order of the files, and of the text.
  std::vector<Diagnostic> sorted() const;

 private:
  std::vector<Diagnostic> found_;
  std::size_t errors_ = 0;
};

// "file:line:column: sentence"; a warning says that it is one.
std::string to_string(const Diagnostic& diagnostic, const Sources& sources);
// One line each. At most `count_max`, and then how many more there are.
std::string to_string(const Diagnostics& diagnostics, const Sources& sources, std::size_t count_max = 50);

}  // namespace ravel::p
