#include "threads/remote/launch.h"

#include <fcntl.h>
#include <gelf.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <string_view>

#include "threads/protocol/wire.h"

namespace ravel::threads {

namespace {

constexpr std::string_view kRuntimeLibrary = "libravel_threads.so";
// Symbols of which each program has one that reads its standard input by other means than its number.
constexpr std::string_view kInputSymbols[] = {
    "stdin",          "getchar", "getchar_unlocked", "getwchar", "scanf",           "__isoc99_scanf",
    "__isoc23_scanf", "wscanf",  "__isoc99_wscanf",  "vscanf",   "__isoc99_vscanf", "_ZSt3cin",
    "_ZSt4wcin",      "read"};

// The libraries that the dynamic section names.
bool needs_runtime(Elf* elf) {
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
       section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_DYNAMIC) continue;
    Elf_Data* const data = elf_getdata(section, nullptr);
    if (data == nullptr || header.sh_entsize == 0) continue;
    for (std::size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
      GElf_Dyn entry;
      if (gelf_getdyn(data, static_cast<int>(i), &entry) == nullptr || entry.d_tag != DT_NEEDED) continue;
      const char* const name = elf_strptr(elf, header.sh_link, entry.d_un.d_val);
      if (name != nullptr && std::string_view(name).ends_with(kRuntimeLibrary)) return true;
    }
  }
  return false;
}

enum class Compare : std::uint8_t { kWhole, kBeginning };

// Whether a symbol is among the program's own, or among those that it takes from libraries.
bool has_symbol(Elf* elf, std::string_view wanted, Compare compare) {
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
       section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr ||
        (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM))
      continue;
    Elf_Data* const data = elf_getdata(section, nullptr);
    if (data == nullptr || header.sh_entsize == 0) continue;
    for (std::size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
      GElf_Sym symbol;
      if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) continue;
      const char* const name = elf_strptr(elf, header.sh_link, symbol.st_name);
      if (name == nullptr) continue;
      if (compare == Compare::kWhole ? name == wanted : std::string_view(name).starts_with(wanted))
        return true;
    }
  }
  return false;
}

bool has_any_symbol(const std::string& path, std::span<const std::string_view> wanted,
                    Compare compare = Compare::kWhole) {
  elf_version(EV_CURRENT);
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  Elf* const elf = elf_begin(file, ELF_C_READ, nullptr);
  const bool found = elf != nullptr && std::ranges::any_of(wanted, [&](std::string_view symbol) {
                       return has_symbol(elf, symbol, compare);
                     });
  elf_end(elf);
  close(file);
  return found;
}

// The folder of a process, which is not there yet. No two processes of one time have the same.
std::string files_folder(pid_t process) {
  std::error_code problem;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(problem);
  return (problem ? std::string("/tmp") : folder.string()) + "/ravel-files-" + std::to_string(getuid()) +
         "-" + std::to_string(process);
}

}  // namespace

bool is_executable_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::array<char, 18> head{};
  in.read(head.data(), head.size());
  struct stat status {};
  return in.gcount() == head.size() && std::memcmp(head.data(), "\177ELF", 4) == 0 &&
         (head[16] == ET_EXEC || head[16] == ET_DYN) && stat(path.c_str(), &status) == 0 &&
         S_ISREG(status.st_mode);
}

Status check_has_runtime(const std::string& path) {
  elf_version(EV_CURRENT);
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return Error{path + ": can't be read: " + std::strerror(errno) + "."};
  Elf* const elf = elf_begin(file, ELF_C_READ, nullptr);
  const bool found = elf != nullptr && needs_runtime(elf);
  elf_end(elf);
  close(file);
  if (found) return Success{};
  return Error{path +
               ": this program was not built for Ravel. Compile and link it with ravel-c++ or ravel-cc "
               "instead of g++ or gcc."};
}

bool has_symbol_with(const std::string& path, std::string_view beginning) {
  return has_any_symbol(path, {&beginning, 1}, Compare::kBeginning);
}

bool names_standard_input(const std::string& path) { return has_any_symbol(path, kInputSymbols); }

Result<Launched> launch(const std::string& path, const std::vector<std::string>& arguments,
                        StandardInput& input, const std::vector<std::string>& environment,
                        const std::vector<std::string>& debugger) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return Error{std::string("a socket could not be made: ") + std::strerror(errno) + "."};
  if (debugger.empty()) input.keep(names_standard_input(path));
  const pid_t parent = getpid();
  const pid_t process = fork();
  if (process < 0) return Error{std::string("a process could not be made: ") + std::strerror(errno) + "."};
  const std::string files = files_folder(process > 0 ? process : getpid());
  if (process > 0) {
    close(ends[1]);
    return Launched{.process = process, .socket = ends[0], .files = files};
  }
  // An interrupt of the terminal is for the command, which tells the program; so is what timeout(1) sends to
  // all of its group.
  if (debugger.empty()) signal(SIGINT, SIG_IGN);
  if (debugger.empty()) setpgid(0, 0);
  // A program in the middle of a long execution would not notice for a long time that nobody listens any
  // more.
  if (debugger.empty()) prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  int socket = ends[1];
  personality(static_cast<unsigned long>(personality(0xffffffff)) | ADDR_NO_RANDOMIZE);
  if (debugger.empty()) {
    input.give();
    // Which other files happen to be open here would show in the numbers of those that the program opens.
    socket = 3;
    if (ends[1] != socket) dup2(ends[1], socket);
    close_range(socket + 1, ~0u, 0);
  }
  fcntl(socket, F_SETFD, 0);
  // Functions that are bound later would be bound again in every execution.
  setenv("LD_BIND_NOW", "1", 1);
  for (const std::string& variable : environment) putenv(const_cast<char*>(variable.c_str()));
  setenv(kFilesVariable, files.c_str(), 1);
  setenv(kSocketVariable, std::to_string(socket).c_str(), 1);
  std::vector<char*> argv;
  for (const std::string& word : debugger) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(const_cast<char*>(path.c_str()));
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  if (debugger.empty()) {
    execv(path.c_str(), argv.data());
  } else {
    execvp(argv.front(), argv.data());
  }
  _exit(127);
}

}  // namespace ravel::threads
