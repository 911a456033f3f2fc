#include "threads/remote/debugger.h"

#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace ravel::threads {

namespace {

// Where the execution fails the innermost frame of the user's code is selected.
constexpr const char kSelectFrame[] = R"py(python exec("""
def ravel_select_frame(event):
    frame = gdb.newest_frame()
    if isinstance(event, gdb.BreakpointEvent):
        if all(point.location != 'ravel_failing_point' for point in event.breakpoints): return
    elif gdb.selected_inferior().read_memory(frame.pc() - 1, 1)[0] != bytes([0xcc]): return
    while frame is not None:
        symtab = frame.find_sal().symtab
        if symtab is not None and not symtab.filename.startswith('/usr/') and \
                'libravel_threads' not in symtab.objfile.filename:
            frame.select()
            gdb.execute('frame')
            return
        frame = frame.older()
gdb.events.stop.connect(ravel_select_frame)""")
)py";

bool is_in_path(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((folder + "/" + name).c_str(), X_OK) == 0) return true;
  return false;
}

}  // namespace

Result<std::vector<std::string>> debugger_command(const std::string& input) {
  if (!is_in_path("gdb")) return Error{"--gdb: gdb is not installed (apt install gdb)."};
  std::vector<std::string> command = {"gdb", "-q"};
  const std::string wrapper = "set exec-wrapper sh -c 'exec \"$0\" \"$@\" < " + input + "'";
  const char* const lines[] = {
      "set confirm off",
      "set breakpoint pending on",
      "set print thread-events off",
      // First writes to watched pages are faults, which the runtime handles. Google Test's trap after a
      // failure stops gdb by itself.
      "handle SIGSEGV nostop noprint pass",
      // gdb sets these for the program, which had others when the bug was found.
      "unset environment LINES",
      "unset environment COLUMNS",
      "break ravel_failing_point",
      kSelectFrame,
      // What gdb reads is not for the program.
      wrapper.c_str(),
      "run",
  };
  for (const char* const line : lines) command.insert(command.end(), {"-ex", line});
  command.emplace_back("--args");
  return command;
}

}  // namespace ravel::threads
