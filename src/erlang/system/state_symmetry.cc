#include "erlang/system/state_symmetry.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/check.h"
#include "base/hash.h"
#include "erlang/machine/process_image.h"

namespace ravel::erlang {

namespace {

// Any numbers.
constexpr std::uint64_t kSelf = 0x61, kOther = 0x62, kPlace = 0x63, kWithout = 0x64;

}  // namespace

const StateSymmetry::Shape& StateSymmetry::shape_of(Term image, auto make) {
  const auto [place, is_new] = shapes_.try_emplace(image.bits());
  if (is_new) place->second = make();
  return place->second;
}

void StateSymmetry::forget_terms() {
  shapes_.clear();
  renaming_.forget_terms();
}

void StateSymmetry::find_parts(std::span<const Term> words) {
  if (shapes_.size() > kShapesMax) shapes_.clear();
  parts_.clear();
  const auto add = [&](Term pid, Term image, auto make) {
    parts_.push_back({.pid = pid, .image = image, .shape = &shape_of(image, make)});
  };
  add(Term::none(), words[0], [&] { return Shape{.names = shape_of_shared(words[0])}; });
  add(Term::none(), words[1], [&] { return Shape{.names = shape_of_tables(words[1])}; });
  for (std::size_t i = kWordsBeforeImages; i + 1 < words.size(); i += 2)
    add(words[i], words[i + 1], [&] { return shape_of_process(words[i], words[i + 1]); });
}

StateSymmetry::Shape StateSymmetry::shape_of_process(Term pid, Term image) const {
  const bool has_note = images_ == Images::kNoted;
  const VisitedStates::NotedImage noted =
      has_note ? visited_.without_note(image)
               : VisitedStates::NotedImage{.image = image, .note = Term::none()};
  Shape shape{.names = shape_of_image(machine_.freezer.parts_of(noted.image))};
  if (has_note) {
    const NameShape of_note = shape_of_note(noted.note);
    shape.names.shape = combine(shape.names.shape, of_note.shape);
    shape.names.slots.insert(shape.names.slots.end(), of_note.slots.begin(), of_note.slots.end());
  }
  const Process* const process = machine_.processes.find_even_ended(pid);
  CHECK(process != nullptr);
  shape.group = machine_.opaque_names.group_of(*process);
  return shape;
}

std::pair<std::size_t, std::uint32_t> StateSymmetry::class_of(const Member& member) const {
  return {machine_.names.parent_of(member.pid).pid_name(), member.group};
}

// The member whose name that is, or above it; `path`: from there.
std::int32_t StateSymmetry::owner_of(Term pid, std::uint64_t& path) const {
  const Names& names = machine_.names;
  path = kSelf;
  for (;;) {
    const std::size_t name = pid.pid_name();
    if (name < member_of_.size() && member_of_[name] != kNobody) return member_of_[name];
    if (!names.has_parent(pid)) return kNobody;
    path = combine(path, names.ordinal_of(pid));
    pid = names.parent_of(pid);
  }
}

// False: no two of them could exchange their names.
bool StateSymmetry::find_members() {
  members_.clear();
  member_of_.assign(machine_.names.pid_count(), kNobody);
  const Names& names = machine_.names;
  for (const Part& part : parts_) {
    if (part.shape->names.is_too_large) return false;
    if (part.pid.is_none() || part.shape->group == 0) continue;
    std::uint64_t path = 0;
    // Who is above comes before.
    if (owner_of(part.pid, path) != kNobody || !names.has_parent(part.pid)) continue;
    member_of_[part.pid.pid_name()] = static_cast<std::int32_t>(members_.size());
    members_.push_back({.pid = part.pid, .group = part.shape->group});
  }
  if (members_.size() < 2) return false;
  order_.resize(members_.size());
  std::iota(order_.begin(), order_.end(), 0);
  const auto class_at = [&](std::size_t i) { return class_of(member(order_[i])); };
  std::ranges::stable_sort(order_, {}, [&](std::int32_t one) { return class_of(member(one)); });
  ties_.clear();
  for (std::size_t i = 0; i < order_.size();) {
    std::size_t end = i + 1;
    while (end < order_.size() && class_at(end) == class_at(i)) ++end;
    if (end > i + 1) ties_.emplace_back(i, end);
    i = end;
  }
  for (Part& part : parts_)
    if (!part.pid.is_none()) part.owner = owner_of(part.pid, part.path);
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
  for (Member& member : members_) {
    const auto [parent, group] = class_of(member);
    member.colour = combine(parent, group);
  }
  std::size_t known = 0;
  for (std::size_t round = 0; round <= members_.size(); ++round) {
    for (Member& member : members_) member.next = member.colour;
    for (const Part& part : parts_) {
      const std::size_t number = static_cast<std::size_t>(&part - parts_.data());
      const std::uint64_t its = part.owner != kNobody ? combine(member(part.owner).colour, part.path)
                                : part.pid.is_none()  ? combine(kWithout, number)
                                                      : combine(kPlace, part.pid.pid_name());
      std::uint64_t own = combine(part.shape->names.shape, its);
      for (const auto& [pid, slot] : part.shape->names.slots) {
        std::uint64_t path = 0;
        const std::int32_t who = owner_of(pid, path);
        if (who == kNobody) {
          own += mix(combine(slot, combine(kPlace, pid.pid_name())));
        } else if (who == part.owner) {
          own += mix(combine(slot, combine(kSelf, path)));
        } else {
          Member& other = member(who);
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

// Sorts each class; what remains alike are the ties.
void StateSymmetry::find_order() {
  std::vector<std::pair<std::size_t, std::size_t>> ties;
  const auto colour_of = [&](std::int32_t i) { return member(i).colour; };
  for (const auto& [begin, end] : ties_) {
    std::ranges::stable_sort(order_.begin() + static_cast<std::ptrdiff_t>(begin),
                             order_.begin() + static_cast<std::ptrdiff_t>(end), {}, colour_of);
    for (std::size_t i = begin; i < end;) {
      std::size_t next = i + 1;
      while (next < end && colour_of(order_[next]) == colour_of(order_[i])) ++next;
      if (next > i + 1) ties.emplace_back(i, next);
      i = next;
    }
  }
  ties_ = std::move(ties);
}

// Whether something is said of two members that look alike.
bool StateSymmetry::are_entangled(std::span<const std::int32_t> tied) const {
  const auto is_tied = [&](std::int32_t who) { return std::ranges::find(tied, who) != tied.end(); };
  for (const Part& part : parts_) {
    const bool may_be = part.shape->names.is_joint || (part.owner != kNobody && is_tied(part.owner));
    if (!may_be) continue;
    for (const auto& [pid, slot] : part.shape->names.slots) {
      std::uint64_t path = 0;
      const std::int32_t who = owner_of(pid, path);
      if (who != kNobody && is_tied(who) && (part.shape->names.is_joint || who != part.owner)) return true;
    }
  }
  return false;
}

// Each class gets its names in their order.
std::vector<std::pair<Term, Term>> StateSymmetry::names_for(std::span<const std::int32_t> order) const {
  std::vector<std::pair<Term, Term>> names;
  const auto class_at = [&](std::size_t i) { return class_of(member(order[i])); };
  for (std::size_t i = 0; i < order.size();) {
    std::size_t end = i + 1;
    while (end < order.size() && class_at(end) == class_at(i)) ++end;
    std::vector<std::int32_t> by_name(order.begin() + static_cast<std::ptrdiff_t>(i),
                                      order.begin() + static_cast<std::ptrdiff_t>(end));
    std::ranges::sort(by_name);  // members are in the order of their names
    for (std::size_t k = i; k < end; ++k)
      if (order[k] != by_name[k - i]) names.emplace_back(member(order[k]).pid, member(by_name[k - i]).pid);
    i = end;
  }
  return names;
}

Term StateSymmetry::renamed_image(Term image) {
  if (images_ == Images::kPlain) return renaming_.image(image);
  const VisitedStates::NotedImage noted = visited_.without_note(image);
  return visited_.with_note({.image = renaming_.image(noted.image), .note = renaming_.note(noted.note)});
}

// False: it could not be done.
bool StateSymmetry::rename(std::span<const Term> words, std::span<const std::pair<Term, Term>> names,
                           std::vector<Term>& to) {
  to.assign(words.begin(), words.end());
  if (names.empty()) return true;
  renaming_.begin(names);
  std::vector<bool> is_moved(members_.size(), false);
  for (const auto& [from, other] : names)
    is_moved[static_cast<std::size_t>(member_of_[from.pid_name()])] = true;
  const auto has_moved = [&](const Part& part) {
    return std::ranges::any_of(part.shape->names.slots, [&](const NameSlot& one) {
      std::uint64_t path = 0;
      const std::int32_t who = owner_of(one.pid, path);
      return who != kNobody && is_moved[static_cast<std::size_t>(who)];
    });
  };
  if (has_moved(parts_[0])) to[0] = renaming_.shared(words[0]);
  if (has_moved(parts_[1])) to[1] = renaming_.tables(words[1]);
  std::vector<std::pair<Term, Term>> processes;
  for (std::size_t i = 2; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    processes.emplace_back(renaming_.pid(part.pid), has_moved(part) ? renamed_image(part.image) : part.image);
  }
  std::ranges::sort(processes, [&](const auto& a, const auto& b) {
    return machine_.names.compare_pids(a.first, b.first) < 0;
  });
  for (std::size_t i = 0; i < processes.size(); ++i) {
    to[kWordsBeforeImages + 2 * i] = processes[i].first;
    to[kWordsBeforeImages + 2 * i + 1] = processes[i].second;
  }
  renaming_.end();
  return !renaming_.has_failed();
}

std::span<const Term> StateSymmetry::representative(std::span<const Term> words) {
  names_.clear();
  find_parts(words);
  if (!find_members()) return words;
  colour_members();
  find_order();
  std::vector<std::int32_t> tied;
  std::size_t orders = 1;
  for (const auto& [begin, end] : ties_) {
    tied.insert(tied.end(), order_.begin() + static_cast<std::ptrdiff_t>(begin),
                order_.begin() + static_cast<std::ptrdiff_t>(end));
    for (std::size_t i = 2; i <= end - begin && orders <= kOrdersMax; ++i) orders *= i;
  }
  const bool tries_orders = !tied.empty() && are_entangled(tied);
  if (tries_orders && orders > kOrdersMax) return words;
  names_ = names_for(order_);
  if (!tries_orders) {
    if (names_.empty()) return words;
    return rename(words, names_, words_) ? std::span<const Term>(words_) : words;
  }
  // All orders of those that look alike, and the least state.
  for (const auto& [begin, end] : ties_)
    std::sort(order_.begin() + static_cast<std::ptrdiff_t>(begin),
              order_.begin() + static_cast<std::ptrdiff_t>(end));
  const auto next_order = [&] {
    return std::ranges::any_of(ties_, [&](const auto& tie) {
      return std::next_permutation(order_.begin() + static_cast<std::ptrdiff_t>(tie.first),
                                   order_.begin() + static_cast<std::ptrdiff_t>(tie.second));
    });
  };
  bool is_first = true;
  do {
    const auto names = names_for(order_);
    if (!rename(words, names, other_words_)) return words;
    const auto value_of = [](Term word) { return word.is_pointer() ? Store::hash(word) : word.bits(); };
    const auto is_less = [&](std::span<const Term> a, std::span<const Term> b) {
      return std::ranges::lexicographical_compare(a, b, {}, value_of, value_of);
    };
    if (!is_first && !is_less(other_words_, words_)) continue;
    words_.swap(other_words_);
    names_ = names;
    is_first = false;
  } while (next_order());
  return words_;
}

Term StateSymmetry::renamed(Term term) {
  if (names_.empty()) return term;
  renaming_.begin(names_);
  const Term to = renaming_.term(term);
  renaming_.end();
  return renaming_.has_failed() ? term : to;
}

}  // namespace ravel::erlang
