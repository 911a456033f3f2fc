#include "report/program_coverage.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/text.h"

namespace ravel {

namespace {

std::string ratio(const ProgramCoverage& coverage, ProgramPart::Kind kind) {
  std::size_t covered = 0, all = 0;
  for (const ProgramPart& part : coverage) {
    if (part.kind != kind) continue;
    ++all;
    covered += part.is_covered ? 1 : 0;
  }
  return fmt::format("{} of {}", covered, counted(all, name_of(kind)));
}

bool has(const ProgramCoverage& coverage, ProgramPart::Kind kind) {
  return std::ranges::find(coverage, kind, &ProgramPart::kind) != coverage.end();
}

// No state of it was entered.
bool is_unused(const ProgramCoverage& coverage, const std::string& machine) {
  return std::ranges::none_of(coverage, [&](const ProgramPart& part) {
    return part.kind == ProgramPart::Kind::kState && part.machine == machine && part.is_covered;
  });
}

std::string missing(const ProgramPart& part) {
  switch (part.kind) {
    case ProgramPart::Kind::kState: return fmt::format("{} never enters {}", part.machine, part.state);
    case ProgramPart::Kind::kReaction:
      return fmt::format("{} never handles {} in {}", part.machine, part.event, part.state);
    case ProgramPart::Kind::kEvent: return fmt::format("{} is never sent", part.event);
    case ProgramPart::Kind::kScenario: break;
  }
  return "";
}

std::string scenario(const ProgramCoverage& coverage, const ProgramPart& part) {
  ProgramCoverage own;
  for (const ProgramPart& one : coverage)
    if (one.kind == ProgramPart::Kind::kState && one.machine == part.machine) own.push_back(one);
  return fmt::format("scenario {}: {}, {}", part.machine, part.is_covered ? "covered" : "not covered",
                     ratio(own, ProgramPart::Kind::kState));
}

}  // namespace

const char* name_of(ProgramPart::Kind kind) {
  switch (kind) {
    case ProgramPart::Kind::kState: return "state";
    case ProgramPart::Kind::kReaction: return "reaction";
    case ProgramPart::Kind::kEvent: return "event";
    case ProgramPart::Kind::kScenario: return "scenario";
  }
  return "";
}

std::string describe(const ProgramCoverage& coverage, bool is_complete) {
  std::string text = fmt::format(
      "Covered{}: {}, {}, {}{}.\n", is_complete ? "" : " so far", ratio(coverage, ProgramPart::Kind::kState),
      ratio(coverage, ProgramPart::Kind::kReaction), ratio(coverage, ProgramPart::Kind::kEvent),
      has(coverage, ProgramPart::Kind::kScenario) ? ", " + ratio(coverage, ProgramPart::Kind::kScenario)
                                                  : "");
  std::string unused;
  for (const ProgramPart& part : coverage) {
    std::string line;
    if (part.kind == ProgramPart::Kind::kScenario) {
      line = scenario(coverage, part);
    } else if (part.is_covered || (!part.machine.empty() && part.machine == unused)) {
      continue;
    } else if (!part.machine.empty() && is_unused(coverage, part.machine)) {
      unused = part.machine;
      line = fmt::format("{} is never created", part.machine);
    } else {
      line = missing(part);
    }
    const std::string where = place(part.file, part.line);
    text += "  " + line + (where.empty() ? "" : " (" + where + ")") + "\n";
  }
  return text;
}

}  // namespace ravel
