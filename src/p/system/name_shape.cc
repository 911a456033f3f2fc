#include "p/system/name_shape.h"

#include "base/hash.h"
#include "p/value/object.h"
#include "p/value/ordered_tree.h"
#include "p/value/sequence.h"
#include "p/value/store.h"

namespace ravel::p {
namespace {

constexpr std::uint64_t kName = 0x51;  // any number
constexpr std::size_t kSlotsMax = 4'096;
constexpr unsigned kDepthMax = 1'000;

class Walk {
 public:
  explicit Walk(const MachineNames& names) : names_(names) {}

  // Adds to `shape`, and gives the hash of this value.
  std::uint64_t walk(Value value, std::uint64_t place, NameShape& shape) {
    if (value.is_machine()) {
      shape.slots.push_back({.name = names_.index_of(value.machine_number()), .slot = place});
      shape.is_too_large |= shape.slots.size() > kSlotsMax;
      return kName;
    }
    if (!value.is_object() || is_raw(kind_of(value))) return ValueStore::hash(value);
    shape.is_too_large |= depth_ == kDepthMax;
    if (shape.is_too_large) return 0;
    ++depth_;
    const std::uint64_t hash = walk_inside(value, place, shape);
    --depth_;
    return hash;
  }

 private:
  std::uint64_t walk_inside(Value value, std::uint64_t place, NameShape& shape) {
    std::uint64_t hash = static_cast<std::uint64_t>(kind_of(value));
    if (is_seq(value)) {
      hash = static_cast<std::uint64_t>(ObjectKind::kSeq);
      std::size_t at = 0;
      for (const Value one : seq::elements(value))
        hash = combine(hash, walk(one, combine(place, ++at), shape));
      return hash;
    }
    if (is_set(value) || is_map(value)) return walk_unordered(value, place, shape);
    for (std::size_t i = 0; i < words_of(value); ++i)
      hash = combine(hash, walk(part(value, i), combine(place, i + 1), shape));
    return hash;
  }

  std::uint64_t walk_unordered(Value value, std::uint64_t place, NameShape& shape) {
    const bool has_values = is_map(value);
    const std::vector<Value> keys = ordered::keys(value);
    const std::vector<Value> values = has_values ? ordered::values(value) : std::vector<Value>();
    std::uint64_t all = has_values ? 1 : 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      NameShape inner;
      std::uint64_t hash = walk(keys[i], 1, inner);
      if (has_values) hash = combine(hash, walk(values[i], 2, inner));
      all += mix(hash);
      shape.is_joint |= inner.is_joint || inner.slots.size() > 1;
      for (const NameSlot& one : inner.slots)
        shape.slots.push_back({.name = one.name, .slot = combine(combine(place, hash), one.slot)});
      shape.is_too_large |= inner.is_too_large || shape.slots.size() > kSlotsMax;
    }
    return combine(keys.size(), all);
  }

  const MachineNames& names_;
  unsigned depth_ = 0;
};

}  // namespace

NameShape shape_of(Value value, const MachineNames& names) {
  NameShape shape;
  shape.shape = Walk(names).walk(value, 0, shape);
  return shape;
}

}  // namespace ravel::p
