// Several tests at a glance: one line each, then one sentence.

#pragma once

#include <span>
#include <string>

#include "report/check_report.h"
#include "report/text.h"

namespace ravel {

//   test                     verdict     schedules  preemptions      time
//   m:start_test             pass                3          all    0.00 s
//   m:two_clients_test       1 bug              12            1    0.02 s
//   m:long_test              incomplete    812,044            2      60 s
//
// The fourth column says up to how many preemptions all schedules were tried; "-": none can be named.
std::string describe_tests(std::span<const TestReport> tested, Colour colour);

}  // namespace ravel
