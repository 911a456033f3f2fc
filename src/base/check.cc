#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace ravel {

void check_failed(const char* expression, const char* file, int line, const char* message) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s:%d: internal error: CHECK(%s) failed%s%s\n", file, line, expression,
               message == nullptr ? "" : ": ", message == nullptr ? "" : message);
  std::abort();
}

}  // namespace ravel
