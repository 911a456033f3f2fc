// Failures of test frameworks as bugs (frameworks/test_framework.h): what they print tells them.

#pragma once

namespace ravel::threads {

// REQUIRES: called once, before the program runs.
void tell_failures_of_frameworks();

}  // namespace ravel::threads
