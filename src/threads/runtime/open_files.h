// What is known of the program's open files: which of them are the same one, and what is in them.
//
// Descriptors that were copied from each other are one open file, with one position. What is in a file is
// known by its path, with links followed; a file that link() gave a second name is taken for two.

#pragma once

#include <poll.h>
#include <stdio.h>

#include <cstdint>

#include "threads/runtime/library_use.h"

namespace ravel::threads {

enum class FileUse : std::uint8_t { kLooks, kReads, kWrites };

// Before a call.
void use_descriptor(int file, FileUse use, std::uint64_t pc);
void use_stream(FILE* stream, FileUse use, std::uint64_t pc);

// Waits until reading (POLLIN) or writing (POLLOUT) does not, as from a pipe that another thread writes to.
void wait_until_ready(int file, short events, std::uint64_t pc);
bool is_ready(int file, short events);

// What poll(), select() or epoll_wait() waits for: some of these files, or an event of a set. Two of those
// who change what is ready commute as far as this is concerned, and neither does with who asks for it.
struct Polled {
  pollfd* list = nullptr;
  std::size_t count = 0;
};
bool is_ready(const Polled& polled);
// Before a call of those, which then need not wait. `milliseconds`: negative for as long as it takes.
void wait_until_ready(const Polled& polled, long milliseconds, std::uint64_t pc);

// Uses of what the descriptor stands for, in the order in which the use decides on it.
LibraryUses uses_of_descriptor(int file, FileUse use);
// Uses of what a stream's descriptor stands for, and of the stream itself.
LibraryUses uses_of_stream(FILE* stream, FileUse use);

// To make, or remove, is to change what is in the folder, too; to make a folder or a link is to change where
// other paths lead.
enum class PathUse : std::uint8_t { kLooks, kChanges, kMakes, kMakesFolder, kLists };
void use_path(int folder, const char* path, PathUse use, std::uint64_t pc);
void add_path(LibraryUses& uses, int folder, const char* path, PathUse use);
// The word of what is at the path.
std::uint64_t contents_of(int folder, const char* path);

// Afterwards. A descriptor that nothing is noted of is an open file by itself, which has nothing in it that
// others can see.
void note_open(int file, std::uint64_t word, std::uint64_t contents, bool may_write);
void note_copy(int from, int to);
// A file whose name the system has chosen.
void note_temporary(const char* path, std::uint64_t contents);
void forget_open_files();

}  // namespace ravel::threads
