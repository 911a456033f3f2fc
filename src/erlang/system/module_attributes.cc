#include "erlang/system/module_attributes.h"

#include "erlang/term/external_format.h"
#include "erlang/term/header.h"
#include "erlang/term/list.h"
#include "erlang/term/print.h"
#include "erlang/term/utf8.h"

namespace ravel::erlang {

namespace {

// Attributes are small; nothing is collected on the way.
constexpr std::size_t kHeapWords = 1 << 12;

std::string text_of(const Names& names, Term value) {
  if (value.is_atom()) return std::string(names.atoms.text(value));
  std::string text = print_term(names, value);
  const bool is_plain_string =
      text.size() >= 2 && text.front() == '"' && text.find_first_of("\\") == std::string::npos;
  return is_plain_string ? text.substr(1, text.size() - 2) : text;
}

// A list of atoms gives the option once for each; nothing: this is no option.
std::vector<AttributeOption> options_of(const Names& names, Term term) {
  if (term.is_atom()) return {{.name = std::string(names.atoms.text(term)), .value = "true"}};
  if (!is_tuple(term) || tuple_size(term) != 2 || !term.object()[1].is_atom()) return {};
  const std::string name(names.atoms.text(term.object()[1]));
  const Term value = term.object()[2];
  std::vector<AttributeOption> options;
  for (Term rest = value; rest.is_cons() && rest.head().is_atom(); rest = rest.tail())
    options.push_back({.name = name, .value = text_of(names, rest.head())});
  const bool is_list_of_atoms = !options.empty() && list_length(value) == options.size();
  if (is_list_of_atoms) return options;
  return {{.name = name, .value = text_of(names, value)}};
}

}  // namespace

Result<std::vector<AttributeOption>> attribute_options(const ProgramModule& module,
                                                       std::string_view attribute) {
  std::vector<AttributeOption> options;
  if (module.beam.attributes.empty()) return options;
  Heap heap(kHeapWords);
  Names names;
  const auto refuse = [&](const std::string& what) {
    return Error{module.file + ": -" + std::string(attribute) + ": " + what +
                 " Write a list of names and of pairs {NAME, VALUE}."};
  };
  const auto attributes = decode_external(heap, names, module.beam.attributes);
  if (!attributes)
    return Error{module.file + ": its attributes cannot be read: " + attributes.error().message};
  for (Term rest = *attributes; rest.is_cons(); rest = rest.tail()) {
    const Term pair = rest.head();
    if (!is_tuple(pair) || tuple_size(pair) != 2 || !pair.object()[1].is_atom()) continue;
    if (names.atoms.text(pair.object()[1]) != attribute) continue;
    const Term list = pair.object()[2];
    if (!list_length(list)) return refuse(print_term(names, list) + " is no list.");
    for (Term left = list; left.is_cons(); left = left.tail()) {
      const std::vector<AttributeOption> given = options_of(names, left.head());
      if (given.empty()) return refuse(print_term(names, left.head()) + " is no option.");
      options.insert(options.end(), given.begin(), given.end());
    }
  }
  return options;
}

}  // namespace ravel::erlang
