// Options that a module carries in one of its attributes: -ravel_options([keep_going, {preemptions, 2}]).

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "erlang/system/program.h"

namespace ravel::erlang {

struct AttributeOption {
  std::string name;
  std::string value;  // a term as text, a string without quotes; "true" if the option is only named

  friend bool operator==(const AttributeOption&, const AttributeOption&) = default;
};

// The options in all attributes of this name, in the order of the source; one whose value is a list of atoms,
// for each of them. An error if they are not names and pairs.
Result<std::vector<AttributeOption>> attribute_options(const ProgramModule& module,
                                                       std::string_view attribute);

}  // namespace ravel::erlang
