// The process that has the search: `ravel merge FOLDER --serve`, which is spoken to line by line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cluster/child.h"
#include "cluster/options.h"

namespace ravel::cluster {

class Merger {
 public:
  struct Part {
    std::string number, path;
  };
  struct Next {
    std::vector<Part> parts;  // to be run
    bool is_over = false;     // then the process tells what was found
  };

  explicit Merger(const Options& options);

  // Each: nothing, or false, if the process has ended; end() tells how.
  std::optional<std::vector<std::string>> files();
  std::optional<Next> next();
  // Why the part has to be run again, or an empty text.
  std::optional<std::string> take(const std::string& result);
  bool want(int parts);
  bool save();

  // Prints what it tells, and returns its exit status. One that is not over writes where it is.
  int end();

  std::uint64_t executions() const { return executions_; }
  std::uint64_t bugs() const { return bugs_; }

 private:
  // The lines up to "done" or "over"; the last one is among them.
  std::optional<std::vector<std::string>> ask(const std::string& line);

  Child process_;
  std::uint64_t executions_ = 0, bugs_ = 0;
};

}  // namespace ravel::cluster
