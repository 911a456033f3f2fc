// Small random programs of P: machines that send each other events, which some states defer, ignore, wait
// for or do not expect; some choose, halt, create others, and tell a monitor.

#pragma once

#include <string>

#include "base/random.h"

namespace ravel::p {

std::string random_program(Random& random);
// Two of the machines also start and cancel timers, which are written as in P's tutorial.
std::string random_program_with_timers(Random& random);
// Two or three machines `Member` of one kind, and a server that knows them in sets, maps, seqs and variables,
// and never asks for an order of them.
std::string random_symmetric_program(Random& random);

}  // namespace ravel::p
