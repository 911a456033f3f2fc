#include "threads/runtime/open_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/hash.h"
#include "threads/protocol/system_call.h"
#include "threads/runtime/next_function.h"
#include "threads/runtime/program_files.h"
#include "threads/runtime/scheduler.h"
#include "threads/runtime/virtual_time.h"

namespace ravel::threads {

namespace {

// A call that would fail is ready to. A tick of the watchdog in between says nothing.
bool is_any_ready(pollfd* list, std::size_t count) {
  const long result = system_call(SYS_poll, reinterpret_cast<long>(list), static_cast<long>(count), 0);
  return result != 0 && result != -EINTR;
}

struct OpenFile {
  std::uint64_t word = 0;  // 0: nothing is noted
  std::uint64_t contents = 0;
  bool may_write = false;
};
constinit std::array<OpenFile, kFilesMax> files{};
int files_end = 0;  // after the last one that is noted

struct Temporary {
  std::uint64_t path = 0, contents = 0;
};
constinit std::array<Temporary, 64> temporaries{};
std::size_t temporaries_count = 0;

bool is_known(int file) {
  return file >= 0 && file < static_cast<int>(kFilesMax) && files[static_cast<std::size_t>(file)].word != 0;
}
bool is_output(int file) { return (file == 1 || file == 2) && !is_known(file); }

std::uint64_t word_of(std::uint64_t base, std::uint64_t count, std::uint64_t hash) {
  return base + 8 * (hash % count);
}

// With links followed as far as there is something; relative to the working folder if `folder` says so.
struct Path {
  std::array<char, PATH_MAX + NAME_MAX + 2> text{};
  std::size_t folder_length = 0;

  Path(int folder, const char* path) {
    if (changes_paths()) {
      const HostPath found = overlay().canonical(folder, path, Follow::kYes);
      snprintf(text.data(), text.size(), "%s", found.error == 0 ? found.path.c_str() : path);
      note_folder();
      return;
    }
    const auto realpath = RAVEL_NEXT(realpath);
    std::array<char, PATH_MAX + NAME_MAX + 2> wanted{};
    if (path[0] != '/' && folder != AT_FDCWD) {
      std::array<char, 32> link{};
      snprintf(link.data(), link.size(), "/proc/self/fd/%d", folder);
      const long length = system_call(SYS_readlinkat, AT_FDCWD, reinterpret_cast<long>(link.data()),
                                      reinterpret_cast<long>(wanted.data()), PATH_MAX - 1);
      const auto end = static_cast<std::size_t>(length < 0 ? 0 : length);
      snprintf(wanted.data() + end, wanted.size() - end, "/%s", path);
    } else {
      snprintf(wanted.data(), wanted.size(), "%s", path);
    }
    if (realpath(wanted.data(), text.data()) == nullptr) {
      // The file is not there; what it would be in may be.
      char* const slash = strrchr(wanted.data(), '/');
      const std::string_view name = slash == nullptr ? wanted.data() : slash + 1;
      std::array<char, NAME_MAX + 1> last{};
      name.copy(last.data(), NAME_MAX);
      if (slash == nullptr) {
        snprintf(wanted.data(), wanted.size(), ".");
      } else {
        *slash = 0;
      }
      if (realpath(wanted[0] == 0 ? "/" : wanted.data(), text.data()) == nullptr)
        snprintf(text.data(), text.size(), "%s", wanted.data());
      const std::size_t end = strlen(text.data());
      snprintf(text.data() + end, text.size() - end, "/%s", last.data());
    }
    note_folder();
  }

  void note_folder() {
    const char* const slash = strrchr(text.data(), '/');
    folder_length = slash == nullptr ? 0 : static_cast<std::size_t>(slash - text.data());
  }

