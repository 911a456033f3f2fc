#include "threads/worker/output.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#include "base/check.h"
#include "threads/protocol/system_call.h"
#include "threads/runtime/check_failed.h"
#include "threads/runtime/descriptors.h"

namespace ravel::threads {

namespace {

constexpr std::uint64_t kLongOutput = 1 << 20;

int output = -1;
std::uint64_t taken = 0;  // by take_new_output()
std::uint64_t begun = 0;  // where the output of this execution begins

std::uint64_t output_size() {
  struct stat status {};
  return output < 0 || fstat(output, &status) != 0 ? 0 : static_cast<std::uint64_t>(status.st_size);
}

std::string read_from(std::uint64_t from) {
  std::string text;
  const std::uint64_t size = output_size();
  if (size <= from) return text;
  text.resize(size - from);
  const long done = system_call(SYS_pread64, output, reinterpret_cast<long>(text.data()),
                                static_cast<long>(text.size()), static_cast<long>(from));
  text.resize(done < 0 ? 0 : static_cast<std::size_t>(done));
  return text;
}

void empty_output() {
  system_call(SYS_ftruncate, output, 0);
  system_call(SYS_lseek, output, 0, SEEK_SET);
  taken = begun = 0;
}

}  // namespace

void prepare_files() {
  keep_standard_error();
  output = memfd_create("output", MFD_CLOEXEC);
  CHECK(output >= 0 && dup2(output, 1) == 1 && dup2(output, 2) == 2);
  keep_descriptor(output);
}

void rewind_files() { empty_output(); }

bool separate_files() {
  const int own = memfd_create("output", MFD_CLOEXEC);
  if (own < 0) return false;
  const bool is_done = separate_descriptors(output, own);
  close(own);
  taken = begun = 0;
  return is_done;
}

std::string read_output() { return read_from(0); }

std::string take_new_output() {
  std::string text = read_from(taken);
  taken += text.size();
  return text;
}

void note_beginning_of_execution() { begun = output_size(); }
std::string output_of_execution() { return read_from(begun); }

void drop_long_output() {
  if (output_size() >= kLongOutput) empty_output();
}

}  // namespace ravel::threads
