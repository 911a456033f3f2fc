#include "p/checker/type_resolver.h"

#include <algorithm>

#include "p/source/nesting.h"

namespace ravel::p {

const Type* TypeResolver::resolve(const TypeSyntax* syntax) {
  TypeTable& types = context_.types();
  if (syntax == nullptr) return types.null();
  if (depth_ > kNestingMax) {
    context_.error(syntax->place, "this type is nested more than " + std::to_string(kNestingMax) + " deep");
    return types.error();
  }
  ++depth_;
  std::vector<const Type*> parts;
  for (const TypeSyntax* part : syntax->parts) parts.push_back(resolve(part));
  --depth_;
  if (std::ranges::any_of(parts, [](const Type* part) { return part->is(TypeKind::kError); }))
    return types.error();
  switch (syntax->form) {
    case TypeForm::kNamed: return named(syntax->name);
    case TypeForm::kBool: return types.of(TypeKind::kBool);
    case TypeForm::kInt: return types.of(TypeKind::kInt);
    case TypeForm::kFloat: return types.of(TypeKind::kFloat);
    case TypeForm::kString: return types.of(TypeKind::kString);
    case TypeForm::kEvent: return types.of(TypeKind::kEvent);
    case TypeForm::kMachine: return types.of(TypeKind::kMachine);
    case TypeForm::kData: return types.of(TypeKind::kData);
    case TypeForm::kAny: return types.of(TypeKind::kAny);
    case TypeForm::kSeq: return checked_depth(types.seq(parts[0]), syntax->place);
    case TypeForm::kSet: return checked_depth(types.set(parts[0]), syntax->place);
    case TypeForm::kMap: return checked_depth(types.map(parts[0], parts[1]), syntax->place);
    case TypeForm::kTuple: return checked_depth(types.tuple(parts), syntax->place);
    case TypeForm::kNamedTuple: return checked_depth(named_tuple(*syntax, parts), syntax->place);
  }
  return types.error();
}

// Typedefs can nest deeper than any text.
const Type* TypeResolver::checked_depth(const Type* type, Place place) {
  if (type->depth <= kNestingMax) return type;
  context_.error(place, "this type is nested more than " + std::to_string(kNestingMax) + " deep");
  return context_.types().error();
}

const Type* TypeResolver::named_tuple(const TypeSyntax& syntax, const std::vector<const Type*>& parts) {
  std::vector<std::string_view> fields;
  for (const Name& field : syntax.fields) {
    if (std::ranges::find(fields, field.text) != fields.end()) {
      context_.error(field.place, "this tuple already has a field " + quoted(field.text));
      return context_.types().error();
    }
    fields.push_back(field.text);
  }
  return context_.types().named_tuple(fields, parts);
}

const Type* TypeResolver::named(const Name& name) {
  GlobalNames& names = context_.names;
  TypeTable& types = context_.types();
  if (const EnumId* id = find(names.enums, name.text)) return types.enumeration(*id, name.text);
  if (const auto at = names.typedefs.find(name.text); at != names.typedefs.end())
    return of_typedef(name, at->second);
  if (const auto* set = find(names.event_sets, name.text)) return types.permission(name.text, *set);
  if (const InterfaceId* id = find(names.interfaces, name.text))
    return types.permission(name.text, context_.program.interface(*id).receives);
  if (find(names.machines, name.text) != nullptr) {
    // A spec receives nothing.
    return types.permission(name.text, &context_.program.event_sets.emplace_back());
  }
  if (const EventId* id = find(names.events, name.text)) {
    EventSet& only = context_.program.event_sets.emplace_back();
    only.add(*id);
    return types.permission(name.text, &only);
  }
  if (context_.undeclared_types.insert(name.text).second)
    context_.error(
        name.place,
        quoted(name.text) +
            " is not declared: no type, enum, machine, interface, event set or event has that name");
  return types.error();
}

const Type* TypeResolver::of_typedef(const Name& name, Typedef& definition) {
  if (definition.type != nullptr) return definition.type;
  if (definition.is_being_resolved) {
    context_.error(name.place, "the type " + quoted(name.text) + " contains itself");
    return context_.types().error();
  }
  if (definition.syntax->type == nullptr) {
    context_.program.foreign_types.push_back(context_.program.arena.copy(name.text));
    return definition.type = context_.types().foreign(name.text);
  }
  definition.is_being_resolved = true;
  ++depth_;
  definition.type = resolve(definition.syntax->type);
  --depth_;
  definition.is_being_resolved = false;
  return definition.type;
}

}  // namespace ravel::p
