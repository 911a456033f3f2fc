#include "threads/runtime/constructors.h"

#include <link.h>
#include <stdlib.h>
#include <unistd.h>

#include <utility>
#include <vector>

#include "threads/runtime/scheduler.h"

namespace ravel::threads {

namespace {

// In the environment of a program that was started once more.
constexpr const char kVariable[] = "RAVEL_RUNS_CONSTRUCTORS";

using Constructor = void (*)(int, char**, char**);

struct Start {
  char** argv = nullptr;
  // The initializer that the program brings along, as programs linked before version 2.34 of the C library do
  Initializer init = nullptr;
  std::vector<Constructor> constructors;
  bool is_second = false;
};

Start& start() {
  static auto* const the_start = new Start;  // used before this library's own constructors, perhaps
  return *the_start;
}

// Lists the constructors of the program itself, which comes first: those of its libraries have run by now.
int list_constructors(dl_phdr_info* info, std::size_t, void*) {
  const ElfW(Dyn)* entry = nullptr;
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
      entry = reinterpret_cast<const ElfW(Dyn)*>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  const Constructor* array = nullptr;
  std::size_t count = 0;
  for (; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_INIT)
      start().constructors.push_back(reinterpret_cast<Constructor>(info->dlpi_addr + entry->d_un.d_ptr));
    if (entry->d_tag == DT_INIT_ARRAY)
      array = reinterpret_cast<const Constructor*>(info->dlpi_addr + entry->d_un.d_ptr);
    if (entry->d_tag == DT_INIT_ARRAYSZ) count = entry->d_un.d_val / sizeof(Constructor);
  }
  if (array != nullptr) start().constructors.insert(start().constructors.end(), array, array + count);
  return 1;
}

}  // namespace

Initializer before_main(Initializer init, char** argv) {
  start().argv = argv;
  start().init = init;
  if (getenv(kVariable) == nullptr) return init;
  unsetenv(kVariable);
  start().is_second = true;
  dl_iterate_phdr(list_constructors, nullptr);
  return [] {};
}

bool executions_run_constructors() { return start().is_second; }

void run_constructors(int argc, char** argv, char** environment) {
  if (start().init != nullptr) return start().init();
  for (const Constructor constructor : start().constructors) constructor(argc, argv, environment);
}

void leave_constructors_to_executions() {
  const bool loads_libraries = start().argv == nullptr;
  if (loads_libraries || start().is_second) return;
  in_program = false;
  setenv(kVariable, "1", 1);
  execve("/proc/self/exe", start().argv, environ);
  unsetenv(kVariable);
}

}  // namespace ravel::threads
