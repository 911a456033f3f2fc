#include "p/program/type_table.h"

#include <algorithm>

#include "base/check.h"

namespace ravel::p {

TypeTable::TypeTable() {
  for (int kind = 0; kind <= static_cast<int>(TypeKind::kAny); ++kind) {
    const bool is_simple = kind != static_cast<int>(TypeKind::kPermission);
    simple_.push_back(is_simple ? intern({.kind = TypeKind(kind)}) : nullptr);
  }
}

const Type* TypeTable::intern(Type type) {
  std::string key(1, static_cast<char>(type.kind));
  const auto append = [&key](std::string_view text) { key.append(text).push_back('\0'); };
  append(type.name);
  for (const Type* part : type.parts) append(std::to_string(part->number));
  for (const std::string_view field : type.fields) append(field);
  const auto [at, is_new] = made_.try_emplace(std::move(key));
  if (!is_new) return at->second;
  std::vector<const Type*> parts(type.parts.begin(), type.parts.end());
  std::vector<std::string_view> fields;
  for (const std::string_view field : type.fields) fields.push_back(arena_.copy(field));
  type.name = arena_.copy(type.name);
  type.parts = arena_.copy(parts);
  type.fields = arena_.copy(fields);
  if (type.kind == TypeKind::kNamedTuple) {
    const auto known =
        std::ranges::find_if(shapes_, [&](const auto& one) { return std::ranges::equal(one, fields); });
    type.shape = static_cast<std::uint32_t>(known - shapes_.begin());
    if (known == shapes_.end()) shapes_.push_back(type.fields);
  }
  type.number = static_cast<std::uint32_t>(all_.size());
  for (const Type* part : parts) type.depth = std::max<std::uint16_t>(type.depth, part->depth + 1);
  return at->second = &all_.emplace_back(type);
}

const Type* TypeTable::seq(const Type* element) {
  const Type* parts[] = {element};
  return intern({.kind = TypeKind::kSeq, .parts = parts});
}
const Type* TypeTable::set(const Type* element) {
  const Type* parts[] = {element};
  return intern({.kind = TypeKind::kSet, .parts = parts});
}
const Type* TypeTable::map(const Type* key, const Type* value) {
  const Type* parts[] = {key, value};
  return intern({.kind = TypeKind::kMap, .parts = parts});
}
const Type* TypeTable::tuple(const std::vector<const Type*>& parts) {
  return intern({.kind = TypeKind::kTuple, .parts = parts});
}
const Type* TypeTable::named_tuple(const std::vector<std::string_view>& fields,
                                   const std::vector<const Type*>& parts) {
  CHECK(fields.size() == parts.size());
  return intern({.kind = TypeKind::kNamedTuple, .parts = parts, .fields = fields});
}
const Type* TypeTable::enumeration(EnumId id, std::string_view name) {
  return intern({.kind = TypeKind::kEnum, .name = name, .enumeration = id});
}
const Type* TypeTable::foreign(std::string_view name) {
  return intern({.kind = TypeKind::kForeign, .name = name});
}
const Type* TypeTable::permission(std::string_view name, const EventSet* permissions) {
  return intern({.kind = TypeKind::kPermission, .name = name, .permissions = permissions});
}

bool TypeTable::is_assignable(const Type* to, const Type* from) const {
  if (to == from || to->is(TypeKind::kError) || from->is(TypeKind::kError)) return true;
  switch (to->kind) {
    case TypeKind::kAny: return true;
    case TypeKind::kMachine: return from->is(TypeKind::kNull) || from->is(TypeKind::kPermission);
    case TypeKind::kEvent: return from->is(TypeKind::kNull);
    case TypeKind::kData: return is_data(from);
    case TypeKind::kPermission:
      return from->is(TypeKind::kPermission) && *to->permissions == *from->permissions;
    case TypeKind::kSeq:
    case TypeKind::kSet:
    case TypeKind::kMap:
    case TypeKind::kTuple:
    case TypeKind::kNamedTuple: return compare_parts(to, from);
    default: return false;
  }
}

bool TypeTable::compare_parts(const Type* to, const Type* from) const {
  if (to->kind != from->kind || to->parts.size() != from->parts.size()) return false;
  const std::uint64_t pair = std::uint64_t{to->number} << 32 | from->number;
  if (const auto known = assignable_.find(pair); known != assignable_.end()) return known->second;
  const auto parts_fit = [&] {
    for (std::size_t i = 0; i < to->parts.size(); ++i)
      if (!is_assignable(to->parts[i], from->parts[i])) return false;
    return true;
  };
  const bool result = std::ranges::equal(to->fields, from->fields) && parts_fit();
  return assignable_[pair] = result;
}

bool TypeTable::is_data(const Type* type) const {
  const EventSet* held = permissions(type);
  return held != nullptr && held->is_empty();
}

const EventSet* TypeTable::permissions(const Type* type) const {
  static const EventSet kNothing;
  switch (type->kind) {
    case TypeKind::kAny:
    case TypeKind::kMachine:
    case TypeKind::kForeign: return nullptr;
    case TypeKind::kPermission: return type->permissions;
    default: break;
  }
  if (type->parts.empty()) return &kNothing;
  if (const auto known = permissions_.find(type); known != permissions_.end()) return known->second;
  EventSet all;
  const EventSet* result = nullptr;
  const bool are_known = std::ranges::all_of(type->parts, [&](const Type* part) {
    const EventSet* held = permissions(part);
    if (held != nullptr) all.add(*held);
    return held != nullptr;
  });
  if (are_known) result = &sets_.emplace_back(std::move(all));
  return permissions_[type] = result;
}

namespace {

constexpr std::size_t kShownMax = 200;

void append(std::string& text, const Type* type) {
  if (text.size() > kShownMax) return;
  const auto list = [&](std::string_view open, std::string_view close) {
    text += open;
    for (std::size_t i = 0; i < type->parts.size(); ++i) {
      if (i > 0) text += ", ";
      if (!type->fields.empty()) text.append(type->fields[i]).append(": ");
      append(text, type->parts[i]);
    }
    text += close;
  };
  switch (type->kind) {
    case TypeKind::kError: text += "?"; break;
    case TypeKind::kNull: text += "null"; break;
    case TypeKind::kBool: text += "bool"; break;
    case TypeKind::kInt: text += "int"; break;
    case TypeKind::kFloat: text += "float"; break;
    case TypeKind::kString: text += "string"; break;
    case TypeKind::kEvent: text += "event"; break;
    case TypeKind::kMachine: text += "machine"; break;
    case TypeKind::kData: text += "data"; break;
    case TypeKind::kAny: text += "any"; break;
    case TypeKind::kPermission:
    case TypeKind::kEnum:
    case TypeKind::kForeign: text += type->name; break;
    case TypeKind::kSeq: list("seq[", "]"); break;
    case TypeKind::kSet: list("set[", "]"); break;
    case TypeKind::kMap: list("map[", "]"); break;
    case TypeKind::kTuple:
    case TypeKind::kNamedTuple: list("(", ")"); break;
  }
}

}  // namespace

std::string to_string(const Type* type) {
  std::string text;
  append(text, type);
  if (text.size() > kShownMax) text = text.substr(0, kShownMax) + "...";
  return text;
}

}  // namespace ravel::p
