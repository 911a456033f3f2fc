#include <algorithm>
#include <charconv>
#include <string>

#include "p/checker/expression_checker.h"
#include "p/checker/numbers.h"
#include "p/program/constant.h"

namespace ravel::p {

const Expression* ExpressionChecker::make(Expression expression, const Expressions& parts) {
  expression.parts = arena().copy(parts);
  return arena().make(folded(expression, arena()));
}

const Expression* ExpressionChecker::wrong(Place place) {
  return make({.type = types().error(), .place = place});
}

bool ExpressionChecker::fits(Place place, const Type* actual, const Type* expected) {
  if (types().is_assignable(expected, actual)) return true;
  const bool is_null = actual->is(TypeKind::kNull) && !expected->is(TypeKind::kNull);
  context_.error(place,
                 "this is " + (is_null ? "`null`, but " + quoted(expected) + " is needed, which is never null"
                                       : mismatch(actual, expected)));
  return false;
}

const Expression* ExpressionChecker::condition(const ExpressionSyntax& syntax) {
  return value(syntax, types().of(TypeKind::kBool));
}

const Expression* ExpressionChecker::value(const ExpressionSyntax& syntax, const Type* expected) {
  const Expression* result = expression(syntax);
  return fits(syntax.place, result->type, expected) ? result : wrong(syntax.place);
}

const Expression* ExpressionChecker::expression(const ExpressionSyntax& syntax) {
  switch (syntax.form) {
    case ExpressionForm::kName: return name(syntax);
    case ExpressionForm::kInteger:
    case ExpressionForm::kFloat:
    case ExpressionForm::kTrue:
    case ExpressionForm::kFalse:
    case ExpressionForm::kNull:
    case ExpressionForm::kHalt: return literal(syntax);
    case ExpressionForm::kThis: return this_reference(syntax);
    case ExpressionForm::kText: return text(syntax);
    case ExpressionForm::kTuple:
    case ExpressionForm::kNamedTuple: return tuple(syntax);
    case ExpressionForm::kField: return field(syntax, expression(*syntax.parts[0]));
    case ExpressionForm::kElement: return element(syntax, expression(*syntax.parts[0]));
    case ExpressionForm::kIndex: return indexed(syntax, expression(*syntax.parts[0]));
    case ExpressionForm::kKeys:
    case ExpressionForm::kValues:
    case ExpressionForm::kSizeof: return of_collection(syntax);
    case ExpressionForm::kDefault:
      return make(
          {.kind = ExpressionKind::kDefault, .type = types_.resolve(syntax.type), .place = syntax.place});
    case ExpressionForm::kNew: return new_expression(syntax);
    case ExpressionForm::kCall: return call_expression(syntax);
    case ExpressionForm::kNegate:
    case ExpressionForm::kNot: return unary(syntax);
    case ExpressionForm::kBinary: return binary(syntax);
    case ExpressionForm::kAs: return cast(syntax);
    case ExpressionForm::kTo: return conversion(syntax);
    case ExpressionForm::kChoose:
    case ExpressionForm::kFairChoose: return choice(syntax);
    case ExpressionForm::kVerifier: return verifiers(syntax);
  }
  return wrong(syntax.place);
}

// nullptr if no variable has that name.
const Expression* ExpressionChecker::variable(const Name& name) {
  if (const auto slot = locals_.find(name.text))
    return make({.kind = ExpressionKind::kLocal,
                 .index = *slot,
                 .type = function().slots[*slot].type,
                 .place = name.place});
  if (const auto machine = function().owner)
    if (const std::uint32_t* field = find(context_.machine_names[index(*machine)].fields, name.text))
      return make({.kind = ExpressionKind::kField,
                   .index = *field,
                   .type = context_.program.machine(*machine).fields[*field].type,
                   .place = name.place});
  if (const ParameterId* id = find(context_.names.parameters, name.text))
    return make({.kind = ExpressionKind::kParameter,
                 .index = index(*id),
                 .type = context_.program.parameters[index(*id)].type,
                 .place = name.place});
  return nullptr;
}

const Expression* ExpressionChecker::undeclared(const Name& name, std::string_view why) {
  if (undeclared_.insert(name.text).second)
    context_.error(name.place, quoted(name.text) + " is not declared: " + std::string(why));
  return wrong(name.place);
}

const Expression* ExpressionChecker::name(const ExpressionSyntax& syntax) {
  const std::string_view text = syntax.name.text;
  if (const Expression* found = variable(syntax.name)) return found;
  if (const EnumElementRef* element = find(context_.names.elements, text))
    return make({.kind = ExpressionKind::kEnumElement,
                 .type = types().enumeration(element->enumeration,
                                             context_.program.enums[index(element->enumeration)].name),
                 .place = syntax.place,
                 .integer = element->value});
  if (const EventId* event = find(context_.names.events, text))
    return make({.kind = ExpressionKind::kEvent,
                 .index = index(*event),
                 .type = types().of(TypeKind::kEvent),
                 .place = syntax.place});
  return undeclared(syntax.name, "no variable, element of an enum or event has that name");
}

const Expression* ExpressionChecker::literal(const ExpressionSyntax& syntax) {
  Expression result{.place = syntax.place};
  switch (syntax.form) {
    case ExpressionForm::kInteger: {
      const auto number = literal_int(context_, syntax.text, syntax.place);
      if (!number) return wrong(syntax.place);
      result.kind = ExpressionKind::kInt;
      result.integer = *number;
      result.type = types().of(TypeKind::kInt);
      break;
    }
    case ExpressionForm::kFloat:
      result.kind = ExpressionKind::kFloat;
      std::from_chars(syntax.text.data(), syntax.text.data() + syntax.text.size(), result.real);
      result.type = types().of(TypeKind::kFloat);
      break;
    case ExpressionForm::kHalt:
      result.kind = ExpressionKind::kEvent;
      result.index = index(kHaltEvent);
      result.type = types().of(TypeKind::kEvent);
      break;
    case ExpressionForm::kNull:
      result.kind = ExpressionKind::kNull;
      result.type = types().null();
      break;
    default:
      result.kind = ExpressionKind::kBool;
      result.integer = syntax.form == ExpressionForm::kTrue;
      result.type = types().of(TypeKind::kBool);
  }
  return make(result);
}

const Expression* ExpressionChecker::this_reference(const ExpressionSyntax& syntax) {
  const Machine* machine = owner();
  if (machine == nullptr) {
    context_.error(syntax.place, "`this` stands outside of a machine");
    return wrong(syntax.place);
  }
  if (is_forbidden_in_spec(syntax.place, "use `this`")) return wrong(syntax.place);
  return make(
      {.kind = ExpressionKind::kThis,
       .type = types().permission(machine->name, context_.program.interface(*machine->interface).receives),
       .place = syntax.place});
}

const Expression* ExpressionChecker::tuple(const ExpressionSyntax& syntax) {
  const Expressions parts = expressions(syntax.parts);
  std::vector<const Type*> part_types;
  std::vector<std::string_view> fields;
  for (const Expression* part : parts) part_types.push_back(part->type);
  for (const Name& field : syntax.names) {
    if (std::ranges::find(fields, field.text) != fields.end()) {
      context_.error(field.place, "this tuple already has a field " + quoted(field.text));
      return wrong(syntax.place);
    }
    fields.push_back(field.text);
  }
  const auto is_error = [](const Type* type) { return type->is(TypeKind::kError); };
  if (std::ranges::any_of(part_types, is_error)) return wrong(syntax.place);
  const bool has_names = syntax.form == ExpressionForm::kNamedTuple;
  return make({.kind = ExpressionKind::kTuple,
               .type = has_names ? types().named_tuple(fields, part_types) : types().tuple(part_types),
               .place = syntax.place},
              parts);
}

const Expression* ExpressionChecker::field(const ExpressionSyntax& syntax, const Expression* whole) {
  const Type* type = whole->type;
  if (type->is(TypeKind::kError)) return wrong(syntax.place);
  if (type->is(TypeKind::kPermission) || type->is(TypeKind::kMachine)) {
    context_.error(syntax.mark, "variables of a machine are its own; " +
                                    quoted("." + std::string(syntax.name.text)) +
                                    " needs a tuple with names, and this is " + quoted(type));
    return wrong(syntax.place);
  }
  if (!type->is(TypeKind::kNamedTuple)) {
    context_.error(syntax.mark, quoted("." + std::string(syntax.name.text)) +
                                    " needs a tuple with names; this is " + quoted(type));
    return wrong(syntax.place);
  }
  const auto at = std::ranges::find(type->fields, syntax.name.text);
  if (at == type->fields.end()) {
    context_.error(syntax.mark, quoted(type) + " has no field " + quoted(syntax.name.text));
    return wrong(syntax.place);
  }
  const auto number = static_cast<std::uint32_t>(at - type->fields.begin());
  return make(
      {.kind = ExpressionKind::kElement, .index = number, .type = type->parts[number], .place = syntax.place},
      {whole});
}

const Expression* ExpressionChecker::element(const ExpressionSyntax& syntax, const Expression* whole) {
  const Type* type = whole->type;
  if (type->is(TypeKind::kError)) return wrong(syntax.place);
  if (!type->is(TypeKind::kTuple)) {
    context_.error(syntax.mark, quoted("." + std::string(syntax.text)) +
                                    " needs a tuple without names; this is " + quoted(type));
    return wrong(syntax.place);
  }
  const auto number = literal_int(context_, syntax.text, syntax.mark);
  if (!number) return wrong(syntax.place);
  if (static_cast<std::size_t>(*number) >= type->parts.size()) {
    context_.error(syntax.mark, quoted(type) + " has no field " + quoted(syntax.text));
    return wrong(syntax.place);
  }
  return make({.kind = ExpressionKind::kElement,
               .index = static_cast<std::uint32_t>(*number),
               .type = type->parts[static_cast<std::size_t>(*number)],
               .place = syntax.place},
              {whole});
}

const Expression* ExpressionChecker::indexed(const ExpressionSyntax& syntax, const Expression* whole) {
  const Expression* at = expression(*syntax.parts[1]);
  const Type* type = whole->type;
  if (type->is(TypeKind::kError) || at->type->is(TypeKind::kError)) return wrong(syntax.place);
  if (!type->is(TypeKind::kSeq) && !type->is(TypeKind::kSet) && !type->is(TypeKind::kMap)) {
    context_.error(syntax.mark, "`[...]` needs a seq, a set or a map; this is " + quoted(type));
    return wrong(syntax.place);
  }
  const bool is_map = type->is(TypeKind::kMap);
  if (!fits(syntax.parts[1]->place, at->type, is_map ? type->key() : types().of(TypeKind::kInt)))
    return wrong(syntax.place);
  const ExpressionKind kind = is_map                     ? ExpressionKind::kMapValue
                              : type->is(TypeKind::kSeq) ? ExpressionKind::kSeqElement
                                                         : ExpressionKind::kSetElement;
  return make({.kind = kind, .type = is_map ? type->value() : type->element(), .place = syntax.place},
              {whole, at});
}

const Expression* ExpressionChecker::of_collection(const ExpressionSyntax& syntax) {
  const Expression* whole = expression(*syntax.parts[0]);
  const Type* type = whole->type;
  if (type->is(TypeKind::kError)) return wrong(syntax.place);
  const bool is_map = type->is(TypeKind::kMap);
  if (syntax.form == ExpressionForm::kSizeof) {
    if (is_map || type->is(TypeKind::kSeq) || type->is(TypeKind::kSet))
      return make(
          {.kind = ExpressionKind::kSizeof, .type = types().of(TypeKind::kInt), .place = syntax.place},
          {whole});
    context_.error(syntax.parts[0]->place, "`sizeof` needs a seq, a set or a map; this is " + quoted(type));
    return wrong(syntax.place);
  }
  const bool is_keys = syntax.form == ExpressionForm::kKeys;
  if (!is_map) {
    context_.error(syntax.parts[0]->place,
                   std::string(is_keys ? "`keys`" : "`values`") + " needs a map; this is " + quoted(type));
    return wrong(syntax.place);
  }
  return make({.kind = is_keys ? ExpressionKind::kKeys : ExpressionKind::kValues,
               .type = types().seq(is_keys ? type->key() : type->value()),
               .place = syntax.place},
              {whole});
}

const Expression* ExpressionChecker::choice(const ExpressionSyntax& syntax) {
  constexpr std::int64_t kAlternativesMax = 10'000;
  if (is_forbidden_in_spec(syntax.place, "make a choice")) return wrong(syntax.place);
  function().effects.chooses = true;
  if (syntax.parts.empty())
    return make({.kind = ExpressionKind::kChooseBool,
                 .index = syntax.form == ExpressionForm::kFairChoose ? 1u : 0u,
                 .type = types().of(TypeKind::kBool),
                 .place = syntax.place});
  const Expression* of = expression(*syntax.parts[0]);
  switch (of->type->kind) {
    case TypeKind::kError: return wrong(syntax.place);
    case TypeKind::kSeq:
    case TypeKind::kSet:
    case TypeKind::kMap:
      return make({.kind = ExpressionKind::kChooseFrom, .type = of->type->parts[0], .place = syntax.place},
                  {of});
    case TypeKind::kInt:
      if (of->kind != ExpressionKind::kInt || of->integer <= kAlternativesMax)
        return make({.kind = ExpressionKind::kChooseInt, .type = of->type, .place = syntax.place}, {of});
      context_.error(syntax.parts[0]->place, "`choose` takes at most " + std::to_string(kAlternativesMax) +
                                                 " alternatives; this is " + std::to_string(of->integer));
      return wrong(syntax.place);
    default:
      context_.error(syntax.parts[0]->place,
                     "`choose` needs a number, a seq, a set or a map; this is " + quoted(of->type));
      return wrong(syntax.place);
  }
}

const Expression* ExpressionChecker::verifiers(const ExpressionSyntax& syntax) {
  context_.error(syntax.place, quoted(syntax.name.text) + " is for P's verifier; a test cannot evaluate it");
  return wrong(syntax.place);
}

// What can be changed. Elements of sets can't: they would be others.
const Expression* ExpressionChecker::location(const ExpressionSyntax& syntax) {
  switch (syntax.form) {
    case ExpressionForm::kField: return field(syntax, location(*syntax.parts[0]));
    case ExpressionForm::kElement: return element(syntax, location(*syntax.parts[0]));
    case ExpressionForm::kIndex: {
      const Expression* whole = location(*syntax.parts[0]);
      if (!whole->type->is(TypeKind::kSet)) return indexed(syntax, whole);
      context_.error(syntax.mark, "an element of a set cannot be assigned to");
      return wrong(syntax.place);
    }
    default: break;
  }
  const Expression* found = variable(syntax.name);
  if (found == nullptr) return undeclared(syntax.name, "no variable has that name");
  if (found->kind != ExpressionKind::kParameter) return found;
  context_.error(syntax.place, quoted(syntax.name.text) + " is a parameter of tests, and cannot be changed");
  return wrong(syntax.place);
}

}  // namespace ravel::p
