// States that differ only in how interchangeable machines are called, as one.
//
// The idea: states/member_order.h says which machines get whose names, and the state under these names stands
// for all that differ in names only. Those exchange their names that have the same parent and the same
// binding. That a program cannot tell such states apart is watched (machine/opaque_names.h).
//
// Cost: where an image was seen before, a look-up; the rest is a walk over it. Where names are exchanged,
// what holds them is stored anew.

#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "p/machine/world.h"
#include "p/system/name_shape.h"
#include "states/member_order.h"

namespace ravel::p {

class StateSymmetry {
 public:
  // Both must outlive this. The group is World::symmetric().
  StateSymmetry(World& world, ValueStore& store) : world_(world), store_(store), tree_(world.names()) {}

  // The state that stands for this one (World::save): the words themselves, or those that are valid until the
  // next call. REQUIRES: the world is in this state.
  std::span<const Value> representative(std::span<const Value> words);
  // The store was collected.
  void forget_values() { shapes_.clear(); }

 private:
  using Index = MachineNames::Index;
  static constexpr std::size_t kShapesMax = 1 << 16;
  static constexpr unsigned kDepthMax = 1'000;

  class Tree final : public NameTree {
   public:
    explicit Tree(const MachineNames& names) : names_(names) {}
    std::uint32_t parent(std::uint32_t name) const override {
      return name == MachineNames::kRoot ? kNone : names_.parent(name);
    }
    std::uint32_t ordinal(std::uint32_t name) const override { return names_.path(name).back(); }

   private:
    const MachineNames& names_;
  };

  void add_parts(std::span<const Value> words);
  void add_members();
  bool rename(std::span<const Value> words, std::vector<Value>& to);
  Index new_name(Index who);
  Value renamed(Value value);
  Value renamed_object(Value value);

  World& world_;
  ValueStore& store_;
  std::unordered_map<Word, NameShape> shapes_;  // by image
  const Tree tree_;
  MemberOrder order_{tree_};
  std::vector<Value> words_, other_words_;
  // Of a renaming
  std::unordered_map<Word, Value> renamed_;
  unsigned depth_ = 0;
  bool has_failed_ = false;  // something was so deep that it was left as it is: then nothing is right
};

}  // namespace ravel::p
