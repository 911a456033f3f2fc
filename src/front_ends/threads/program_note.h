// What a ticket notes of a program of C or C++: how to run it again, and how to see whether it has changed.
// If it names its standard input, what was there belongs to it: the bytes, or, where they are many, how to
// recognise them.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "threads/protocol/messages.h"
#include "threads/remote/remote_system.h"

namespace ravel::threads {

struct NotedInput {
  std::uint64_t size = 0;
  std::string checksum;
  std::optional<std::string> bytes;  // unless there are too many
};

struct ProgramNote {
  ProgramCall call;
  std::string absolute_path;
  std::string checksum;  // of the file
  Configuration configuration;
  std::optional<NotedInput> input = {};  // older tickets have none
};

// REQUIRES: the program was started, or its input was taken from a ticket.
ProgramNote note_program(const ProgramCall& call, const Configuration& configuration);

std::string print_program_note(const ProgramNote& program);
// Reads the `program` of a ticket, trace or resume file, which messages call `name`.
Result<ProgramNote> parse_program_note(std::string_view text, std::string_view name);

// From now on the processes of `call` read what is noted; an error if that has to be given again, and is not.
Status take_noted_input(const ProgramNote& program, const ProgramCall& call, std::string_view name);

// The program as it can be run now: `files`, if there are any, take the place of the ticket's.
ProgramCall call_again(const ProgramNote& program, const std::vector<std::string>& files);
// Whether the file is another one than the ticket's.
bool has_changed(const ProgramNote& noted, const ProgramCall& call);

}  // namespace ravel::threads
