#include "p/checker/tests.h"

#include <algorithm>
#include <charconv>

#include "p/checker/expression_checker.h"
#include "p/checker/modules.h"
#include "p/checker/numbers.h"
#include "p/checker/parameter_grid.h"
#include "p/program/constant.h"

namespace ravel::p {
namespace {

// A parameter of a test, with its values.
struct GridParameter {
  ParameterId id{};
  std::vector<std::int64_t> values = {};
};

class Tests {
 public:
  explicit Tests(Context& context) : context_(context), program_(context.program), modules_(context) {}

  void run() {
    for (const FileSyntax* file : context_.files)
      for (const NamedModuleSyntax& one : file->modules) {
        const ModuleSyntax use{.form = ModuleForm::kName, .place = one.name.place, .name = one.name};
        modules_.check(use);
      }
    bool has_any = false;
    for (const FileSyntax* file : context_.files_with_tests)
      for (const TestSyntax& one : file->tests) check(one, false), has_any = true;
    for (const FileSyntax* file : context_.files)
      for (const TestSyntax& one : file->implementations) check(one, true), has_any = true;
    if (!has_any) add_default();
  }

 private:
  void check(const TestSyntax& syntax, bool is_implementation) {
    const auto [at, is_free] = places_.try_emplace(syntax.name.text, syntax.name.place);
    if (!is_free) {
      context_.error(syntax.name.place,
                     quoted(syntax.name.text) + " is already declared at " + context_.describe(at->second));
      return;
    }
    if (syntax.refines != nullptr) {
      context_.error(syntax.place, "tests with `refines` are not implemented, by P neither");
      return;
    }
    const ModuleInfo* module = modules_.check(*syntax.module);
    std::vector<GridParameter> grid;
    const bool grid_is_right = read_grid(syntax, grid);
    if (module == nullptr || !is_closed(*module, syntax) || !grid_is_right) return;
    TestCase test{.name = std::string(syntax.name.text),
                  .place = syntax.name.place,
                  .is_implementation = is_implementation};
    if (!syntax.main) return;  // it cannot be run
    const auto main = main_of(*module, syntax, is_implementation);
    if (!main) return;
    test.main = *main;
    fill(test, *module);
    expand(syntax, test, grid);
  }

  bool is_closed(const ModuleInfo& module, const TestSyntax& syntax) {
    const auto missing = (module.creates - module.implemented()).first();
    if (!missing) return true;
    context_.error(syntax.name.place, "the test " + quoted(syntax.name.text) +
                                          " is not closed: " + quoted(program_.interface(*missing).name) +
                                          " is created, but no machine is bound to it");
    return false;
  }

  std::optional<InterfaceId> main_of(const ModuleInfo& module, const TestSyntax& syntax,
                                     bool is_implementation) {
    const MachineId* machine = find(context_.names.machines, syntax.main->text);
    if (machine == nullptr) {
      context_.error(syntax.main->place,
                     quoted(syntax.main->text) + " is not declared: no machine has that name");
      return std::nullopt;
    }
    std::optional<InterfaceId> result;
    for (const auto& [interface, bound] : module.definitions)
      if (bound == *machine && (!result || interface == program_.machine(*machine).interface))
        result = interface;
    if (!result) {
      context_.error(syntax.main->place,
                     "the machine " + quoted(syntax.main->text) + " is not bound in the module of this test");
    } else if (!is_implementation && !program_.machine(*machine).payload->is(TypeKind::kNull)) {
      context_.error(syntax.main->place, "the entry of " + quoted(syntax.main->text) +
                                             " takes a parameter, and a test has none to give");
      return std::nullopt;
    }
    return result;
  }

  void fill(TestCase& test, const ModuleInfo& module) {
    for (const auto& [interface, machine] : module.definitions) {
      Binding binding{.interface = interface, .machine = machine};
      binding.links.resize(program_.interfaces.size());
      if (const auto links = module.links.find(interface); links != module.links.end())
        for (const auto& [written, created] : links->second) binding.links[index(written)] = created;
      test.bindings.push_back(std::move(binding));
    }
    for (const auto& [spec, interfaces] : module.monitors) test.monitors.push_back({spec, interfaces});
    const auto is_attached = [&](MachineId id) {
      return std::ranges::find(test.monitors, id, &Monitor::machine) != test.monitors.end();
    };
    for (std::uint32_t i = 0; i < program_.machines.size(); ++i)
      if (program_.machines[i].kind == MachineKind::kScenario && !is_attached(MachineId(i)))
        test.monitors.push_back({MachineId(i), module.implemented().ids()});
    test.parameters.resize(program_.parameters.size());
  }

