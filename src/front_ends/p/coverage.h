// Which parts of a test's machines a search has come to, for reports.
#pragma once

#include "p/program/program.h"
#include "p/program/timers.h"
#include "p/system/use_of_program.h"
#include "report/program_coverage.h"

namespace ravel::p {

// Of the machines, specs and scenarios of the test: each state, each `on` of a state, and each event that
// one of them reacts to; without what `timers`, which fire by themselves, would send themselves.
ProgramCoverage coverage_of(const Program& program, const TestCase& test, const UseOfProgram& use,
                            const Timers& timers);

}  // namespace ravel::p
