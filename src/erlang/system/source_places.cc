#include "erlang/system/source_places.h"

#include <algorithm>
#include <string_view>

#include "erlang/system/elixir_receive_line.h"
#include "erlang/system/receive_line.h"
#include "erlang/term/print_elixir.h"

namespace ravel::erlang {

namespace {

// How many receives the function's code, which begins at `start`, has before this one. Words are compared,
// not instructions: a constant that looks like one would only make the line wrong.
std::size_t receives_before(const CodeArea& code, std::uint32_t start, const CodeWord* receive) {
  std::size_t count = 0;
  for (const CodeWord* at = code.at(start); at < receive; ++at) count += at->bits == receive->bits;
  return count;
}

}  // namespace

bool SourcePlaces::is_own(const CodeWord* place) const {
  const CodePlace found = machine_.code.describe_place(place);
  return found.module != nullptr && found.line != 0 &&
         program_.find(machine_.names.atoms.text(found.module->name)) != nullptr;
}

const CodeWord* SourcePlaces::best_place(std::span<const CodeWord* const> places) const {
  const auto own = std::ranges::find_if(places, [&](const CodeWord* place) { return is_own(place); });
  if (own != places.end()) return *own;
  return places.empty() ? nullptr : places.front();
}

void SourcePlaces::describe_where(const Process& process, EventDescription& description) const {
  const std::vector<const CodeWord*> places = machine_.traces.places_of(process);
  const CodeWord* const place = best_place(places);
  const bool is_in_receive = !process.is_before_operation() && process.rest != Rest::kEnding;
  const bool is_receive =
      is_in_receive && process.receive_pc != nullptr && !places.empty() && place == places.front();
  description.is_aside = place != nullptr && !is_own(place);
  description.is_by_library = !places.empty() && !is_own(places.front());
  // Where it waits comes after the bodies of the clauses, with their lines: the receive begins before them.
  describe_where(is_receive ? process.receive_pc : place, description,
                 is_receive ? Place::kReceive : Place::kOther);
}

void SourcePlaces::describe_where(const CodeWord* place, EventDescription& description, Place what) const {
  const CodePlace found = machine_.code.describe_place(place);
  if (found.module == nullptr || found.line == 0) return;
  description.file = program_.source_path(found.module, found.file);
  description.line = found.line;
  if (what == Place::kReceive) description.line = receive_place(place, found, description.file).line;
  description.source = line_text(description.file, description.line);
}

// If it is not in the source, the line of some call before it.
ReceivePlace SourcePlaces::receive_place(const CodeWord* receive, const CodePlace& found,
                                         const std::string& file) const {
  const CodeArea& code = machine_.code.area();
  std::uint32_t start = 0;
  for (const LoadedFunction& function : found.module->functions)
    if (function.start <= code.index_of(receive)) start = function.start;
  const ReceivePlace unknown{.line = found.line};
  const std::uint32_t head = machine_.code.describe_place(code.at(start)).line;
  if (head == 0) return unknown;
  const auto text = [&](std::uint32_t line) { return program_.source_line(file, line); };
  const std::size_t before = receives_before(code, start, receive);
  if (is_elixir_module(machine_.names.atoms.text(found.module->name)))
    return find_elixir_receive(text, head, before).value_or(unknown);
  const bool is_in_fun = machine_.names.atoms.text(found.function).starts_with('-');
  return find_receive(text, head, before, is_in_fun ? FunBodies::kRead : FunBodies::kSkip).value_or(unknown);
}

std::string SourcePlaces::line_text(const std::string& file, std::uint32_t line) const {
  std::string_view text = program_.source_line(file, line);
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return std::string(text);
}

}  // namespace ravel::erlang
