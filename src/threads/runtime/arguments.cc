#include "threads/runtime/arguments.h"

#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "base/check.h"
#include "threads/runtime/layout.h"
#include "threads/runtime/mappings.h"
#include "threads/runtime/scheduler.h"

namespace ravel::threads {

namespace {

std::size_t count_of(char** strings) {
  std::size_t count = 0;
  while (strings[count] != nullptr) ++count;
  return count;
}

std::size_t bytes_of(char** strings) {
  std::size_t bytes = 0;
  for (; *strings != nullptr; ++strings) bytes += std::strlen(*strings) + 1;
  return bytes;
}

// The pointers to `pointers`, the strings to `text`, which is moved after them.
char** copy_strings(char** strings, char** pointers, char*& text) {
  char** next = pointers;
  for (; *strings != nullptr; ++strings) {
    *next++ = text;
    text = stpcpy(text, *strings) + 1;
  }
  *next = nullptr;
  return pointers;
}

}  // namespace

std::pair<std::uint64_t, std::uint64_t> move_arguments(MainFunction& main) {
  const std::size_t arguments = count_of(main.argv), variables = count_of(main.environment);
  // After the environment lies the auxiliary vector, which some programs walk on to.
  const auto* const auxiliary = reinterpret_cast<const Elf64_auxv_t*>(main.environment + variables + 1);
  std::size_t entries = 1;
  while (auxiliary[entries - 1].a_type != AT_NULL) ++entries;
  const std::size_t pointers = arguments + 1 + variables + 1;
  const std::size_t head = pointers * sizeof(char*) + entries * sizeof(Elf64_auxv_t);
  const std::size_t size =
      (head + bytes_of(main.argv) + bytes_of(main.environment) + kPageSize - 1) & ~(kPageSize - 1);
  void* const place = map_memory(reinterpret_cast<void*>(kArgumentsBase), size, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  CHECK_MESSAGE(place == reinterpret_cast<void*>(kArgumentsBase),
                "there is no memory for the program's arguments");
  auto* const first = static_cast<char**>(place);
  char* text = static_cast<char*>(place) + head;
  main.argv = copy_strings(main.argv, first, text);
  main.environment = copy_strings(main.environment, first + arguments + 1, text);
  std::memcpy(first + pointers, auxiliary, entries * sizeof(Elf64_auxv_t));
  environ = main.environment;
  return {kArgumentsBase, kArgumentsBase + size};
}

}  // namespace ravel::threads
