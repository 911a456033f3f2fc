// The program ravel.
#include <exception>
#include <string>

#include "cli/command_line.h"
#include "cli/front_ends.h"
#include "host/messages.h"

int main(int argc, char** argv) {
  try {
    return ravel::run_command_line(ravel::front_ends(), argc, argv);
  } catch (const std::exception& problem) {
    // No memory, or a file system that fails where it never should.
    return ravel::complain(std::string("cannot go on: ") + problem.what());
  }
}
