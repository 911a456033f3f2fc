// What the test framework of the program says of its test, in what it prints.

#pragma once

#include <optional>
#include <string>

#include "threads/protocol/operation.h"

namespace ravel::threads {

class ReportReader {
 public:
  virtual ~ReportReader() = default;
  virtual void begin_execution() = 0;
  // The first failure that this execution has told so far.
  virtual std::optional<RawBug> failure() = 0;
  // Why the framework can't be believed when it says that all is well; empty: it has run the test.
  virtual std::string missing_test() = 0;
};

}  // namespace ravel::threads