  // -- Parameters

  bool read_grid(const TestSyntax& syntax, std::vector<GridParameter>& grid) {
    bool is_right = true;
    std::size_t combinations = 1;
    for (const ParameterValuesSyntax& one : syntax.parameters) {
      const ParameterId* id = find(context_.names.parameters, one.name.text);
      if (id == nullptr) {
        context_.error(one.name.place, quoted(one.name.text) + " is not declared: no `param` has that name");
        is_right = false;
        continue;
      }
      if (std::ranges::find(grid, *id, &GridParameter::id) != grid.end()) {
        context_.error(one.name.place, quoted(one.name.text) + " already has values in this test");
        is_right = false;
      }
      GridParameter parameter{.id = *id};
      for (const LiteralSyntax& literal : one.values) is_right &= add_value(literal, parameter);
      combinations =
          std::min(combinations * std::max<std::size_t>(parameter.values.size(), 1), kCombinationsMax + 1);
      grid.push_back(std::move(parameter));
    }
    if (combinations > kCombinationsMax) {
      context_.error(syntax.name.place, "the parameters of " + quoted(syntax.name.text) + " have more than " +
                                            std::to_string(kCombinationsMax) + " combinations");
      is_right = false;
    }
    return is_right;
  }

  bool add_value(const LiteralSyntax& literal, GridParameter& parameter) {
    const Type* type = program_.parameters[index(parameter.id)].type;
    const bool is_number = literal.kind == TokenKind::kInteger;
    const Type* actual = program_.types.of(is_number ? TypeKind::kInt : TypeKind::kBool);
    if (type->is(TypeKind::kError)) return false;
    if (type != actual) {
      context_.error(literal.place, "this is " + mismatch(actual, type));
      return false;
    }
    std::int64_t value = literal.kind == TokenKind::kTrue;
    if (is_number) {
      const auto number = literal_int(context_, literal.text, literal.place);
      if (!number) return false;
      value = literal.is_negative ? -*number : *number;
    }
    if (is_number && std::ranges::find(parameter.values, value) != parameter.values.end()) {
      context_.error(literal.place, "the value " + std::to_string(value) + " is given twice");
      return false;
    }
    parameter.values.push_back(value);
    return true;
  }

  // How many parameters take all their combinations together; nothing if that is wrong.
  std::optional<std::uint32_t> wise_of(const TestSyntax& syntax, std::size_t parameters) {
    const auto refuse = [&](const std::string& written) -> std::optional<std::uint32_t> {
      context_.error(syntax.wise_place, written + " needs at least that many parameters; this test has " +
                                            std::to_string(parameters));
      return std::nullopt;
    };
    if (syntax.is_pairwise) return parameters < 2 ? refuse("`pairwise`") : std::optional<std::uint32_t>(2);
    if (!syntax.wise) return static_cast<std::uint32_t>(parameters);
    const auto number = literal_int(context_, syntax.wise->text, syntax.wise->place);
    if (!number) return std::nullopt;
    if (*number == 0) {
      context_.error(syntax.wise->place, "`(0 wise)` covers nothing: it is at least 1");
      return std::nullopt;
    }
    const std::string written = "`(" + std::string(syntax.wise->text) + " wise)`";
    return static_cast<std::uint64_t>(*number) > parameters
               ? refuse(written)
               : std::optional(static_cast<std::uint32_t>(*number));
  }

  void expand(const TestSyntax& syntax, const TestCase& test, const std::vector<GridParameter>& grid) {
    const Expression* assumption = nullptr;
    if (syntax.assumption != nullptr) {
      assumption = check_assumption(*syntax.assumption);
      if (assumption == nullptr) return;
    }
    const auto wise = wise_of(syntax, grid.size());
    if (!wise) return;
    std::vector<std::uint32_t> counts;
    for (const GridParameter& parameter : grid)
      counts.push_back(static_cast<std::uint32_t>(parameter.values.size()));
    std::vector<Combination> allowed;
    for (Combination& combination : all_combinations(counts)) {
      if (assumption != nullptr) {
        const auto holds = evaluate(*assumption, with_values(test, grid, combination));
        if (!holds) {
          context_.error(syntax.assumption->place,
                         "what this test assumes has no value for " + described(grid, combination));
          return;
        }
        if (!*holds) continue;
      }
      allowed.push_back(std::move(combination));
    }
    if (allowed.empty()) {
      context_.diagnostics.warning(syntax.name.place,
                                   "no combination of parameters is what this test assumes: it is none");
      return;
    }
    for (const Combination& combination : grid.empty() ? allowed : covering(allowed, *wise)) {
      TestCase made = with_values(test, grid, combination);
      if (!grid.empty()) made.name += "___" + described(grid, combination);
      program_.tests.push_back(std::move(made));
    }
  }

