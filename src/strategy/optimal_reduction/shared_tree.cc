#include "strategy/optimal_reduction/shared_tree.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/check.h"
#include "strategy/optimal_reduction/given_leaf.h"
#include "strategy/optimal_reduction/saved_position.h"

namespace ravel::reduction {

namespace {

// Branches keep their numbers, so equal ones are not made one; and all of a sequence is kept.
constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

// How many leaves are given away at a time: of those that wait, one part in so many, so that others get some,
// too; and no more than that, since what they lead to is heard late.
constexpr std::size_t kShareOfWaiting = 4, kLeavesMax = 256;

constexpr const char kNoSuchLeaf[] = "a part is at a leaf that it was not given";

// What positions begin with; those of a reduction begin with 0 or 1.
constexpr std::uint64_t kTreePosition = 2;

}  // namespace

SharedTree::SharedTree(System& system, Reversals reversals, std::size_t prefix,
                       std::shared_ptr<const ObjectsInCommon> ground)
    : system_(system),
      prefix_(prefix),
      ground_(std::move(ground)),
      search_(kNever),
      noted_(system_, prefix, search_, execution_),
      races_(reversals, kNever, search_, execution_, *this) {
  search_.is_part = true;
  search_.attached = &attached_;
  races_.begin(noted_.trials());
  execution_.set_system(system_);
}

bool SharedTree::is_position(std::string_view position) {
  return PositionReader(position).get() == kTreePosition;
}

bool SharedTree::begin(std::string position) {
  CHECK(parts_.empty());
  if (is_position(position)) {
    PositionReader reader(position);
    reader.get();
    return change_again(reader) && reader.is_complete();
  }
  add_leaf({}, 0);
  first_position_ = position;
  parts_.begin()->second.rest = std::move(position);
  return true;
}

// A tree is written as what has made it: the steps of its branches touch what only this process knows by
// these numbers, and the executions that were noted tell it again.
std::string SharedTree::position() const {
  PositionWriter writer;
  writer.put(kTreePosition);
  writer.put_position(first_position_);
  writer.put_all(changes_, [&](const Change& change) {
    writer.put(static_cast<std::uint64_t>(change.kind));
    writer.put(change.part);
    writer.put_position(change.bytes);
  });
  writer.put_all(parts_, [&](const auto& part) {
    const auto& [number, leaf] = part;
    writer.put(number);
    writer.put(leaf.is_begun ? 1 : 0);
    writer.put_position(leaf.rest);
  });
  return writer.bytes();
}

bool SharedTree::change_again(PositionReader& reader) {
  std::string first(reader.get_position());
  if (reader.is_damaged() || is_position(first) || !begin(std::move(first))) return false;
  bool is_right = true;
  reader.get_all([&] {
    const std::uint64_t kind = reader.get();
    const PartNumber part = reader.get();
    std::string bytes(reader.get_position());
    const auto known = parts_.find(part);
    is_right = is_right && !reader.is_damaged() && known != parts_.end();
    if (!is_right) return;
    waiting_.erase(place_of(part));
    switch (static_cast<Change::Kind>(kind)) {
      case Change::Kind::kCommit: is_right = commit(part, bytes); break;
      case Change::Kind::kDivide:
        keep(part, std::move(bytes));
        is_right = !divide(part).is_damaged;
        break;
      case Change::Kind::kFinish: return finish(part, true);
      case Change::Kind::kFinishUnsure: return finish(part, false);
      default: is_right = false;
    }
    waiting_.insert(place_of(part));
  });
  std::size_t rests = 0;
  reader.get_all([&] {
    const auto part = parts_.find(reader.get());
    const bool is_begun = reader.get() != 0;
    const std::string_view rest = reader.get_position();
    if (part == parts_.end()) return;
    ++rests;
    part->second.is_begun = is_begun;
    part->second.rest = rest;
  });
  return is_right && rests == parts_.size();
}

// ---- Parts -----------------------------------------------------------------------------------------------

void SharedTree::add_leaf(Path path, std::uint32_t known) {
  for (const std::uint32_t branch : path)
    if (const auto divided = below_.find(branch); divided != below_.end()) ++divided->second.parts;
  const auto levels = static_cast<std::uint32_t>(path.size());
  const PartNumber number = next_part_++;
  parts_.emplace(number, Leaf{.path = std::move(path), .known = known, .from_level = levels, .rest = {}});
  waiting_.insert(place_of(number));
}

// All leaves of a list and of what is below its branches, but not of what leaves were divided into.
void SharedTree::add_leaves(std::uint32_t list, Path& above, std::uint32_t known) {
  for (std::uint32_t at = list; at != kNone; at = search_.trees[at].next_sibling) {
    if (!order_.emplace(at, next_order_++).second) continue;  // known, as is all that is below
    above.push_back(at);
    if (search_.trees[at].first_child == kNone)
      add_leaf(above, known);
    else
      add_leaves(search_.trees[at].first_child, above, known);
    above.pop_back();
  }
}

SharedTree::Place SharedTree::place_of(PartNumber number) const {
  Place place{.order = {}, .number = number};
  for (const std::uint32_t branch : parts_.at(number).path) place.order.push_back(order_.at(branch));
  return place;
}

std::optional<Part> SharedTree::hand_out() {
  if (waiting_.empty()) return std::nullopt;
  const PartNumber number = waiting_.begin()->number;
  waiting_.erase(waiting_.begin());
  Leaf& leaf = parts_.at(number);
  std::string position = leaf.is_begun || leaf.path.empty() ? leaf.rest : position_of(leaf);
  if (!leaf.path.empty() && ground_ != nullptr) position = put_leaves_after(number) + position;
  return Part{.number = number, .from_level = leaf.from_level, .position = std::move(position)};
}

// Takes other leaves out of those that wait: the first ones, as long as they can be given to whoever has this
// one. Most trees with many branches have small ones. Empty if there are none.
std::string SharedTree::put_leaves_after(PartNumber first) {
  const std::size_t count = std::min(kLeavesMax, waiting_.size() / kShareOfWaiting);
  Batch batch{.leaves = {first}};
  std::vector<std::string> leaves;
  while (leaves.size() < count) {
    const PartNumber next = waiting_.begin()->number;
    const auto printed = print_next(parts_.at(batch.leaves.back()).path, parts_.at(next));
    if (!printed) break;
    leaves.push_back(*printed);
    batch.leaves.push_back(next);
    waiting_.erase(waiting_.begin());
  }
  if (leaves.empty()) return {};
  batches_.emplace(first, std::move(batch));
  PositionWriter writer;
  writer.put(kLeavesPosition);
  writer.put_all(leaves, [&](const std::string& leaf) { writer.put_position(leaf); });
  return writer.bytes();
}

// What a leaf has that another one has not: from the level on where its path departs to later branches.
// Nothing if it does not, or if that can't be told by numbers that all have in common.
std::optional<std::string> SharedTree::print_next(const Path& before, const Leaf& next) {
  if (next.is_begun) return std::nullopt;
  const auto departs = std::ranges::mismatch(before, next.path).in2;
  const auto level = static_cast<std::uint32_t>(departs - next.path.begin());
  if (level >= before.size() || level >= next.path.size()) return std::nullopt;
  // Branches before its own that nobody has taken up before have to be taken once.
  const auto is_unknown = [&](std::uint32_t branch) { return !settled_.contains(branch); };
  bool has_unknown = false;
  std::uint32_t at = search_.trees[before[level]].next_sibling;
  for (; at != kNone && at != next.path[level]; at = search_.trees[at].next_sibling)
    has_unknown = has_unknown || is_unknown(at);
  if (at == kNone) return std::nullopt;
  for (std::uint32_t below = level + 1; below < next.path.size(); ++below)
    for (at = list_at(next.path, below); at != next.path[below]; at = search_.trees[at].next_sibling)
      has_unknown = has_unknown || is_unknown(at);
  if (has_unknown) {
    set_path(next);
    search_.script.set({});
    search_.script.follow(search_.nodes, search_.trees.details_of(next.path.back()).order);
    for (std::uint32_t below = level; below < next.path.size(); ++below)
      settle(next.path, below, below == level ? before[level] : kNone);
    forget_path();
  }
  GivenLeafWriter writer(*ground_);
  writer.put(level);
  writer.put(next.path.size() - level);
  for (std::uint32_t below = level; below < next.path.size(); ++below) {
    std::vector<std::uint32_t> done;
    at = below == level ? search_.trees[before[level]].next_sibling : list_at(next.path, below);
    for (; at != next.path[below]; at = search_.trees[at].next_sibling)
      done.push_back(search_.trees[at].step);
    writer.put(done.size());
    for (const std::uint32_t step : done) writer.put(search_.steps[step]);
    writer.put(search_.steps[search_.trees[next.path[below]].step].name);
    writer.put_all(search_.trees.details_of(next.path[below]).commutes);
  }
  writer.put_all(search_.trees.details_of(next.path.back()).order);
  return writer.is_common() ? std::optional(writer.bytes()) : std::nullopt;
}

// The leaf of a part that is run.
PartNumber SharedTree::now_of(PartNumber part) const {
  const auto batch = batches_.find(part);
  return batch == batches_.end() ? part : batch->second.leaves[batch->second.at];
}

void SharedTree::take_back(PartNumber number) {
  const auto batch = batches_.find(number);
  if (batch == batches_.end()) {
    waiting_.insert(place_of(number));
    return;
  }
  for (std::size_t leaf = batch->second.at; leaf < batch->second.leaves.size(); ++leaf)
    waiting_.insert(place_of(batch->second.leaves[leaf]));
  batches_.erase(batch);
}

void SharedTree::keep(PartNumber number, std::string position) {
  PositionReader reader(position);
  if (reader.get() == kLeavesPosition) {
    const std::uint64_t at = reader.get();
    const auto batch = batches_.find(number);
    CHECK_MESSAGE(batch != batches_.end() && at < batch->second.leaves.size(), kNoSuchLeaf);
    for (; batch->second.at < at; ++batch->second.at)
      finish_leaf(batch->second.leaves[batch->second.at], true);
    position = std::string(reader.get_position());
  }
  Leaf& leaf = parts_.at(now_of(number));
  leaf.rest = std::move(position);
  leaf.is_begun = true;
}

void SharedTree::finish(PartNumber number, bool has_all) {
  const auto batch = batches_.find(number);
  if (batch == batches_.end()) return finish_leaf(number, has_all);
  for (std::size_t leaf = batch->second.at; leaf < batch->second.leaves.size(); ++leaf)
    finish_leaf(batch->second.leaves[leaf], has_all);
  batches_.erase(batch);
}

// What a leaf was divided into is needed as long as there are parts of it: nothing else can come there.
void SharedTree::finish_leaf(PartNumber number, bool has_all) {
  changes_.push_back(
      {.kind = has_all ? Change::Kind::kFinish : Change::Kind::kFinishUnsure, .part = number, .bytes = {}});
  has_all_ = has_all_ && has_all;
  const Path path = std::move(parts_.at(number).path);
  parts_.erase(number);
  for (const std::uint32_t branch : path) {
    const auto divided = below_.find(branch);
    if (divided == below_.end() || --divided->second.parts > 0) continue;
    drop_below(branch);
    return;
  }
}

// With all that branches below it were divided into, of which nothing is left either.
void SharedTree::drop_below(std::uint32_t divided) {
  std::vector<std::uint32_t> open = {divided}, lists;
  while (!open.empty()) {
    const auto inner = below_.find(open.back());
    std::uint32_t children[] = {search_.trees[open.back()].first_child, kNone};
    open.pop_back();
    if (inner != below_.end()) {
      children[1] = inner->second.list;
      lists.push_back(inner->second.list);
      below_.erase(inner);
    }
    for (const std::uint32_t list : children)
      for (std::uint32_t at = list; at != kNone; at = search_.trees[at].next_sibling) {
        order_.erase(at);
        settled_.erase(at);
        open.push_back(at);
      }
  }
  for (const std::uint32_t list : lists) search_.trees.drop(list);
}

// ---- The nodes of a path ---------------------------------------------------------------------------------

std::uint32_t SharedTree::list_at(const Path& path, std::size_t level) const {
  if (level == 0) return root_;
  const auto divided = below_.find(path[level - 1]);
  return divided != below_.end() ? divided->second.list : search_.trees[path[level - 1]].first_child;
}

// Makes the nodes those of a leaf's path. What they have of steps and branches stays the tree's.
void SharedTree::set_path(const Leaf& leaf) {
  for (std::uint32_t level = 0; level < leaf.path.size(); ++level) {
    Node& node = search_.nodes[search_.nodes.add(level < prefix_, 0)];
    const std::uint32_t own = leaf.path[level];
    for (std::uint32_t at = list_at(leaf.path, level); at != own; at = search_.trees[at].next_sibling)
      node.done.push_back(search_.trees[at].step);
    node.step = search_.steps[search_.trees[own].step].name;
    node.pending = search_.trees[own].next_sibling;
    node.commutes = search_.trees.details_of(own).commutes;
  }
}

void SharedTree::forget_path() {
  for (std::uint32_t number = 0; number < search_.nodes.count(); ++number) {
    search_.nodes[number].done.clear();
    search_.nodes[number].pending = kNone;
  }
  search_.nodes.shrink(0);
}

std::string SharedTree::position_of(const Leaf& leaf) {
  set_path(leaf);
  search_.nodes.set_first_new(leaf.known);
  search_.script.set({});
  search_.script.follow(search_.nodes, search_.trees.details_of(leaf.path.back()).order);
  for (std::uint32_t level = 0; level < leaf.path.size(); ++level) settle(leaf.path, level);
  search_.own_from = leaf.from_level;
  PositionWriter writer;
  writer.put(1);
  write_state(search_, system_, ground_.get(), writer);
  search_.own_from = 0;
  forget_path();
  return writer.bytes();
}

// What sleeps is known as it is where it is taken. Of branches that were not run that is found out here.
// `after`: none of the branches up to that one has to be known; kNone: all have to be.
void SharedTree::settle(const Path& path, std::uint32_t level, std::uint32_t after) {
  std::vector<std::uint32_t>& done = search_.nodes[level].done;
  std::uint32_t at = list_at(path, level);
  bool is_needed = after == kNone;
  for (std::size_t i = 0; i < done.size(); ++i, at = search_.trees[at].next_sibling) {
    const bool is_asked = is_needed;
    is_needed = is_needed || at == after;
    if (!is_asked || !settled_.insert(at).second) continue;
    const auto step = take_after(level, search_.steps[done[i]].name);
    if (!step) continue;  // it can't be taken there
    search_.steps.drop(done[i]);
    done[i] = *step;
    search_.trees.change_step(at, *step);
  }
}

// The number of a step, with what it touches after the script up to a level.
std::optional<std::uint32_t> SharedTree::take_after(std::uint32_t level, const StepName& name) {
  noted_.forget();
  noted_.trials().begin();
  std::size_t taken = 0;
  const auto take = [&](const StepName& wanted) {
    const std::span<const Transition> enabled = system_.enabled();
    const auto place = std::ranges::find_if(enabled, [&](const Transition& one) {
      return one.actor == wanted.event.actor && one.alternative == wanted.alternative;
    });
    if (place == enabled.end()) return Footprint();
    ++taken;
    return noted_.trials().take(Transition(*place)).footprint;
  };
  std::size_t wanted = 1;
  for (const ScriptStep& before : search_.script.steps()) {
    if (before.node >= level) continue;
    take(before.step);
    ++wanted;
  }
  const Footprint footprint = take(name);
  if (taken != wanted) return std::nullopt;
  const std::vector<Touch> touches = touches_as_chosen(footprint, name);
  const bool is_coarse = std::ranges::any_of(touches, &Touch::is_coarse);
  return search_.steps.use(name, is_coarse ? system_.close_key(taken - 1) : 0, system_.stops_others(),
                           touches);
}

// ---- What parts have found out ---------------------------------------------------------------------------

bool SharedTree::commit(PartNumber number, std::string_view notes) {
  if (notes.empty()) return true;
  noted_.forget();  // since then the System may have run anything
  const auto batch = batches_.find(number);
  PositionReader reader(notes);
  while (!reader.is_complete()) {
    const std::uint64_t at = reader.get();
    const std::string_view note = reader.get_position();
    if (reader.is_damaged()) return false;
    if (batch == batches_.end() ? at > 0 : at >= batch->second.leaves.size()) return false;
    const PartNumber leaf = batch == batches_.end() ? number : batch->second.leaves[at];
    PositionWriter of_leaf;
    of_leaf.put(0);
    of_leaf.put_position(note);
    changes_.push_back({.kind = Change::Kind::kCommit, .part = leaf, .bytes = of_leaf.bytes()});
    if (!commit_one(parts_.at(leaf), note)) return false;
  }
  return true;
}

bool SharedTree::commit_one(const Leaf& leaf, std::string_view note) {
  const Path path = leaf.path;
  set_path(leaf);
  search_.nodes.set_first_new(0);
  search_.places_before = leaf.from_level;
  const bool is_right = noted_.run(note);
  if (is_right) {
    races_.reverse_all();
    for (std::uint32_t level = 0; level < path.size(); ++level)
      if (search_.trees[path[level]].next_sibling == kNone && search_.nodes[level].pending != kNone)
        search_.trees.set_next(path[level], search_.nodes[level].pending);
  }
  forget_path();
  keep_attached(path);
  return is_right;
}

void SharedTree::keep_attached(const Path& path) {
  for (const Attached& attached : std::exchange(attached_, {})) {
    Path above(path.begin(), path.begin() + attached.node);
    above.insert(above.end(), attached.path.begin(), attached.path.end());
    add_leaves(attached.branch, above, attached.node);
  }
}

// ---- Dividing --------------------------------------------------------------------------------------------

SharedTree::Division SharedTree::divide(PartNumber part) {
  if (const auto batch = batches_.find(part); batch != batches_.end()) {
    auto& [leaves, at] = batch->second;
    const std::size_t to_begin = leaves.size() - at - 1, kept = to_begin / 2;
    for (std::size_t given = kept; given < to_begin; ++given)
      waiting_.insert(place_of(leaves[at + 1 + given]));
    leaves.resize(at + 1 + kept);
    if (to_begin > 0) return {.from_level = kKeepsLeaves | static_cast<std::uint32_t>(kept)};
  }
  const PartNumber number = now_of(part);
  const Leaf& leaf = parts_.at(number);
  PositionReader reader(leaf.rest);
  if (reader.get() != 1) return {};  // nothing has been planned
  SearchState rest(kNever);
  noted_.forget();
  const GivenLevels given =
      read_levels(reader, noted_.trials(), prefix_, ground_.get(), leaf.from_level, rest);
  if (given.is_damaged) return {.from_level = {}, .is_damaged = true};
  if (given.begin == given.end) return {};
  changes_.push_back({.kind = Change::Kind::kDivide, .part = number, .bytes = leaf.rest});
  Path path = leaf.path;
  for (std::uint32_t level = given.begin; level < given.end; ++level) {
    const std::uint32_t list = copy_level(rest.nodes[level], rest);
    search_.trees.use(list);
    if (path.empty())
      root_ = list;
    else  // the part itself is one of those that are left
      below_.emplace(path.back(), Below{.list = list, .parts = 1});
    std::uint32_t own = list;
    for (std::size_t done = rest.nodes[level].done.size(); done > 1; --done)
      own = search_.trees[own].next_sibling;
    path.push_back(own);
  }
  Leaf& left = parts_.at(number);
  left.path = path;
  left.known = left.from_level = given.end;
  for (std::uint32_t level = given.begin; level < given.end; ++level) {
    Path above(path.begin(), path.begin() + level);
    std::uint32_t at = list_at(path, level);
    for (;; at = search_.trees[at].next_sibling) {
      order_.emplace(at, next_order_++);
      settled_.insert(at);
      if (at == path[level]) break;
    }
    add_leaves(search_.trees[at].next_sibling, above, level);
  }
  return {.from_level = given.end, .is_damaged = false};
}

// The branches that were taken there, the last of which is being taken, and those that are left.
std::uint32_t SharedTree::copy_level(const Node& node, const SearchState& from) {
  BranchDetails details;
  details.commutes = node.commutes;
  std::uint32_t list = search_.trees.add(copy_step(from, node.done.back()), kNone, std::move(details),
                                         copy(from, node.pending));
  for (std::size_t i = node.done.size() - 1; i-- > 0;)
    list = search_.trees.add(copy_step(from, node.done[i]), kNone, {}, list);
  return list;
}

std::uint32_t SharedTree::copy(const SearchState& from, std::uint32_t list) {
  std::vector<std::uint32_t> branches;
  for (std::uint32_t at = list; at != kNone; at = from.trees[at].next_sibling) branches.push_back(at);
  std::uint32_t copied = kNone;
  for (std::size_t i = branches.size(); i-- > 0;) {
    const WakeupTrees::Branch& branch = from.trees[branches[i]];
    copied = search_.trees.add(copy_step(from, branch.step), copy(from, branch.first_child),
                               from.trees.details_of(branches[i]), copied);
  }
  return copied;
}

std::uint32_t SharedTree::copy_step(const SearchState& from, std::uint32_t step) {
  const Step& known = from.steps[step];
  return search_.steps.use(known.name, known.close_key, known.ends_all, known.touches);
}

}  // namespace ravel::reduction
