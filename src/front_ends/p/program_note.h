// What a ticket notes of a program in P: how to open it again, and how to see whether it has changed.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "check/noted_path.h"
#include "front_ends/p/opened_program.h"
#include "p/system/p_system.h"

namespace ravel::p {

struct ProgramNote {
  std::string test;
  std::vector<NotedPath> files;
  std::vector<NotedPath> libraries;
  std::vector<SourceChecksum> sources;
  LooseSpecs loose_specs = LooseSpecs::kLeftOut;
  POptions options;
};

ProgramNote note_program(const OpenedProgram& program, const TestCase& test, const POptions& options);

std::string print_program_note(const ProgramNote& note);
// Of the `program` of a ticket, trace or resume file, which messages call `name`.
Result<ProgramNote> parse_program_note(std::string_view text, std::string_view name);

// Files whose text is not what was noted, or that are missing or new.
std::vector<std::string> changed_sources(const ProgramNote& noted, const OpenedProgram& program);

}  // namespace ravel::p
