// Expressions of modules, and tests, as they are written.

#pragma once

#include <optional>
#include <span>

#include "p/syntax/expression_syntax.h"
#include "p/syntax/token.h"

namespace ravel::p {

enum class ModuleForm : std::uint8_t {
  kBind,            // bindings
  kName,            // name
  kCompose,         // parts
  kUnion,           // parts
  kHideEvents,      // names, parts[0]
  kHideInterfaces,  // names, parts[0]
  kAssert,          // names (of specs), parts[0]
  kRename,          // names[0] to names[1], parts[0]
  kMain,            // name, parts[0]
};

struct BindingSyntax {
  Name machine = {};
  Name interface = {};  // the same, if none is written
};

struct ModuleSyntax {
  ModuleForm form = ModuleForm::kName;
  Place place = {};
  Name name = {};
  std::span<const Name> names = {};
  std::span<const BindingSyntax> bindings = {};
  std::span<const ModuleSyntax* const> parts = {};
};

struct NamedModuleSyntax {
  Name name = {};
  const ModuleSyntax* module = nullptr;
};

// One value of a parameter.
struct LiteralSyntax {
  TokenKind kind = TokenKind::kTrue;  // kTrue, kFalse, kInteger
  bool is_negative = false;
  std::string_view text = {};
  Place place = {};
};

struct ParameterValuesSyntax {
  Name name = {};
  std::span<const LiteralSyntax> values = {};
};

struct TestSyntax {
  Name name = {};
  Place place = {};
  std::optional<Name> main = {};
  std::span<const ParameterValuesSyntax> parameters = {};
  const ExpressionSyntax* assumption = nullptr;
  // How many parameters take all their combinations of values together; none: all of them.
  bool is_pairwise = false;
  std::optional<Name> wise = {};  // digits
  Place wise_place = {};
  const ModuleSyntax* module = nullptr;
  const ModuleSyntax* refines = nullptr;
};

}  // namespace ravel::p
