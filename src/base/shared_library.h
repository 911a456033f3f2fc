// Shared libraries of the user's, which are loaded into the command.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace ravel {

class SharedLibrary {
 public:
  // The library in this file, which stays loaded until it is closed, or the process ends. The error says what
  // is wrong with the file, without its name and without a full stop.
  static Result<SharedLibrary> open(const std::string& file);

  // The address of what it exports by that name; null: it exports no such thing.
  void* find(const char* name) const;
  // Nothing of it may be used any more.
  void close();
  // Of the file's contents.
  std::uint64_t checksum() const { return checksum_; }

 private:
  SharedLibrary(void* handle, std::uint64_t checksum) : handle_(handle), checksum_(checksum) {}

  void* handle_;
  std::uint64_t checksum_;
};

}  // namespace ravel
