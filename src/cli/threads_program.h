// What a ticket notes of a program of C or C++: how to run it again, and how to see whether it has changed. If it names its
// standard input, what was there belongs to it: the bytes, or, where they are many, how to recognise them.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/ticket.h"
#include "threads/protocol/messages.h"
#include "threads/remote/remote_system.h"

namespace ravel {

inline constexpr const char kThreadsFrontEnd[] = "threads";

struct NotedInput {
  std::uint64_t size = 0;
  std::string checksum;
  std::optional<std::string> bytes;  // unless there are too many
};

struct ThreadsProgram {
  threads::ProgramCall call;
  std::string absolute_path;
  std::string checksum;  // of the file
  threads::Configuration configuration;
  std::optional<NotedInput> input = {};  // older tickets have none
};

// REQUIRES: the program was started, or its input was taken from a ticket.
ThreadsProgram note_threads_program(const threads::ProgramCall& call, const threads::Configuration& configuration);

std::string print_threads_program(const ThreadsProgram& program);
// `name` is what messages call the ticket.
Result<ThreadsProgram> parse_threads_program(const Ticket& ticket, std::string_view name);

// From now on programs read what is noted; an error if that has to be given again, and is not.
Status take_noted_input(const ThreadsProgram& program, std::string_view name);

// The program as it can be run now: `files`, if there are any, take the place of the ticket's.
threads::ProgramCall call_again(const ThreadsProgram& program, const std::vector<std::string>& files);
// Whether the file is another one than the ticket's.
bool has_changed(const ThreadsProgram& noted, const threads::ProgramCall& call);

}  // namespace ravel
