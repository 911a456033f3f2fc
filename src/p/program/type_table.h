// Makes types, each once, and compares them.
//
// What may be assigned to what: `any` takes everything, `machine` every reference and null, `event` null,
// `data` what holds no reference to a machine; a permission takes references with the same permissions;
// collections and tuples compare part by part (they are copied, so that is sound), tuples with names also by
// the names and their order. All else must be the same.
//
// Cost: making is a look-up. Comparing is memoised, since types are graphs that may be exponential as trees.

#pragma once

#include <deque>
#include <unordered_map>
#include <vector>

#include "p/program/type.h"
#include "p/source/arena.h"

namespace ravel::p {

class TypeTable {
 public:
  TypeTable();
  TypeTable(const TypeTable&) = delete;

  // One that is not composed.
  const Type* of(TypeKind kind) const { return simple_[static_cast<std::size_t>(kind)]; }
  const Type* error() const { return of(TypeKind::kError); }
  const Type* null() const { return of(TypeKind::kNull); }
  const Type* seq(const Type* element);
  const Type* set(const Type* element);
  const Type* map(const Type* key, const Type* value);
  const Type* tuple(const std::vector<const Type*>& parts);
  // REQUIRES: as many fields as parts.
  const Type* named_tuple(const std::vector<std::string_view>& fields, const std::vector<const Type*>& parts);
  const Type* enumeration(EnumId id, std::string_view name);
  const Type* foreign(std::string_view name);
  // `permissions` stays where it is, and is complete when types are compared.
  const Type* permission(std::string_view name, const EventSet* permissions);

  bool is_assignable(const Type* to, const Type* from) const;
  // Whether each may be assigned to the other.
  bool is_same(const Type* a, const Type* b) const { return is_assignable(a, b) && is_assignable(b, a); }
  // Whether `data` takes it.
  bool is_data(const Type* type) const;
  // The events that references inside it give a right to; nullptr: all.
  const EventSet* permissions(const Type* type) const;

  // The fields of tuples with names of that shape.
  std::span<const std::string_view> fields_of_shape(std::uint32_t shape) const { return shapes_[shape]; }
  std::size_t shapes() const { return shapes_.size(); }

  std::size_t size() const { return all_.size(); }
  const Type* at(std::size_t number) const { return &all_[number]; }

 private:
  const Type* intern(Type type);
  bool compare_parts(const Type* to, const Type* from) const;

  Arena arena_;
  std::deque<Type> all_;
  std::vector<const Type*> simple_;
  std::unordered_map<std::string, const Type*> made_;  // by kind, name and the numbers of the parts
  std::vector<std::span<const std::string_view>> shapes_;
  mutable std::unordered_map<std::uint64_t, bool> assignable_;
  mutable std::unordered_map<const Type*, const EventSet*> permissions_;
  mutable std::deque<EventSet> sets_;
};

}  // namespace ravel::p
