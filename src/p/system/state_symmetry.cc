#include "p/system/state_symmetry.h"

#include <algorithm>
#include <numeric>

#include "base/hash.h"
#include "p/value/object.h"
#include "p/value/ordered_tree.h"
#include "p/value/sequence.h"

namespace ravel::p {
namespace {

// Any numbers.
constexpr std::uint64_t kSelf = 0x61, kOther = 0x62, kPlace = 0x63, kWithout = 0x64;

}  // namespace

// --- who they are, and what is known of each

// False: something is too large to be looked at.
bool StateSymmetry::find_parts(std::span<const Value> words) {
  if (shapes_.size() > kShapesMax) shapes_.clear();
  parts_.clear();
  const std::size_t machines = words.size() - world_.monitors().size();
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].is_none()) continue;
    const auto [shape, is_new] = shapes_.try_emplace(words[i].bits());
    if (is_new) shape->second = shape_of(words[i]);
    if (shape->second.is_too_large) return false;
    parts_.push_back({.who = i < machines ? std::optional(static_cast<Index>(i)) : std::nullopt,
                      .image = words[i],
                      .names = &shape->second});
  }
  return true;
}

// The member whose name that is, or below which it is; `path`: from there.
std::int32_t StateSymmetry::owner_of(Index who, std::uint64_t& path) const {
  path = kSelf;
  while (true) {
    if (who < member_of_.size() && member_of_[who] != kNobody) return member_of_[who];
    if (who == MachineNames::kRoot) return kNobody;
    path = combine(path, world_.names().path(who).back());
    who = world_.names().parent(who);
  }
}

// Groups of neighbours.
std::vector<StateSymmetry::Range> StateSymmetry::runs(std::span<const std::int32_t> order,
                                                      auto is_alike) const {
  std::vector<Range> all;
  for (std::size_t i = 0; i < order.size();) {
    std::size_t end = i + 1;
    while (end < order.size() && is_alike(member(order[i]), member(order[end]))) ++end;
    all.emplace_back(i, end);
    i = end;
  }
  return all;
}

