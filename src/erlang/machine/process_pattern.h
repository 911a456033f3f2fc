// Which processes an option means: by registered name, by what they began with, or by logical name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "erlang/machine/process.h"
#include "erlang/term/names.h"

namespace ravel::erlang {

struct ProcessPattern {
  enum class Kind : std::uint8_t {
    kRegistered,  // now
    kFunction,    // with which it was spawned, or which proc_lib has noted as its initial call
    kLogical,     // `P.1.2`
  };

  // NAME, MODULE:FUNCTION, MODULE:FUNCTION/ARITY or P.1.2; modules of Elixir as they are written there. An
  // error says what is wrong with it.
  static Result<ProcessPattern> parse(std::string_view text);

  bool matches(const Names& names, const Process& process) const;
  // Whether a process that begins with this fun is meant: one of a function, if it is written in that.
  bool matches_fun(const Names& names, Term its_module, Term its_name, std::uint32_t its_arity) const;
  // Whether a process that is registered so is meant.
  bool is_registered_name(const Names& names, Term atom) const;

  bool operator==(const ProcessPattern&) const = default;

  Kind kind = Kind::kRegistered;
  std::string text = {};               // as it was given
  std::string module = {}, name = {};  // name: of the function, or the registered one
  std::optional<std::uint32_t> arity = {};
  std::vector<std::uint32_t> path = {};  // below the root
};

}  // namespace ravel::erlang
