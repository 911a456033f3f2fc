#include "erlang/machine/process_pattern.h"

#include <algorithm>
#include <charconv>

#include "erlang/term/map.h"

namespace ravel::erlang {

namespace {

bool is_logical_name(std::string_view text) {
  return text.size() > 1 && (text[0] == 'P' || text[0] == 'S') && text[1] == '.';
}

std::optional<std::uint32_t> number_of(std::string_view digits) {
  std::uint32_t number = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (problem != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

// In Elixir `Room` is the atom 'Elixir.Room'.
bool is_written(Term atom, std::string_view name, const Names& names) {
  constexpr std::string_view kPrefix = "Elixir.";
  const std::string_view text = names.atoms.text(atom);
  return text == name || (text.starts_with(kPrefix) && text.substr(kPrefix.size()) == name);
}

bool is_call_of(const Names& names, Term call, const ProcessPattern& pattern) {
  return is_tuple_of(call, 3) && element(call, 1).is_atom() && element(call, 2).is_atom() &&
         is_written(element(call, 1), pattern.module, names) &&
         names.atoms.text(element(call, 2)) == pattern.name &&
         (!pattern.arity || element(call, 3) == Term::small(*pattern.arity));
}

bool is_at(const Names& names, Term pid, const std::vector<std::uint32_t>& path) {
  for (auto ordinal = path.rbegin(); ordinal != path.rend(); ++ordinal) {
    if (!names.has_parent(pid) || names.ordinal_of(pid) != *ordinal) return false;
    pid = names.parent_of(pid);
  }
  return !names.has_parent(pid);
}

}  // namespace

Result<ProcessPattern> ProcessPattern::parse(std::string_view text) {
  ProcessPattern pattern{.text = std::string(text)};
  if (text.empty()) return Error{"a name is missing"};
  if (is_logical_name(text)) {
    pattern.kind = Kind::kLogical;
    for (std::size_t at = 1; at < text.size();) {
      const std::size_t end = std::min(text.find('.', at + 1), text.size());
      const auto ordinal = number_of(text.substr(at + 1, end - at - 1));
      if (!ordinal) return Error{pattern.text + " is no logical name of a process, such as P.1.2"};
      pattern.path.push_back(*ordinal);
      at = end;
    }
    return pattern;
  }
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    pattern.name = text;
    return pattern;
  }
  pattern.kind = Kind::kFunction;
  pattern.module = text.substr(0, colon);
  std::string_view function = text.substr(colon + 1);
  if (const std::size_t slash = function.rfind('/'); slash != std::string_view::npos && slash > 0) {
    pattern.arity = number_of(function.substr(slash + 1));
    if (!pattern.arity) return Error{pattern.text + " has no arity after the slash"};
    function = function.substr(0, slash);
  }
  pattern.name = function;
  if (pattern.module.empty() || pattern.name.empty())
    return Error{pattern.text + " is no function; write MODULE:FUNCTION or MODULE:FUNCTION/ARITY"};
  return pattern;
}

// The name of the function that holds its code is '-FUNCTION/ARITY-fun-0-', or with the name of the fun.
bool ProcessPattern::matches_fun(const Names& names, Term its_module, Term its_name,
                                 std::uint32_t its_arity) const {
  if (kind != Kind::kFunction || !its_module.is_atom() || !its_name.is_atom() ||
      !is_written(its_module, module, names))
    return false;
  std::string_view written = names.atoms.text(its_name);
  if (written == name && (!arity || *arity == its_arity)) return true;
  const std::string beginning = "-" + name + "/";
  if (!written.starts_with(beginning)) return false;
  written.remove_prefix(beginning.size());
  const std::size_t end = written.find('-');
  return end != std::string_view::npos && (!arity || number_of(written.substr(0, end)) == arity);
}

bool ProcessPattern::is_registered_name(const Names& names, Term atom) const {
  return kind == Kind::kRegistered && is_written(atom, name, names);
}

bool ProcessPattern::matches(const Names& names, const Process& process) const {
  const Attributes& attributes = process.attributes;
  switch (kind) {
    case Kind::kRegistered:
      return attributes.registered_name.is_atom() && is_registered_name(names, attributes.registered_name);
    case Kind::kFunction: {
      if (is_call_of(names, attributes.initial_call, *this)) return true;
      const std::optional<Term> key = names.atoms.find("$initial_call");
      return key && is_call_of(names, map_get(names, attributes.dictionary, *key), *this);
    }
    case Kind::kLogical:
      return names.is_below_system(process.pid) == text.starts_with('S') && is_at(names, process.pid, path);
  }
  return false;
}

}  // namespace ravel::erlang
