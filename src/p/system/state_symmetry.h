// States that differ only in how interchangeable machines are called, as one.
//
// The idea (C. N. Ip and D. L. Dill, "Better verification through symmetry", 1996; the heuristic
// canonicalization of Murphi), as for Erlang (erlang/system/state_symmetry.h): members of the group that have
// the same parent and the same binding exchange their names, with all that is below them. They are put in the
// order of what is known of each without its name: its own image, and where its name lies elsewhere; that is
// refined by what is known of the others among which it lies. Those that are still equal are exchangeable
// unless something names two of them; then all orders are tried if there are few, and the least state is
// taken. If there are many the state is left as it is.
//
// What comes out is the state under other names, whatever was taken for equal: so nothing that goes wrong
// here makes two states one that are not the same up to names. It only leaves more of them. That a program
// cannot tell such states apart is for World to watch (machine/opaque_names.cc).
//
// Cost: where an image was seen before, a look-up; the rest is a walk over it. Where names are exchanged,
// what holds them is stored anew.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "p/machine/world.h"
#include "p/system/name_shape.h"

namespace ravel::p {

class StateSymmetry {
 public:
  // Both must outlive this. The group is World::symmetric().
  StateSymmetry(World& world, ValueStore& store) : world_(world), store_(store) {}

  // The state that stands for this one (World::save): the words themselves, or those that are valid until the
  // next call. REQUIRES: the world is in this state.
  std::span<const Value> representative(std::span<const Value> words);
  // The store was collected.
  void forget_values() { shapes_.clear(); }

 private:
  using Index = MachineNames::Index;
  static constexpr std::int32_t kNobody = -1;
  static constexpr std::size_t kShapesMax = 1 << 16;
  static constexpr unsigned kDepthMax = 1'000;
  // How many orders of members that look the same are tried.
  static constexpr std::size_t kOrdersMax = 120;

  // A machine, or a monitor, which has no index.
  struct Part {
    std::optional<Index> who;
    Value image;
    const NameShape* names = nullptr;
    std::int32_t owner = kNobody;  // the member whose it is, or below which
    std::uint64_t path = 0;        // from there
  };
  struct Member {
    Index who = 0;
    std::pair<Index, std::uint32_t> kind = {};  // only those of one kind exchange names: parent, binding
    std::uint64_t colour = 0, next = 0;
  };
  // Machines and the names that they get.
  using NewNames = std::vector<std::pair<Index, Index>>;
  // First and one behind the last in an order of members.
  using Range = std::pair<std::size_t, std::size_t>;

  Member& member(std::int32_t number) { return members_[static_cast<std::size_t>(number)]; }
  const Member& member(std::int32_t number) const { return members_[static_cast<std::size_t>(number)]; }
  std::vector<Range> runs(std::span<const std::int32_t> order, auto is_alike) const;
  bool find_parts(std::span<const Value> words);
  bool find_members();
  std::int32_t owner_of(Index who, std::uint64_t& path) const;
  void colour_members();
  std::size_t count_colours() const;
  void find_order();
  bool are_entangled(std::span<const std::int32_t> tied) const;
  NewNames names_for(std::span<const std::int32_t> order) const;
  bool try_orders(std::span<const Value> words);

  bool rename(std::span<const Value> words, const NewNames& names, std::vector<Value>& to);
  Index new_name(Index who);
  Value renamed(Value value);
  Value renamed_object(Value value);

  World& world_;
  ValueStore& store_;
  std::unordered_map<Word, NameShape> shapes_;  // by image
  std::vector<Part> parts_;
  std::vector<Member> members_;
  std::vector<std::int32_t> member_of_;  // by index
  std::vector<std::int32_t> order_;      // of members, kind by kind
  std::vector<Range> ties_;              // of members that look alike, in order_
  std::vector<Value> words_, other_words_;
  // Of a renaming
  std::vector<std::optional<Index>> target_;  // by member
  std::unordered_map<Word, Value> renamed_;
  unsigned depth_ = 0;
  bool has_failed_ = false;  // something was so deep that it was left as it is: then nothing is right
};

}  // namespace ravel::p
