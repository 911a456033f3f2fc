#include <algorithm>

#include "p/checker/expression_checker.h"

namespace ravel::p {

ExpressionChecker::Expressions ExpressionChecker::expressions(
    std::span<const ExpressionSyntax* const> syntax) {
  Expressions result;
  for (const ExpressionSyntax* one : syntax) result.push_back(expression(*one));
  return result;
}

bool ExpressionChecker::is_forbidden_in_spec(Place place, std::string_view what) {
  const Machine* machine = owner();
  if (machine == nullptr || !machine->is_monitor()) return false;
  context_.error(place,
                 "the spec " + quoted(machine->name) + " cannot " + std::string(what) + ": it only watches");
  return true;
}

std::optional<FunctionId> ExpressionChecker::callee(const Name& name,
                                                    std::span<const ExpressionSyntax* const> arguments,
                                                    Expressions& checked) {
  const FunctionId* id = nullptr;
  if (const auto machine = function().owner)
    id = find(context_.machine_names[index(*machine)].functions, name.text);
  if (id == nullptr) id = find(context_.names.functions, name.text);
  if (id == nullptr) {
    if (context_.names.pure_functions.contains(name.text))
      context_.error(
          name.place,
          quoted(name.text) + " is a `pure` function, which is for P's verifier; a test cannot call it");
    else
      undeclared(name, "no function has that name");
    expressions(arguments);
    return std::nullopt;
  }
  const std::uint32_t count = context_.program.function(*id).parameters;
  if (arguments.size() != count) {
    context_.error(name.place, "the function " + quoted(name.text) + " takes " + counted(count, "argument") +
                                   "; here it gets " + std::to_string(arguments.size()));
    expressions(arguments);
    return std::nullopt;
  }
  // A body that is being checked moves its slots, so that they are read one by one.
  for (std::uint32_t i = 0; i < count; ++i)
    checked.push_back(value(*arguments[i], context_.program.function(*id).slots[i].type));
  function().callees.push_back(*id);
  return *id;
}

const Expression* ExpressionChecker::call_expression(const ExpressionSyntax& syntax) {
  Expressions arguments;
  const auto id = callee(syntax.name, syntax.parts, arguments);
  if (!id) return wrong(syntax.place);
  const Type* result = context_.program.function(*id).result;
  if (result->is(TypeKind::kNull)) {
    context_.error(syntax.place, "the function " + quoted(syntax.name.text) +
                                     " returns nothing, so that this has no value");
    return wrong(syntax.place);
  }
  return make({.kind = ExpressionKind::kCall, .index = index(*id), .type = result, .place = syntax.place},
              arguments);
}

std::optional<InterfaceId> ExpressionChecker::created(const Name& name, Place place,
                                                      std::span<const ExpressionSyntax* const> arguments,
                                                      Expressions& carried) {
  const InterfaceId* id = find(context_.names.interfaces, name.text);
  if (id == nullptr) {
    const bool is_spec = find(context_.names.machines, name.text) != nullptr;
    context_.error(name.place,
                   is_spec ? quoted(name.text) + " is a spec, and cannot be created: tests attach it"
                           : quoted(name.text) + " is not declared: no machine or interface has that name");
    expressions(arguments);
    return std::nullopt;
  }
  if (is_forbidden_in_spec(place, "create a machine")) {
    expressions(arguments);
    return std::nullopt;
  }
  carried =
      payload(place, arguments, context_.program.interface(*id).payload, quoted(name.text) + " begins with");
  function().effects.creates = true;
  function().creates.add(*id);
  return *id;
}

const Expression* ExpressionChecker::new_expression(const ExpressionSyntax& syntax) {
  Expressions carried;
  const auto id = created(syntax.name, syntax.place, syntax.parts, carried);
  if (!id) return wrong(syntax.place);
  const Interface& interface = context_.program.interface(*id);
  return make({.kind = ExpressionKind::kNew,
               .index = index(*id),
               .type = types().permission(interface.name, interface.receives),
               .place = syntax.place},
              carried);
}

ExpressionChecker::Expressions ExpressionChecker::payload(Place place,
                                                          std::span<const ExpressionSyntax* const> syntax,
                                                          const Type* expected, const std::string& receiver) {
  const auto refuse = [&](Place at, const std::string& what) {
    context_.error(at, receiver + " " + (expected->is(TypeKind::kNull) ? "nothing" : quoted(expected)) +
                           "; here it gets " + what);
  };
  const Expressions parts = expressions(syntax);
  const bool is_known = expected != nullptr && !expected->is(TypeKind::kError);
  const bool has_errors =
      std::ranges::any_of(parts, [](const Expression* part) { return part->type->is(TypeKind::kError); });
  if (parts.empty()) {
    if (is_known && !expected->is(TypeKind::kNull)) refuse(place, "nothing");
    return {};
  }
  if (has_errors && is_known && expected->is(TypeKind::kNull)) {
    refuse(place, counted(parts.size(), "argument"));
    return {wrong(place)};
  }
  if (parts.size() == 1) {
    if (is_known && !types().is_assignable(expected, parts[0]->type))
      refuse(syntax[0]->place, quoted(parts[0]->type));
    return parts;
  }
  if (has_errors) return {wrong(place)};
  std::vector<const Type*> part_types;
  for (const Expression* part : parts) part_types.push_back(part->type);
  const Type* type = types().tuple(part_types);
  if (is_known && !(expected->is(TypeKind::kTuple) && types().is_assignable(expected, type)))
    refuse(syntax[0]->place, counted(parts.size(), "argument") + ", " + quoted(type));
  return {make({.kind = ExpressionKind::kTuple, .type = type, .place = syntax[0]->place}, parts)};
}

const Type* ExpressionChecker::payload_of(const Expression& event) const {
  return event.kind == ExpressionKind::kEvent ? context_.program.event(EventId(event.index)).payload
                                              : nullptr;
}

const Expression* ExpressionChecker::event_operand(const ExpressionSyntax& syntax, std::string_view verb) {
  const Expression* event = expression(syntax);
  if (event->kind == ExpressionKind::kNull && !event->type->is(TypeKind::kError)) {
    context_.error(syntax.place, "`null` is no event that could be " + std::string(verb));
    return wrong(syntax.place);
  }
  return fits(syntax.place, event->type, types().of(TypeKind::kEvent)) ? event : wrong(syntax.place);
}

}  // namespace ravel::p