// False: no two of them could exchange their names.
bool StateSymmetry::find_members() {
  members_.clear();
  member_of_.assign(world_.names().size(), kNobody);
  for (const Index who : world_.names().in_order()) {  // who is above comes before
    if (who == MachineNames::kRoot || who >= world_.size() || !world_.exists(who)) continue;
    const LiveMachine& live = world_.live(who);
    std::uint64_t path = 0;
    if (!world_.symmetric().contains(live.machine) || owner_of(who, path) != kNobody) continue;
    member_of_[who] = static_cast<std::int32_t>(members_.size());
    members_.push_back({.who = who, .kind = {world_.names().parent(who), live.bound}});
  }
  if (members_.size() < 2) return false;
  order_.resize(members_.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::ranges::stable_sort(order_, {}, [&](std::int32_t one) { return member(one).kind; });
  ties_ = runs(order_, [](const Member& a, const Member& b) { return a.kind == b.kind; });
  std::erase_if(ties_, [](const Range& range) { return range.second - range.first == 1; });
  for (Part& part : parts_)
    if (part.who) part.owner = owner_of(*part.who, part.path);
  return !ties_.empty();
}

std::size_t StateSymmetry::count_colours() const {
  std::vector<std::uint64_t> colours;
  for (const Member& member : members_) colours.push_back(member.colour);
  std::ranges::sort(colours);
  return static_cast<std::size_t>(std::ranges::unique(colours).begin() - colours.begin());
}

// Each round tells apart who lies at another place, or among others.
void StateSymmetry::colour_members() {
  for (Member& member : members_) member.colour = combine(member.kind.first, member.kind.second);
  std::size_t known = 0;
  for (std::size_t round = 0; round <= members_.size(); ++round) {
    for (Member& member : members_) member.next = member.colour;
    std::uint64_t number = 0;
    for (const Part& part : parts_) {
      const std::uint64_t its = part.owner != kNobody ? combine(member(part.owner).colour, part.path)
                                : !part.who           ? combine(kWithout, number)
                                                      : combine(kPlace, *part.who);
      ++number;
      std::uint64_t own = combine(part.names->shape, its);
      for (const auto& [machine, slot] : part.names->slots) {
        const Index who = world_.names().index_of(machine);
        std::uint64_t path = 0;
        const std::int32_t owner = owner_of(who, path);
        if (owner == kNobody) {
          own += mix(combine(slot, combine(kPlace, who)));
        } else if (owner == part.owner) {
          own += mix(combine(slot, combine(kSelf, path)));
        } else {
          Member& other = member(owner);
          own += mix(combine(slot, combine(combine(kOther, path), other.colour)));
          other.next += mix(combine(combine(its, slot), path));
        }
      }
      if (part.owner != kNobody) member(part.owner).next += mix(own);
    }
    for (Member& member : members_) member.colour = mix(member.next);
    const std::size_t count = count_colours();
    if (count == members_.size() || (round > 0 && count == known)) return;
    known = count;
  }
}

// Sorts each kind; what remains alike are the ties.
void StateSymmetry::find_order() {
  const auto colour_of = [&](std::int32_t one) { return member(one).colour; };
  for (const auto& [begin, end] : ties_)
    std::ranges::stable_sort(std::span(order_).subspan(begin, end - begin), {}, colour_of);
  ties_ =
      runs(order_, [](const Member& a, const Member& b) { return a.kind == b.kind && a.colour == b.colour; });
  std::erase_if(ties_, [](const Range& range) { return range.second - range.first == 1; });
}

// Whether something is said of two members that look alike.
bool StateSymmetry::are_entangled(std::span<const std::int32_t> tied) const {
  const auto is_tied = [&](std::int32_t who) { return std::ranges::find(tied, who) != tied.end(); };
  return std::ranges::any_of(parts_, [&](const Part& part) {
    if (!part.names->is_joint && (part.owner == kNobody || !is_tied(part.owner))) return false;
    return std::ranges::any_of(part.names->slots, [&](const NameSlot& one) {
      std::uint64_t path = 0;
      const std::int32_t who = owner_of(world_.names().index_of(one.machine), path);
      return who != kNobody && is_tied(who) && (part.names->is_joint || who != part.owner);
    });
  });
}

// Each kind gets its names in their order.
StateSymmetry::NewNames StateSymmetry::names_for(std::span<const std::int32_t> order) const {
  NewNames names;
  for (const auto& [begin, end] :
       runs(order, [](const Member&a, const Member&b) { return a.kind == b.kind; })) {
    std::vector<std::int32_t> by_name(order.begin() + static_cast<std::ptrdiff_t>(begin),
                                      order.begin() + static_cast<std::ptrdiff_t>(end));
    std::ranges::sort(by_name);  // members are in the order of their names
    for (std::size_t i = begin; i < end; ++i)
      if (order[i] != by_name[i - begin])
        names.emplace_back(member(order[i]).who, member(by_name[i - begin]).who);
  }
  return names;
}

std::span<const Value> StateSymmetry::representative(std::span<const Value> words) {
  if (!find_parts(words) || !find_members()) return words;
  colour_members();
  find_order();
  std::vector<std::int32_t> tied;
  std::size_t orders = 1;
  for (const auto& [begin, end] : ties_) {
    tied.insert(tied.end(), order_.begin() + static_cast<std::ptrdiff_t>(begin),
                order_.begin() + static_cast<std::ptrdiff_t>(end));
    for (std::size_t i = 2; i <= end - begin && orders <= kOrdersMax; ++i) orders *= i;
  }
  if (tied.empty() || !are_entangled(tied))
    return rename(words, names_for(order_), words_) ? std::span<const Value>(words_) : words;
  if (orders > kOrdersMax) return words;
  return try_orders(words) ? std::span<const Value>(words_) : words;
}

// All orders of those that look alike; words_ becomes the least state. False: it could not be done.
bool StateSymmetry::try_orders(std::span<const Value> words) {
  for (const auto& [begin, end] : ties_) std::ranges::sort(std::span(order_).subspan(begin, end - begin));
  const auto next_order = [&] {
    return std::ranges::any_of(ties_, [&](const Range& tie) {
      return std::ranges::next_permutation(std::span(order_).subspan(tie.first, tie.second - tie.first))
          .found;
    });
  };
  const auto is_less = [](std::span<const Value> a, std::span<const Value> b) {
    return std::ranges::lexicographical_compare(a, b, {}, ValueStore::hash, ValueStore::hash);
  };
  bool is_first = true;
  do {
    if (!rename(words, names_for(order_), other_words_)) return false;
    if (is_first || is_less(other_words_, words_)) words_.swap(other_words_);
    is_first = false;
  } while (next_order());
  return true;
}

// --- other names

// False: it could not be done.
bool StateSymmetry::rename(std::span<const Value> words, const NewNames& names, std::vector<Value>& to) {
  to.assign(words.begin(), words.end());
  if (names.empty()) return true;
  target_.assign(members_.size(), std::nullopt);
  for (const auto& [from, other] : names) target_[static_cast<std::size_t>(member_of_[from])] = other;
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
  Index above = who;
  while (member_of_[above] == kNobody && above != MachineNames::kRoot) {
    below.push_back(world_.names().path(above).back());
    above = world_.names().parent(above);
  }
  if (member_of_[above] == kNobody) return who;
  const std::optional<Index> target = target_[static_cast<std::size_t>(member_of_[above])];
  if (!target) return who;
  Index name = *target;
  for (auto ordinal = below.rbegin(); ordinal != below.rend(); ++ordinal)
    name = world_.name_of(name, *ordinal);
  // What was named now is below a member, too.
  member_of_.resize(world_.names().size(), kNobody);
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
