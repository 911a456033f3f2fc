// main() of a program whose own is called program_main(), by -Dmain=program_main: the test fails if the program writes to
// output.txt anything but what expected.txt holds.

#include <cassert>
#include <fstream>
#include <iterator>
#include <string>

#undef main

int program_main(int argc, char** argv);

namespace {

std::string text_of(const char* name) {
  std::ifstream file(name);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

int main(int argc, char** argv) {
  const int status = program_main(argc, argv);
  assert(!text_of("expected.txt").empty());
  assert(text_of("output.txt") == text_of("expected.txt"));
  return status;
}
