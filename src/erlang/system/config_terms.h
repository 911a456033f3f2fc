// Erlang terms as files of settings hold them (rebar.config): what file:consult/1 reads.
//
// No values are computed: a number or a binary is its text. `source` is the term as it stands in the file, to
// be handed on as it is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ravel::erlang {

struct ConfigTerm {
  enum class Kind : std::uint8_t { kAtom, kString, kNumber, kBinary, kTuple, kList, kMap };

  Kind kind = Kind::kAtom;
  std::string text;               // of an atom or a string, as UTF-8
  std::vector<ConfigTerm> parts;  // of a tuple or a list; of a map: keys and values in turn
  std::string source;

  bool is_atom(std::string_view name) const { return kind == Kind::kAtom && text == name; }
  // A tuple {Name, ...} of this size.
  bool is_tagged(std::string_view name, std::size_t size) const {
    return kind == Kind::kTuple && parts.size() == size && parts[0].is_atom(name);
  }
};

// The terms of a file, each of which ends with a dot. `name` is what the error calls the file.
Result<std::vector<ConfigTerm>> read_config_terms(std::string_view text, std::string_view name);

Result<std::vector<ConfigTerm>> read_config_file(const std::string& path);

// The value of {Name, Value} in a list of such pairs; null if there is none.
const ConfigTerm* config_value(const std::vector<ConfigTerm>& pairs, std::string_view name);

}  // namespace ravel::erlang
