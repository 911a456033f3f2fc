#include "states/member_order.h"

#include <algorithm>
#include <numeric>

#include "base/hash.h"

namespace ravel {

namespace {

// Any numbers.
constexpr std::uint64_t kSelf = 0x61, kOther = 0x62, kPlace = 0x63, kWithout = 0x64;

}  // namespace

void MemberOrder::begin() {
  for (const Member& member : members_) member_of_[member.name] = kNobody;
  parts_.clear();
  slots_.clear();
  members_.clear();
  ties_.clear();
  exchanges_.clear();
}

void MemberOrder::add_part(std::uint32_t who, const NameShape& shape) {
  parts_.push_back({.who = who, .shape = &shape});
}

void MemberOrder::add_member(std::uint32_t who, const Kind& kind) {
  if (owner_of(who).member != kNobody) return;
  if (who >= member_of_.size()) member_of_.resize(who + 1, kNobody);
  member_of_[who] = static_cast<std::uint32_t>(members_.size());
  members_.push_back({.name = who, .new_name = who, .kind = kind});
}

MemberOrder::Owner MemberOrder::owner_of(std::uint32_t name) const {
  std::uint64_t path = kSelf;
  while (name != NameTree::kNone) {
    if (is_member(name)) return {.member = member_of_[name], .path = path};
    const std::uint32_t parent = tree_.parent(name);
    if (parent != NameTree::kNone) path = combine(path, tree_.ordinal(name));
    name = parent;
  }
  return {};
}

std::span<const MemberOrder::Slot> MemberOrder::slots_of(std::size_t part) const {
  return std::span(slots_).subspan(parts_[part].first_slot, parts_[part].shape->slots.size());
}

// Groups of neighbours in order_.
std::vector<MemberOrder::Range> MemberOrder::runs(auto is_alike) const {
  std::vector<Range> all;
  for (std::size_t i = 0; i < order_.size();) {
    std::size_t end = i + 1;
    while (end < order_.size() && is_alike(members_[order_[i]], members_[order_[end]])) ++end;
    all.emplace_back(i, end);
    i = end;
  }
  return all;
}

void MemberOrder::find_ties(auto is_alike) {
  ties_ = runs(is_alike);
  std::erase_if(ties_, [](const Range& range) { return range.second - range.first == 1; });
}

void MemberOrder::find_owners() {
  for (Part& part : parts_) {
    part.owner = owner_of(part.who);
    part.first_slot = slots_.size();
    for (const NameSlot& one : part.shape->slots)
      slots_.push_back({.owner = owner_of(one.name), .name = one.name, .slot = one.slot});
  }
}

std::size_t MemberOrder::count_colours() const {
  std::vector<std::uint64_t> colours;
  for (const Member& member : members_) colours.push_back(member.colour);
  std::ranges::sort(colours);
  return static_cast<std::size_t>(std::ranges::unique(colours).begin() - colours.begin());
}

// Each round tells apart who lies at another place, or among others.
void MemberOrder::colour_members() {
  for (Member& member : members_) member.colour = combine(member.kind.first, member.kind.second);
  std::size_t known = 0;
  for (std::size_t round = 0; round <= members_.size(); ++round) {
    for (Member& member : members_) member.next = member.colour;
    for (std::size_t number = 0; number < parts_.size(); ++number) {
      const Part& part = parts_[number];
      const std::uint64_t its = part.owner.member != kNobody
                                    ? combine(members_[part.owner.member].colour, part.owner.path)
                                : part.who == NameTree::kNone ? combine(kWithout, number)
                                                              : combine(kPlace, part.who);
      std::uint64_t own = combine(part.shape->shape, its);
      for (const Slot& one : slots_of(number)) {
        if (one.owner.member == kNobody) {
          own += mix(combine(one.slot, combine(kPlace, one.name)));
        } else if (one.owner.member == part.owner.member) {
          own += mix(combine(one.slot, combine(kSelf, one.owner.path)));
        } else {
          Member& other = members_[one.owner.member];
          own += mix(combine(one.slot, combine(combine(kOther, one.owner.path), other.colour)));
          other.next += mix(combine(combine(its, one.slot), one.owner.path));
        }
      }
      if (part.owner.member != kNobody) members_[part.owner.member].next += mix(own);
    }
    for (Member& member : members_) member.colour = mix(member.next);
    const std::size_t count = count_colours();
    if (count == members_.size() || (round > 0 && count == known)) return;
    known = count;
  }
}

// Whether something is said of two members that look alike.
bool MemberOrder::are_tied_entangled() const {
  std::vector<bool> is_tied(members_.size(), false);
  for (const auto& [begin, end] : ties_)
    for (std::size_t i = begin; i < end; ++i) is_tied[order_[i]] = true;
  for (std::size_t number = 0; number < parts_.size(); ++number) {
    const Part& part = parts_[number];
    const bool is_joint = part.shape->is_joint;
    if (!is_joint && (part.owner.member == kNobody || !is_tied[part.owner.member])) continue;
    const auto is_other = [&](const Slot& one) {
      return one.owner.member != kNobody && is_tied[one.owner.member] &&
             (is_joint || one.owner.member != part.owner.member);
    };
    if (std::ranges::any_of(slots_of(number), is_other)) return true;
  }
  return false;
}

bool MemberOrder::find() {
  const auto is_too_large = [](const Part& part) { return part.shape->is_too_large; };
  if (members_.size() < 2 || std::ranges::any_of(parts_, is_too_large)) return false;
  order_.resize(members_.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::ranges::stable_sort(order_, {}, [this](std::uint32_t one) { return members_[one].kind; });
  const auto has_same_kind = [](const Member& a, const Member& b) { return a.kind == b.kind; };
  kinds_ = runs(has_same_kind);
  if (kinds_.size() == members_.size()) return false;
  find_owners();
  colour_members();
  for (const Range& kind : kinds_)
    std::ranges::stable_sort(in_order(kind), {}, [this](std::uint32_t one) { return members_[one].colour; });
  find_ties([](const Member& a, const Member& b) { return a.kind == b.kind && a.colour == b.colour; });
  if (!ties_.empty() && !are_tied_entangled()) ties_.clear();
  std::size_t orders = 1;
  for (const auto& [begin, end] : ties_) {
    for (std::size_t i = 2; i <= end - begin && orders <= kOrdersMax; ++i) orders *= i;
    std::ranges::sort(in_order({begin, end}));
  }
  if (orders > kOrdersMax) return false;
  name_members();
  return true;
}

bool MemberOrder::next() {
  const bool is_further = std::ranges::any_of(
      ties_, [this](const Range& tie) { return std::ranges::next_permutation(in_order(tie)).found; });
  if (is_further) name_members();
  return is_further;
}

// Each kind gets its names in their order. Members are in the order of their names.
void MemberOrder::name_members() {
  exchanges_.clear();
  std::vector<std::uint32_t> by_name;
  for (const Range& kind : kinds_) {
    const std::span<const std::uint32_t> order = in_order(kind);
    by_name.assign(order.begin(), order.end());
    std::ranges::sort(by_name);
    for (std::size_t i = 0; i < order.size(); ++i) {
      Member& member = members_[order[i]];
      member.new_name = members_[by_name[i]].name;
      if (member.new_name != member.name) exchanges_.push_back({.from = member.name, .to = member.new_name});
    }
  }
}

bool MemberOrder::has_changing_name(std::size_t part) const {
  return std::ranges::any_of(slots_of(part), [this](const Slot& one) {
    return one.owner.member != kNobody &&
           members_[one.owner.member].new_name != members_[one.owner.member].name;
  });
}

}  // namespace ravel
