#include "threads/runtime/failing_point.h"

namespace ravel::threads {

// The body keeps calls from being left out.
[[gnu::noinline]] void ravel_failing_point() { __asm__ volatile("" : : : "memory"); }

}  // namespace ravel::threads
