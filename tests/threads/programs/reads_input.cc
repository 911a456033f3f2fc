// input: 3 words of input
// What a program reads is the same in every execution, whether through C, C++ or the descriptor itself; and descriptors of files have the
// same numbers, also behind executions that are given up in the middle.
//
// expect: executions=2000 pass --strategy random --budget 2000x
// expect: executions=2000 pass --strategy random --budget 2000x -- c
// expect: executions=2000 pass --strategy random --budget 2000x -- descriptor
// expect: pass --isolate --preemptions 1
// expect: bug assertion --strategy random -k --budget 3000x -- fails
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>

static std::atomic<int> turn{0};

static std::string read_all(const std::string& how) {
  if (how == "c") {
    char text[100];
    assert(std::fgets(text, sizeof text, stdin) != nullptr && std::getchar() == EOF);
    return std::string(text);
  }
  if (how == "descriptor") {
    char text[100];
    const long size = read(0, text, sizeof text);
    assert(size > 0 && lseek(0, 0, SEEK_CUR) == size);
    return std::string(text, static_cast<std::size_t>(size));
  }
  std::string text, line;
  while (std::getline(std::cin, line)) text += line + "\n";
  return text;
}

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "";
  assert(read_all(how) == "3 words of input\n");
  const int first = open("/dev/null", O_RDONLY);
  assert(first == open("/dev/zero", O_RDONLY) - 1);
  // Which descriptor it is decides what follows, so that another one would be another execution.
  if (first % 2 == 1) ++turn;
  std::ifstream stream("/dev/null");
  assert(stream.is_open());
  std::thread thread([] { ++turn; });
  ++turn;
  close(0);
  if (how == "fails") assert(turn % 2 == first % 2);
  thread.join();
  assert(dup(first) == 0);
}
