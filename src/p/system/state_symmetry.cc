#include "p/system/state_symmetry.h"

#include <algorithm>
#include <utility>

#include "p/value/object.h"
#include "p/value/ordered_tree.h"
#include "p/value/sequence.h"

namespace ravel::p {

void StateSymmetry::add_parts(std::span<const Value> words) {
  if (shapes_.size() > kShapesMax) shapes_.clear();
  const std::size_t machines = words.size() - world_.monitors().size();
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].is_none()) continue;
    const auto [shape, is_new] = shapes_.try_emplace(words[i].bits());
    if (is_new) shape->second = shape_of(words[i], world_.names());
    order_.add_part(i < machines ? static_cast<Index>(i) : NameTree::kNone, shape->second);
  }
}

void StateSymmetry::add_members() {
  for (const Index who : world_.names().in_order()) {
    if (who == MachineNames::kRoot || who >= world_.size() || !world_.exists(who)) continue;
    const LiveMachine& live = world_.live(who);
    if (world_.symmetric().contains(live.machine))
      order_.add_member(who, {world_.names().parent(who), live.bound});
  }
}

std::span<const Value> StateSymmetry::representative(std::span<const Value> words) {
  order_.begin();
  add_parts(words);
  add_members();
  if (!order_.find()) return words;
  const auto is_less = [](std::span<const Value> a, std::span<const Value> b) {
    return std::ranges::lexicographical_compare(a, b, {}, ValueStore::hash, ValueStore::hash);
  };
  bool is_first = true;
  do {
    if (!rename(words, other_words_)) return words;
    if (std::exchange(is_first, false) || is_less(other_words_, words_)) words_.swap(other_words_);
  } while (order_.next());
  return words_;
}

// --- other names

// False: it could not be done.
bool StateSymmetry::rename(std::span<const Value> words, std::vector<Value>& to) {
  to.assign(words.begin(), words.end());
  if (order_.exchanges().empty()) return true;
  renamed_.clear();
  has_failed_ = false;
  const std::size_t machines = words.size() - world_.monitors().size();
  to.assign(machines, Value::none());
  for (std::size_t i = 0; i < machines; ++i) {
    if (words[i].is_none()) continue;
    const Index name = new_name(static_cast<Index>(i));
    if (name >= to.size()) to.resize(name + 1, Value::none());
    to[name] = renamed(words[i]);
  }
  while (to.back().is_none()) to.pop_back();
  for (const Value monitor : words.subspan(machines)) to.push_back(renamed(monitor));
  return !has_failed_;
}

MachineNames::Index StateSymmetry::new_name(Index who) {
  std::vector<std::uint32_t> below;  // ordinals, the last one first
  Index member = who;
  for (; !order_.is_member(member); member = world_.names().parent(member)) {
    if (member == MachineNames::kRoot) return who;
    below.push_back(world_.names().path(member).back());
  }
  Index name = order_.new_name(member);
  if (name == member) return who;
  for (auto ordinal = below.rbegin(); ordinal != below.rend(); ++ordinal)
    name = world_.name_of(name, *ordinal);
  return name;
}

Value StateSymmetry::renamed(Value value) {
  if (value.is_machine()) {
    const Index name = new_name(world_.names().index_of(value.machine_number()));
    return Value::machine(world_.names().number(name));
  }
  if (!value.is_object() || is_raw(kind_of(value))) return value;
  const auto known = renamed_.find(value.bits());
  if (known != renamed_.end()) return known->second;
  has_failed_ = has_failed_ || depth_ == kDepthMax;
  if (has_failed_) return value;
  ++depth_;
  const Value made = renamed_object(value);
  --depth_;
  renamed_.emplace(value.bits(), made);
  return made;
}

Value StateSymmetry::renamed_object(Value value) {
  const auto all_renamed = [&](std::vector<Value> values) {
    for (Value& one : values) one = renamed(one);
    return values;
  };
  if (is_seq(value)) return seq::of(store_, all_renamed(seq::elements(value)));
  if (is_set(value)) return set::of(store_, all_renamed(ordered::keys(value)));
  if (is_map(value)) {
    const std::vector<Value> keys = all_renamed(ordered::keys(value)),
                             values = all_renamed(ordered::values(value));
    Value map = store_.empty_map();
    for (std::size_t i = 0; i < keys.size(); ++i) map = map::with(store_, map, keys[i], values[i]);
    return map;
  }
  std::vector<Value> parts;
  for (const Word word : raw_words(value)) parts.push_back(renamed(Value(word)));
  return store_.make(kind_of(value), parts);
}

}  // namespace ravel::p
