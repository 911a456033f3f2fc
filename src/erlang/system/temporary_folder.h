// A folder that exists as long as this object.

#pragma once

#include <string>
#include <utility>

#include "base/result.h"

namespace ravel::erlang {

class TemporaryFolder {
 public:
  // In $TMPDIR, or /tmp.
  static Result<TemporaryFolder> make();

  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, "")) {}
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  ~TemporaryFolder();

  const std::string& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;  // empty after a move
};

}  // namespace ravel::erlang