  TestCase with_values(TestCase test, const std::vector<GridParameter>& grid,
                       const Combination& combination) const {
    for (std::size_t i = 0; i < grid.size(); ++i)
      test.parameters[index(grid[i].id)] = grid[i].values[combination[i]];
    return test;
  }

  // a_1__b_true
  std::string described(const std::vector<GridParameter>& grid, const Combination& combination) const {
    std::string text;
    for (std::size_t i = 0; i < grid.size(); ++i) {
      const Variable& parameter = program_.parameters[index(grid[i].id)];
      const std::int64_t value = grid[i].values[combination[i]];
      if (i > 0) text += "__";
      text.append(parameter.name).append("_");
      if (parameter.type->is(TypeKind::kBool))
        text += value != 0 ? "true" : "false";
      else
        text += value < 0 ? "neg" + std::to_string(-value) : std::to_string(value);
    }
    return text;
  }

  // nullptr if it is wrong.
  const Expression* check_assumption(const ExpressionSyntax& syntax) {
    const std::size_t errors = context_.diagnostics.errors();
    const auto id = id_at<FunctionId>(program_.functions.size());
    program_.functions.push_back({.place = syntax.place, .result = program_.types.null()});
    const Expression* result = ExpressionChecker(context_, id).assumption(syntax);
    program_.functions.pop_back();
    return context_.diagnostics.errors() == errors ? result : nullptr;
  }

  // Nothing if it has no value, or not this way.
  std::optional<bool> evaluate(const Expression& expression, const TestCase& test) {
    const Expression* value = reduced(expression, test);
    if (value->kind != ExpressionKind::kBool) return std::nullopt;
    return value->integer != 0;
  }

  const Expression* reduced(const Expression& expression, const TestCase& test) {
    Expression result = expression;
    if (expression.kind == ExpressionKind::kParameter) {
      const Type* type = expression.type;
      if (!type->is(TypeKind::kBool) && !type->is(TypeKind::kInt)) return &expression;
      result.kind = type->is(TypeKind::kBool) ? ExpressionKind::kBool : ExpressionKind::kInt;
      result.integer = test.parameters[expression.index].value_or(0);
      return program_.arena.make(result);
    }
    if (expression.is_constant()) return &expression;
    std::vector<const Expression*> parts;
    for (const Expression* part : expression.parts) parts.push_back(reduced(*part, test));
    result.parts = program_.arena.copy(parts);
    return program_.arena.make(folded(result, program_.arena));
  }

  void add_default() {
    const MachineId* main = find(context_.names.machines, "Main");
    if (main == nullptr || program_.machine(*main).is_monitor()) return;
    ModuleInfo module;
    for (std::uint32_t i = 0; i < program_.machines.size(); ++i) {
      const Machine& machine = program_.machines[i];
      if (machine.is_monitor()) continue;
      module.definitions.emplace(*machine.interface, MachineId(i));
      for (const InterfaceId created : machine.creates.ids())
        module.links[*machine.interface][created] = created;
      module.creates.add(machine.creates);
    }
    const Machine& machine = program_.machine(*main);
    if (const auto missing = (module.creates - module.implemented()).first()) {
      context_.error(machine.place, quoted(program_.interface(*missing).name) +
                                        " is created, but no machine is bound to it: " +
                                        "without a test, every machine is bound to its own name only");
      return;
    }
    TestCase test{
        .name = "DefaultImpl", .place = machine.place, .is_implementation = true, .main = *machine.interface};
    fill(test, module);
    program_.tests.push_back(std::move(test));
  }

  Context& context_;
  Program& program_;
  ModuleChecker modules_;
  NameTable<Place> places_;
};

}  // namespace

void check_tests(Context& context) { Tests(context).run(); }

}  // namespace ravel::p
