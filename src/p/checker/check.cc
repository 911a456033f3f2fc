#include "p/checker/check.h"

#include <utility>

#include "p/checker/declare.h"
#include "p/checker/effects.h"
#include "p/checker/function_checker.h"
#include "p/checker/machine_rules.h"
#include "p/checker/tests.h"
#include "p/syntax/parser.h"

namespace ravel::p {

CheckedSources check(std::vector<SourceText> texts) {
  CheckedSources result;
  result.program = std::make_unique<Program>();
  Program& program = *result.program;
  Diagnostics& diagnostics = result.diagnostics;
  Arena trees;
  std::deque<FileSyntax> files;
  Context context{.program = program, .diagnostics = diagnostics, .files = {}, .files_with_tests = {}};
  for (SourceText& text : texts) {
    const std::uint32_t number = program.sources.add(std::move(text.name), std::move(text.text));
    const FileSyntax& file = files.emplace_back(parse(program.sources, number, trees, diagnostics));
    context.files.push_back(&file);
    if (!text.is_dependency) context.files_with_tests.push_back(&file);
  }
  if (diagnostics.has_errors()) return result;
  declare(context);
  for (const PendingBody& body : context.bodies) FunctionChecker(context, body.function).check(*body.syntax);
  check_machines(context);
  if (diagnostics.has_errors()) return result;
  check_effects(context);
  if (diagnostics.has_errors()) return result;
  check_tests(context);
  return result;
}

}  // namespace ravel::p
