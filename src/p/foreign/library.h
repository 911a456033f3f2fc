// A shared library of foreign functions and types.
#pragma once

#include <ravel/p_foreign_abi.h>

#include <cstdint>
#include <string>

#include "base/result.h"

namespace ravel::p {

struct ForeignLibrary {
  std::string file;  // as it was named
  std::uint64_t checksum = 0;
  const ravel_p_foreign* table = nullptr;
};

// The library stays loaded until the process ends. The error says what is wrong with the file: it is not
// there, is no library, has no functions for P, or is of another version.
Result<ForeignLibrary> load_foreign_library(const std::string& file);

}  // namespace ravel::p
