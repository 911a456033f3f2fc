// What a copy of this process writes to its standard output and standard error, in memory.
#pragma once

#include <string>

#include "base/result.h"

namespace ravel {

class CapturedOutput {
 public:
  static Result<CapturedOutput> open();
  CapturedOutput(CapturedOutput&& other) noexcept;
  CapturedOutput& operator=(CapturedOutput&&) = delete;
  ~CapturedOutput();

  // In the copy: from now on it writes there.
  void take_over() const;
  // In this process: what was written so far.
  std::string output() const { return bytes_of(output_); }
  std::string errors() const { return bytes_of(errors_); }

 private:
  CapturedOutput(int output, int errors) : output_(output), errors_(errors) {}
  static std::string bytes_of(int file);

  int output_, errors_;  // files; -1: it was moved
};

}  // namespace ravel
