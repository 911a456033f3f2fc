// The C library's own function behind one that the runtime takes the place of.

#pragma once

#include <dlfcn.h>

#include "base/check.h"

namespace ravel::threads {

template <class Function>
Function next_function(Function& found, const char* name) {
  if (found == nullptr) [[unlikely]]
    found = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
  CHECK_MESSAGE(found != nullptr, name);
  return found;
}

}  // namespace ravel::threads

// Found once.
#define RAVEL_NEXT(name)                                \
  [] {                                                  \
    static constinit decltype(&::name) found = nullptr; \
    return ravel::threads::next_function(found, #name); \
  }()