  std::uint64_t hash() const { return hash_string(text.data()); }
  std::uint64_t folder_hash() const { return hash_string(std::string_view(text.data(), folder_length)); }
};

std::uint64_t contents_of(const Path& path) {
  const std::string_view text = path.text.data();
  if (text.starts_with("/dev/") || text.starts_with("/proc/")) return 0;  // no files
  const std::uint64_t hash = path.hash();
  for (std::size_t i = 0; i < temporaries_count; ++i)
    if (temporaries[i].path == hash) return temporaries[i].contents;
  return word_of(kContentsBase, kContentsMax, hash);
}

void add_contents(LibraryUses& uses, int file, FileUse use) {
  if (use == FileUse::kLooks) return;
  const std::uint64_t contents = is_known(file) ? files[static_cast<std::size_t>(file)].contents : 0;
  uses.add(contents != 0 ? LibraryUse{.word = contents, .changes = use == FileUse::kWrites}
                         : looks_at(LibraryState::kReadiness));
}

// What a thread did before it wrote to a pipe or a socket, whoever reads from it knows.
void note_order(int file, FileUse use) {
  if (file < 0 || use == FileUse::kLooks || is_output(file)) return;
  if (is_known(file) && files[static_cast<std::size_t>(file)].contents != 0) return;
  Scheduler& s = scheduler();
  const std::uint64_t word = is_known(file) ? files[static_cast<std::size_t>(file)].word : file_word(file);
  VectorClock& clock = s.object(reinterpret_cast<const void*>(word), SyncKind::kAtomic).clock;
  if (use == FileUse::kReads) {
    s.acquire(clock);
  } else {
    s.release(clock);
    s.begin_epoch(*current);
  }
}

// In a search by states: of files that are only read all that matters is where that is done.
void check_state_of(int file, std::uint64_t pc) {
  if (file < 0 || is_output(file)) return;
  struct stat status {};
  if (system_call(SYS_fstat, file, reinterpret_cast<long>(&status)) != 0) return;
  const bool is_file = S_ISREG(status.st_mode) || S_ISDIR(status.st_mode) || S_ISCHR(status.st_mode);
  if (!is_file) scheduler().memory().refuse_outside_state("what is in a pipe, a socket or the like", pc);
  if (S_ISREG(status.st_mode) && is_known(file) && files[static_cast<std::size_t>(file)].may_write)
    scheduler().memory().refuse_outside_state("what is in a file", pc);
}

}  // namespace

std::uint64_t contents_of(int folder, const char* path) { return contents_of(Path(folder, path)); }

LibraryUses uses_of_descriptor(int file, FileUse use) {
  LibraryUses uses;
  if (file < 0 || is_output(file)) return uses;
  uses.add({.word = is_known(file) ? files[static_cast<std::size_t>(file)].word : file_word(file),
            .changes = use != FileUse::kLooks});
  add_contents(uses, file, use);
  return uses;
}

LibraryUses uses_of_stream(FILE* stream, FileUse use) {
  LibraryUses uses;
  const int file = fileno_unlocked(stream);
  if (is_output(file)) return uses;
  const auto address = reinterpret_cast<std::uint64_t>(stream);
  uses.add({.word = address, .changes = use != FileUse::kLooks});
  uses.add(looks_at(LibraryState::kStreams));
  if (file < 0) return uses;
  const std::uint64_t word = is_known(file) ? files[static_cast<std::size_t>(file)].word : file_word(file);
  if (word != address) uses.add({.word = word, .changes = use != FileUse::kLooks});
  // Whatever happens to a stream may make it write what it has kept.
  const bool may_write = is_known(file) && files[static_cast<std::size_t>(file)].may_write;
  add_contents(uses, file, use == FileUse::kReads && may_write ? FileUse::kWrites : use);
  return uses;
}

void add_path(LibraryUses& uses, int folder, const char* path, PathUse use) {
  if (path == nullptr) return;
  if (path[0] != '/') uses.add(looks_at(LibraryState::kFolder));
  uses.add({.word = library_word(LibraryState::kFolders), .changes = use == PathUse::kMakesFolder});
  const Path full(folder, path);
  if (use == PathUse::kLists) {
    uses.add({.word = word_of(kFoldersBase, kFoldersMax, full.hash()), .changes = true});
    return;
  }
  uses.add({.word = contents_of(full), .changes = use != PathUse::kLooks});
  // Uses that change the list of a folder commute with each other, and not with uses that look at it.
  if (use == PathUse::kMakes || use == PathUse::kMakesFolder)
    uses.add({.word = word_of(kFoldersBase, kFoldersMax, full.folder_hash()), .changes = false});
}

void use_descriptor(int file, FileUse use, std::uint64_t pc) {
  if (current == nullptr) return;
  if (scheduler().configuration().by_states && use != FileUse::kLooks) check_state_of(file, pc);
  // While it has waited the descriptor may have become another file's.
  LibraryUses uses;
  do {
    uses = uses_of_descriptor(file, use);
    use_library(uses, pc);
  } while (uses_of_descriptor(file, use) != uses);
  note_order(file, use);
}

bool is_ready(int file, short events) {
  pollfd wanted{.fd = file, .events = events, .revents = 0};
  return is_any_ready(&wanted, 1);
}

void wait_until_ready(int file, short events, std::uint64_t pc) {
  if (current == nullptr || is_output(file) || is_ready(file, events)) return;
  if ((system_call(SYS_fcntl, file, F_GETFL) & O_NONBLOCK) != 0) return;
  const LibraryUses uses = uses_of_descriptor(file, FileUse::kReads);
  scheduler().visible({.kind = OperationKind::kLibraryWait,
                       .size = static_cast<std::uint32_t>(events),
                       .address = uses.list[0].word,
                       .other = static_cast<std::uint64_t>(file),
                       .pc = pc});
  scheduler().touch(uses.list[0].word, Access::kWrite);
  note_order(file, events == POLLIN ? FileUse::kReads : FileUse::kWrites);
}

bool is_ready(const Polled& polled) { return is_any_ready(polled.list, polled.count); }

void wait_until_ready(const Polled& polled, long milliseconds, std::uint64_t pc) {
  if (current == nullptr) return;
  Scheduler& s = scheduler();
  const std::uint64_t word = library_word(LibraryState::kReadiness);  // refused by states
  use_library({.word = word, .changes = true}, pc);
  if (is_ready(polled)) return;
  if (milliseconds == 0) {
    s.fairness().note_look(word, pc);
    return;
  }
  const timespec duration{.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1'000'000};
  const TimeLimit limit = within(milliseconds > 0 ? &duration : nullptr);
  const std::uint32_t expired = s.visible_until({.kind = OperationKind::kPoll,
                                                 .expires = milliseconds > 0,
                                                 .address = word,
                                                 .other = reinterpret_cast<std::uint64_t>(&polled),
                                                 .pc = pc},
                                                limit);
  s.touch(word, Access::kWrite);
  if (expired == 0) return;
  if (s.recording().is_on()) s.recording().record().result = ETIMEDOUT;
  pass_time(limit);
  s.fairness().stand_back();
}

void use_stream(FILE* stream, FileUse use, std::uint64_t pc) {
  if (current == nullptr) return;
  if (use == FileUse::kWrites) scheduler().ending().note_printing(pc, scheduler().recording().is_on());
  if (scheduler().configuration().by_states && use != FileUse::kLooks)
    check_state_of(fileno_unlocked(stream), pc);
  LibraryUses uses;
  do {
    uses = uses_of_stream(stream, use);
    use_library(uses, pc);
  } while (uses_of_stream(stream, use) != uses);
}

void use_path(int folder, const char* path, PathUse use, std::uint64_t pc) {
  if (current == nullptr) return;
  LibraryUses uses;
  add_path(uses, folder, path, use);
  use_library(uses, pc);
}

void note_open(int file, std::uint64_t word, std::uint64_t contents, bool may_write) {
  if (file < 0 || file >= static_cast<int>(kFilesMax)) return;
  files[static_cast<std::size_t>(file)] = {.word = word, .contents = contents, .may_write = may_write};
  files_end = std::max(files_end, file + 1);
}

void note_copy(int from, int to) {
  if (from < 0 || from >= static_cast<int>(kFilesMax)) return;
  const OpenFile& open = files[static_cast<std::size_t>(from)];
  if (open.word == 0 && is_output(from)) {
    note_open(to, 0, 0, false);
    return;
  }
  note_open(to, open.word == 0 ? file_word(from) : open.word, open.contents, open.may_write);
}

void note_temporary(const char* path, std::uint64_t contents) {
  if (temporaries_count < temporaries.size())
    temporaries[temporaries_count++] = {.path = Path(AT_FDCWD, path).hash(), .contents = contents};
}

void forget_open_files() {
  std::fill_n(files.begin(), files_end, OpenFile{});
  files_end = 0;
  temporaries_count = 0;
}

}  // namespace ravel::threads
