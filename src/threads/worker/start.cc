// How a program under test comes to life: instead of main() the C library calls us.
//
// With a socket in the environment the program is driven by the command; without one it runs once, under the
// schedule that switches only where it has to.

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "base/check.h"
#include "engine/recording.h"
#include "threads/protocol/system_call.h"
#include "threads/protocol/wire.h"
#include "threads/runtime/constructors.h"
#include "threads/runtime/descriptors.h"
#include "threads/runtime/export.h"
#include "threads/runtime/overlay.h"
#include "threads/runtime/real.h"
#include "threads/runtime/scheduler.h"
#include "threads/runtime/signals.h"
#include "threads/runtime/test_hooks.h"
#include "threads/runtime/threads_system.h"
#include "threads/runtime/watchdog.h"
#include "threads/worker/failures.h"
#include "threads/worker/output.h"
#include "threads/worker/worker.h"

namespace ravel::threads {

namespace {

// An execution that runs by itself may be long.
constexpr std::uint64_t kEventsOfPlainRun = 1'000'000'000;
constexpr std::uint64_t kEventsOfConstructors = 1'000'000;

MainFunction main_function;

[[noreturn]] void leave_process(int status) {
  while (true) system_call(SYS_exit_group, status);
}

// Addresses are the same in every process only without randomisation.
void run_without_randomisation(char** argv, char** environment) {
  const int now = personality(0xffffffff);
  if (now == -1 || (now & ADDR_NO_RANDOMIZE) != 0) return;
  if (personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) == -1) return;
  execve("/proc/self/exe", argv, environment);
}

// One execution, under the schedule that switches only where it has to; the exit status.
int run_once(ThreadsSystem& system, const std::string& prefix) {
  Scheduler& s = scheduler();
  system.reset();
  system.run_on(std::nullopt, GoOn::kWithLast, kEventsOfPlainRun);
  real().fflush(nullptr);
  if (system.outcome() == Outcome::kFinished) return 0;
  if (system.outcome() == Outcome::kUnsupported) {
    std::fprintf(stderr, "%s%s\n", prefix.c_str(), s.ending().refusal().c_str());
    return 4;
  }
  if (system.outcome() == Outcome::kRunning) return 3;
  if (s.ending().exit_status()) return *s.ending().exit_status();
  std::fprintf(stderr, "%s%s. 'ravel check' shows where.\n", prefix.c_str(), s.ending().bug().kind.c_str());
  return 134;
}

// Executions that run the constructors of the program name its tests, too: one that ends in front of main(),
// of which nobody sees the output.
void note_tests(ThreadsSystem& system) {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  std::array<int, 2> kept{};
  for (const int file : {1, 2}) {
    kept[file - 1] = dup(file);
    dup2(nowhere, file);
  }
  scheduler().set_ends_before_main(true);
  system.reset();
  system.run_on(std::nullopt, GoOn::kWithLast, kEventsOfConstructors);
  scheduler().set_ends_before_main(false);
  real().fflush(nullptr);
  for (const int file : {1, 2}) {
    dup2(kept[file - 1], file);
    close(kept[file - 1]);
  }
  close(nowhere);
}

// The program by itself: main(), or its tests, of which its arguments may name some.
int run_plainly(ThreadsSystem& system, int argc, char** argv) {
  if (marked_tests().empty()) return run_once(system, "");
  std::vector<std::string> wanted(argv + 1, argv + argc);
  for (const std::string& name : wanted) {
    if (find_marked_test(name) != nullptr) continue;
    std::fprintf(stderr, "There is no test '%s'. 'ravel tests' lists them.\n", name.c_str());
    return 2;
  }
  if (wanted.empty())
    for (const MarkedTest& test : marked_tests()) wanted.emplace_back(test.name);
  int status = 0;
  for (const std::string& name : wanted) {
    std::printf("%s\n", name.c_str());
    real().fflush(nullptr);
    Configuration configuration = scheduler().configuration();
    configuration.test = name;
    scheduler().configure(configuration);
    const int done = run_once(system, name + ": ");
    if (status == 0) status = done;
  }
  return status;
}

int run_instead(int argc, char** argv, char** environment) {
  in_program = false;
  find_real_functions();
  const char* const descriptor = getenv(kSocketVariable);
  const int socket = descriptor == nullptr ? -1 : atoi(descriptor);
  if (socket >= 0) {
    unsetenv(kSocketVariable);
    unsetenv("LD_BIND_NOW");
    if (const char* const folder = getenv(kFilesVariable)) overlay().set_folder(folder);
    unsetenv(kFilesVariable);
    keep_descriptor(socket);
  }
  main_function.argc = argc;
  main_function.argv = argv;
  main_function.environment = environment;
  tell_failures_of_frameworks();
  if (auto* const flag = static_cast<char*>(dlsym(RTLD_DEFAULT, "__libc_single_threaded"))) *flag = 0;
  if (socket >= 0) {
    prepare_files();
    start_watchdog();
  }
  scheduler().take_over(main_function);
  ThreadsSystem system(scheduler());
  if (executions_run_constructors()) note_tests(system);
  leave_process(socket >= 0 ? serve(socket) : run_plainly(system, argc, argv));
}

}  // namespace

RAVEL_EXPORT_PLAIN int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv,
                                         void (*init)(), void (*fini)(), void (*loader_fini)(),
                                         void* stack_end) {
  using Start = int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  main_function.function = main;
  in_program = false;
  run_without_randomisation(argv, environ);
  const auto start = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  const auto init_now = before_main(init, argv);
  in_program = true;
  return start(run_instead, argc, argv, init_now, fini, loader_fini, stack_end);
}

}  // namespace ravel::threads
