#include "erlang/system/property_verdicts.h"

namespace ravel::erlang {

namespace {

bool is_text(Term list) {
  for (; list.is_cons(); list = list.tail())
    if (!list.head().is_small() || list.head().small_value() < ' ' || list.head().small_value() > '~')
      return false;
  return list.is_nil();
}

std::string characters(Term text) {
  std::string read;
  for (; text.is_cons(); text = text.tail()) read += static_cast<char>(text.head().small_value());
  return read;
}

}  // namespace

Bug PropertyVerdicts::bug_of_violation(const std::string& property, const PropertyMonitors::Verdict& verdict,
                                       std::span<const CodeWord* const> places) {
  texts_.choose(texts_.language_of_test());
  Bug bug;
  bug.kind = "property";
  bug.message = "the property " + property + " is violated";
  const auto reads = [&](Term term) {
    return term.is_cons() && is_text(term) ? characters(term) : texts_.text_of(term);
  };
  const Term reason = verdict.reason;
  const bool has_reason =
      !reason.is_none() && !(reason.is_atom() && machine_.names.atoms.text(reason) == "none");
  if (has_reason) bug.message += ": " + reads(reason);
  // A line is a list of pieces, text and terms, or one term.
  for (Term lines = verdict.details; lines.is_cons(); lines = lines.tail()) {
    const Term line = lines.head();
    if (!line.is_cons() || is_text(line)) {
      bug.details.push_back(reads(line));
      continue;
    }
    std::string text;
    for (Term piece = line; piece.is_cons(); piece = piece.tail()) text += reads(piece.head());
    bug.details.push_back(text);
  }
  const Term actor = machine_.record.event.actor;
  if (actor.is_pid()) bug.actor = machine_.names.pid_text(actor);
  if (const CodeWord* const place = places_.best_place(places)) {
    EventDescription where;
    places_.describe_where(place, where, SourcePlaces::Place::kOther);
    bug.file = where.file;
    bug.line = where.line;
  }
  return bug;
}

// A mistake of the monitor, not of the program.
Refusal PropertyVerdicts::refusal_of_failure(const std::string& monitor,
                                             const PropertyMonitors::Verdict& verdict) {
  texts_.choose(texts_.language_of_test());
  Bug found;  // where: the innermost place of the user's code
  exit_bugs_.add_places_of_trace(found, verdict.trace);
  std::string message = monitor + " fails: " + verdict.problem;
  if (!found.details.empty()) message += " " + found.details.front();
  if (const CodeWord* const place = places_.best_place(verdict.places)) {
    EventDescription where;
    places_.describe_where(place, where, SourcePlaces::Place::kOther);
    found.file = where.file;
    found.line = where.line;
  }
  return {.message = message, .file = found.file, .line = found.line};
}

}  // namespace ravel::erlang
