// Explorers of the user's, as shared libraries: include/ravel/explorer.h is what such a library is written
// with.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "explorers/delaying_explorer.h"

namespace ravel {

// Whether the name of an explorer means a file of a shared library: one that ends by ".so".
bool names_explorer_library(const std::string& name);
// Whether it is for programs of all languages: a library, or one that everybody has; empty means the usual
// one.
bool names_general_explorer(const std::string& name);

// The explorer of the library in this file, which stays loaded until the process ends. The error says what is
// wrong with the file: it is not there, is no library, has no explorer, or has one of another version.
Result<std::unique_ptr<DelayingExplorer>> load_explorer(const std::string& file);

}  // namespace ravel
