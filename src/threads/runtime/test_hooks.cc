#include "threads/runtime/test_hooks.h"

#include <algorithm>
#include <utility>

#include "threads/runtime/export.h"
#include "threads/runtime/scheduler.h"

namespace ravel::threads {

namespace {

// Made at its first use, which may be before the constructors of this library have run; never destroyed.
std::vector<MarkedTest>* list = nullptr;

std::vector<MarkedTest>& tests() {
  if (list == nullptr) list = new std::vector<MarkedTest>;
  return *list;
}

}  // namespace

const std::vector<MarkedTest>& marked_tests() { return tests(); }

const MarkedTest* find_marked_test(std::string_view name) {
  const auto found = std::ranges::find(tests(), name, &MarkedTest::name);
  return found == tests().end() ? nullptr : &*found;
}

RAVEL_EXPORT void ravel_note_test(const char* name, const char* file, unsigned line,
                                  void (*function)()) noexcept {
  // Each execution may run the constructors.
  if (std::ranges::count(tests(), function, &MarkedTest::function) > 0) return;
  // The list is the runtime's memory, not the program's.
  const bool was_in_program = std::exchange(in_program, false);
  tests().push_back({.name = name, .file = file, .line = line, .function = function});
  in_program = was_in_program;
}

}  // namespace ravel::threads
