// How a program ends, and what would leave the process.

#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>

#include "threads/protocol/system_call.h"
#include "threads/runtime/check_failed.h"
#include "threads/runtime/export.h"
#include "threads/runtime/misuse.h"
#include "threads/runtime/scheduler.h"

namespace ravel::threads {

namespace {

// The type of the exception that is being handled, by the program's C++ library; empty if there is none.
std::string current_exception_type() {
  using Function = std::type_info* (*)();
  const auto find = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, "__cxa_current_exception_type"));
  const std::type_info* const type = find == nullptr ? nullptr : find();
  if (type == nullptr) return {};
  int status = 0;
  char* const readable = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
  return readable == nullptr ? type->name() : readable;
}

// Whether the C++ library calls, which does so in std::terminate().
bool is_called_by_terminate(std::uint64_t pc) {
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(pc), &info) == 0 || info.dli_fname == nullptr) return false;
  return std::string_view(info.dli_fname).find("libstdc++") != std::string_view::npos ||
         std::string_view(info.dli_fname).find("libc++") != std::string_view::npos;
}

[[noreturn]] void leave_process(int status) {
  while (true) system_call(SYS_exit_group, status);
}

[[noreturn]] void end_by_abort(std::uint64_t pc) {
  Scheduler& s = scheduler();
  if (current == nullptr) {
    system_call(SYS_kill, getpid(), SIGABRT);
    leave_process(134);
  }
  RawBug bug{.kind = "abort",
             .message = fmt::format("abort() is called in $F{:x};", pc),
             .stack = s.recording().stack_of(pc)};
  if (is_called_by_terminate(pc)) {
    const std::string type = current_exception_type();
    bug.kind = type.empty() ? "terminate" : "uncaught_exception";
    bug.message = type.empty() ? "std::terminate() is called" : "uncaught exception of type " + type;
  }
  s.fail(std::move(bug));
}

}  // namespace

RAVEL_EXPORT void abort() noexcept { end_by_abort(RAVEL_CALLER); }

RAVEL_EXPORT void __assert_fail(const char* expression, const char* file, unsigned line,
                                const char* function) noexcept {
  Scheduler& s = scheduler();
  if (current == nullptr)
    refuse_to_start(("before main(): assertion " + std::string(expression) + " failed").c_str());
  // Where most executions fail, formatting would be a good part of their time.
  std::string message = "assertion ";
  message.append(expression).append(" failed in ").append(function == nullptr ? "?" : function);
  s.fail({.kind = "assertion",
          .message = std::move(message),
          .file = file,
          .line = line,
          .stack = s.recording().stack_of(RAVEL_CALLER)});
}

RAVEL_EXPORT void exit(int status) noexcept {
  if (current == nullptr) leave_process(status);
  scheduler().end_process(status, RAVEL_CALLER);
}
RAVEL_EXPORT void quick_exit(int status) noexcept {
  if (current == nullptr) leave_process(status);
  scheduler().end_process_now(status, RAVEL_CALLER);
}

RAVEL_EXPORT void _exit(int status) {
  if (current == nullptr) leave_process(status);
  scheduler().visible({.kind = OperationKind::kExit, .pc = RAVEL_CALLER});
  scheduler().end_process_now(status, RAVEL_CALLER);
}
RAVEL_EXPORT void _Exit(int status) noexcept { _exit(status); }

RAVEL_EXPORT pid_t fork() noexcept {
  refuse_call("fork", "a second process is not under control", RAVEL_CALLER);
}
RAVEL_EXPORT pid_t vfork() noexcept {
  refuse_call("vfork", "a second process is not under control", RAVEL_CALLER);
}
RAVEL_EXPORT int clone(int (*)(void*), void*, int, void*, ...) noexcept {
  refuse_call("clone", "a process or thread that is made so is not under control", RAVEL_CALLER);
}
RAVEL_EXPORT int posix_spawn(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,
                             char* const[], char* const[]) {
  refuse_call("posix_spawn", "a second process is not under control", RAVEL_CALLER);
}
RAVEL_EXPORT int posix_spawnp(pid_t*, const char*, const posix_spawn_file_actions_t*,
                              const posix_spawnattr_t*, char* const[], char* const[]) {
  refuse_call("posix_spawnp", "a second process is not under control", RAVEL_CALLER);
}
RAVEL_EXPORT int system(const char*) {
  refuse_call("system", "a second process is not under control", RAVEL_CALLER);
}
RAVEL_EXPORT FILE* popen(const char*, const char*) {
  refuse_call("popen", "a second process is not under control", RAVEL_CALLER);
}

}  // namespace ravel::threads
