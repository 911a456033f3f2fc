// What the processes of a program under test read: each process, and in it each execution, from the
// beginning.
//
// A file is opened again for each process. What comes through a pipe is kept in memory first, if the program
// asks for its standard input by name; else nobody need wait for the end of the pipe. A terminal is not read.

#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

namespace ravel::threads {

class StandardInput {
 public:
  StandardInput() = default;
  ~StandardInput();
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;

  // Reads what has to be kept of this process's own input; `reads_input`: whether the program names its
  // standard input. REQUIRES: called before a process is made.
  void keep(bool reads_input);
  // In the new process: its descriptor 0.
  void give() const;

  // From now on programs read this, whatever the command was given.
  void set(std::string_view bytes);
  // All bytes that programs read; empty, too, if there is nothing to be read. Valid until the input is set,
  // or bytes() is called again.
  std::string_view bytes();
  // A file with the same bytes for each program that opens it, as long as this object lives and the input is
  // not set again. REQUIRES: it was set.
  std::string file() const;

 private:
  struct Input {
    int file = 0;  // 0 is this process's own input
    off_t start = 0;
  };
  void unmap();

  std::optional<Input> input_;  // none: there is nothing to read
  void* mapped_ = nullptr;
  std::size_t mapped_size_ = 0;
};

}  // namespace ravel::threads
