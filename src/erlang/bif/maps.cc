// Built-ins on maps: those of `maps`, of guards, and what the libraries need to walk a map in pieces.
#include <algorithm>
#include <array>
#include <vector>

#include "erlang/bif/builtins.h"
#include "erlang/bif/shown_names.h"
#include "erlang/machine/machine.h"
#include "erlang/term/map.h"
#include "erlang/term/release.h"

namespace ravel::erlang {

namespace {

Term is_map_key_2(Call& call, const Term* arguments) {
  if (!is_map(arguments[1])) return call.badmap(arguments[1]);
  return atoms::boolean(!map_get(call.names, arguments[1], arguments[0]).is_none());
}

Term map_get_2(Call& call, const Term* arguments) {
  if (!is_map(arguments[1])) return call.badmap(arguments[1]);
  const Term value = map_get(call.names, arguments[1], arguments[0]);
  return value.is_none() ? call.badkey(arguments[0]) : value;
}

Term map_size_1(Call& call, const Term* arguments) {
  if (!is_map(arguments[0])) return call.badmap(arguments[0]);
  return Term::small(static_cast<std::int64_t>(map_size(arguments[0])));
}

Term find_2(Call& call, const Term* arguments) {
  if (!is_map(arguments[1])) return call.badmap(arguments[1]);
  const Term value = map_get(call.names, arguments[1], arguments[0]);
  return value.is_none() ? atoms::kError : call.heap.tuple({atoms::kOk, value});
}

// Lists of pairs become maps by way of an array: on the C++ stack for the short ones.
template <class AddPair>
Term from_list(Call& call, Term list, AddPair add_pair) {
  constexpr std::size_t kShort = 2 * kFlatMapMax;
  Term few[kShort];
  std::size_t count = 0;
  for (; list.is_cons() && count < kShort; list = list.tail(), count += 2)
    if (!add_pair(list.head(), few + count)) return call.badarg();
  if (list.is_nil()) return map_from_pairs(call.heap, call.names, {few, count});
  std::vector<Term> pairs(few, few + count);
  for (; list.is_cons(); list = list.tail()) {
    Term pair[2];
    if (!add_pair(list.head(), pair)) return call.badarg();
    pairs.insert(pairs.end(), pair, pair + 2);
  }
  return list.is_nil() ? map_from_pairs(call.heap, call.names, pairs) : call.badarg();
}

Term from_keys_2(Call& call, const Term* arguments) {
  return from_list(call, arguments[0], [&](Term key, Term* pair) {
    pair[0] = key;
    pair[1] = arguments[1];
    return true;
  });
}

Term from_list_1(Call& call, const Term* arguments) {
  return from_list(call, arguments[0], [](Term tuple, Term* pair) {
    if (!is_tuple_of(tuple, 2)) return false;
    pair[0] = element(tuple, 1);
    pair[1] = element(tuple, 2);
    return true;
  });
}

Term keys_1(Call& call, const Term* arguments) {
  if (!is_map(arguments[0])) return call.badmap(arguments[0]);
  if (!may_list(call, arguments[0])) return Term::none();
  return map_keys(call.heap, arguments[0]);
}

Term values_1(Call& call, const Term* arguments) {
  if (!is_map(arguments[0])) return call.badmap(arguments[0]);
  if (!may_list(call, arguments[0])) return Term::none();
  return map_values(call.heap, arguments[0]);
}

Term merge_2(Call& call, const Term* arguments) {
  if (!is_map(arguments[0])) return call.badmap(arguments[0]);
  if (!is_map(arguments[1])) return call.badmap(arguments[1]);
  return map_merge(call.heap, call.names, arguments[0], arguments[1]);
}

Term put_3(Call& call, const Term* arguments) {
  if (!is_map(arguments[2])) return call.badmap(arguments[2]);
  return map_put(call.heap, call.names, arguments[2], arguments[0], arguments[1]);
}

Term remove_2(Call& call, const Term* arguments) {
  if (!is_map(arguments[1])) return call.badmap(arguments[1]);
  return map_remove(call.heap, call.names, arguments[1], arguments[0]);
}

Term take_2(Call& call, const Term* arguments) {
  if (!is_map(arguments[1])) return call.badmap(arguments[1]);
  const Term value = map_get(call.names, arguments[1], arguments[0]);
  if (value.is_none()) return atoms::kError;
  return call.heap.tuple({value, map_remove(call.heap, call.names, arguments[1], arguments[0])});
}

Term update_3(Call& call, const Term* arguments) {
  if (!is_map(arguments[2])) return call.badmap(arguments[2]);
  const Term map = map_update(call.heap, call.names, arguments[2], arguments[0], arguments[1]);
  return map.is_none() ? call.badkey(arguments[0]) : map;
}

// Walking a large map in pieces: a path names the leaf to go on with. Each four bits, the lowest first,
// choose a child by its place in the node; bits that are missing are zero.

class PathReader {
 public:
  // REQUIRES: is_path(path).
  explicit PathReader(Term path) {
    if (path.is_small()) {
      limbs_.push_back(static_cast<Word>(path.small_value()));
    } else {
      for (Word i = 1; i <= size_of(path.header()); ++i) limbs_.push_back(path.object()[i].bits());
    }
  }
  static bool is_path(Term t) { return t.is_small() ? t.small_value() >= 0 : is_kind(t, Kind::kPositiveBig); }

  Word next() {
    const std::size_t limb = digit_ / 16;
    const Word place = limb < limbs_.size() ? limbs_[limb] >> (4 * (digit_ % 16)) & 15 : 0;
    ++digit_;
    return place;
  }

 private:
  std::vector<Word> limbs_;
  std::size_t digit_ = 0;
};

Term make_path(Heap& heap, const std::vector<Word>& places) {
  std::vector<Word> limbs((places.size() + 15) / 16, 0);
  for (std::size_t i = 0; i < places.size(); ++i) limbs[i / 16] |= places[i] << (4 * (i % 16));
  while (limbs.size() > 1 && limbs.back() == 0) limbs.pop_back();
  if (limbs.size() <= 1) return heap.unsigned_integer(limbs.empty() ? 0 : limbs[0]);
  Term* object = heap.allocate(limbs.size() + 1);
  object[0] = make_header(Kind::kPositiveBig, limbs.size());
  for (std::size_t i = 0; i < limbs.size(); ++i) object[i + 1] = Term(limbs[i]);
  return Term::boxed(object);
}

// The way from the root of a hash map to a place between two leaves. Backwards, children count from the last
// one.
class Walk {
 public:
  enum class Direction { kForwards, kBackwards };
  explicit Walk(Direction direction) : direction_(direction) {}

  // False if the path leaves the map.
  bool go_to(Term map, Term path) {
    PathReader reader(path);
    for (Term node = map;;) {
      const std::span<const Term> children = hash_children(node);
      const Word place = reader.next();
      if (place >= children.size()) return false;
      node = child_of(children, place);
      levels_.push_back({children, node.is_cons() ? place : place + 1});
      if (node.is_cons()) return true;
    }
  }

  // The next leaf, or none at the end.
  Term next() {
    while (!levels_.empty()) {
      Level& level = levels_.back();
      if (level.next == level.children.size()) {
        levels_.pop_back();
        continue;
      }
      const Term child = child_of(level.children, level.next++);
      if (child.is_cons()) return child;
      levels_.push_back({hash_children(child), 0});
    }
    return Term::none();
  }

  // Where `next` goes on; empty at the end. The levels above the last stand after the child they are in.
  std::vector<Word> path() {
    while (!levels_.empty() && levels_.back().next == levels_.back().children.size()) levels_.pop_back();
    std::vector<Word> places;
    for (const Level& level : levels_) places.push_back(level.next - 1);
    if (!places.empty()) ++places.back();
    return places;
  }

 private:
  struct Level {
    std::span<const Term> children;
    Word next;
  };

  Term child_of(std::span<const Term> children, Word place) const {
    return children[direction_ == Direction::kForwards ? place : children.size() - 1 - place];
  }

  Direction direction_;
  std::vector<Level> levels_;
};

// How many pairs an iterator of a large map holds at a time: few at first, as many callers need only one.
constexpr Word kFirstPiece = 32;
constexpr Word kPiece = 1000;

// The pairs of an ordered iterator, whose path is the list of the keys that are left: all of them, {Key,
// Value, {Key, Value, ... none}}.
Term ordered_pairs(Call& call, Term keys, Term map) {
  Term result = atoms::kNone;
  Term* rest = &result;
  for (; keys.is_cons(); keys = keys.tail()) {
    const Term value = map_get(call.names, map, keys.head());
    if (value.is_none()) return call.badarg();
    *rest = call.heap.tuple({keys.head(), value, atoms::kNone});
    rest = rest->object() + 3;
  }
  return keys.is_nil() ? result : call.badarg();
}

// map_next(Path, Map, iterator) -> {Key, Value, {Key, Value, ... none | [Path|Map]}}
// map_next(Path, Map, List) -> [{Key, Value}, ... | List], the last pairs first; or, where lists of maps go
// forwards, the first ones,
//   and the path counts from the end.
Term map_next_3(Call& call, const Term* arguments) {
  const auto [path, map, kind] = std::tuple{arguments[0], arguments[1], arguments[2]};
  const bool is_iterator = kind == atoms::kIterator;
  if (is_map(map) && is_iterator && is_list(path) && installed_release().iterates_in_order)
    return ordered_pairs(call, path, map);
  if (!is_map(map) || !(is_iterator || is_list(kind)) || !PathReader::is_path(path)) return call.badarg();
  if (!may_list(call, map)) return Term::none();
  if (is_flat_map(map)) {
    const Word size = map_size(map);
    if (!path.is_small() || static_cast<Word>(path.small_value()) > size) return call.badarg();
    const Term* keys = map.object()[1].object() + 1;
    const Term* values = map.object() + 2;
    Term result = is_iterator ? atoms::kNone : kind;
    for (Word i = size; i-- > 0;)
      result = is_iterator ? call.heap.tuple({keys[i], values[i], result})
                           : call.heap.cons(call.heap.tuple({keys[i], values[i]}), result);
    return result;
  }
  // The direction in which the list goes forwards
  const bool is_backwards = !is_iterator && installed_release().lists_maps_forwards;
  Walk walk(is_backwards ? Walk::Direction::kBackwards : Walk::Direction::kForwards);
  if (!walk.go_to(map, path)) return call.badarg();
  if (!is_iterator) {
    Term list = kind;
    for (Term leaf = walk.next(); !leaf.is_none(); leaf = walk.next())
      list = call.heap.cons(call.heap.tuple({leaf.head(), leaf.tail()}), list);
    return list;
  }
  Term result;
  Term* rest = &result;
  for (Word left = path == Term::small(0) ? kFirstPiece : kPiece; left > 0; --left) {
    const Term leaf = walk.next();
    if (leaf.is_none()) break;
    *rest = call.heap.tuple({leaf.head(), leaf.tail(), atoms::kNone});
    rest = rest->object() + 3;
  }
  if (const std::vector<Word> places = walk.path(); !places.empty())
    *rest = call.heap.cons(make_path(call.heap, places), map);
  return result;
}

// The children of a hash map or of one of its nodes, for erts_debug:size/1.
Term map_hashmap_children_1(Call& call, const Term* arguments) {
  const Term node = arguments[0];
  if (is_kind(node, Kind::kFlatMap)) return call.badarg();
  if (!may_show(call, node, NameUse::kHash)) return Term::none();
  if (!is_kind(node, Kind::kHashMap) && !is_kind(node, Kind::kHashNode)) return call.badmap(node);
  Term list = Term::nil();
  for (const Term child : hash_children(node)) list = call.heap.cons(child, list);
  return list;
}

Term map_to_tuple_keys_1(Call& call, const Term* arguments) {
  if (!is_map(arguments[0])) return call.badmap(arguments[0]);
  if (!is_flat_map(arguments[0])) return call.badarg();
  return may_list(call, arguments[0]) ? arguments[0].object()[1] : Term::none();
}

// The shape of a large map: [{depth, D}, {arrays, N, []}, {bitmaps, N, BySize}, {leafs, N, ByDepth}].
Term map_info_1(Call& call, const Term* arguments) {
  const Term map = arguments[0];
  if (!is_map(map)) return call.badmap(map);
  if (is_flat_map(map)) return call.badarg();
  if (!may_list(call, map)) return Term::none();
  std::int64_t depth_max = 0, arrays = 0, bitmaps = 0, leaves = 0;
  std::int64_t nodes_by_size[16] = {};
  std::int64_t leaves_by_depth[16] = {};
  std::vector<std::pair<Term, std::int64_t>> pending{{map, 0}};
  while (!pending.empty()) {
    const auto [child, depth] = pending.back();
    pending.pop_back();
    depth_max = std::max(depth_max, depth);
    if (child.is_cons()) {
      ++leaves;
      ++leaves_by_depth[std::min<std::int64_t>(depth, 15)];
      continue;
    }
    const std::span<const Term> children = hash_children(child);
    if (child == map && children.size() == 16) {
      ++arrays;  // only a root has this form
    } else {
      ++bitmaps;
      ++nodes_by_size[children.size() - 1];
    }
    for (const Term below : children) pending.push_back({below, depth + 1});
  }
  const auto tuple_of = [&](const std::int64_t(&counts)[16]) {
    Term elements[16];
    for (std::size_t i = 0; i < 16; ++i) elements[i] = Term::small(counts[i]);
    return call.heap.tuple(std::span<const Term>(elements));
  };
  Heap& heap = call.heap;
  const Term parts[] = {heap.tuple({call.atom("depth"), Term::small(depth_max)}),
                        heap.tuple({call.atom("arrays"), Term::small(arrays), Term::nil()}),
                        heap.tuple({call.atom("bitmaps"), Term::small(bitmaps), tuple_of(nodes_by_size)}),
                        heap.tuple({call.atom("leafs"), Term::small(leaves), tuple_of(leaves_by_depth)})};
  return heap.list(parts);
}

constexpr auto kMapBuiltins = std::to_array<Builtin>({
    {"erlang", "is_map_key", 2, Effect::kPure, is_map_key_2},
    {"erlang", "map_get", 2, Effect::kPure, map_get_2},
    {"erlang", "map_size", 1, Effect::kPure, map_size_1},
    {"erts_debug", "map_info", 1, Effect::kPure, map_info_1},
    {"erts_internal", "map_hashmap_children", 1, Effect::kPure, map_hashmap_children_1},
    {"erts_internal", "map_next", 3, Effect::kPure, map_next_3},
    {"erts_internal", "map_to_tuple_keys", 1, Effect::kPure, map_to_tuple_keys_1},
    {"maps", "find", 2, Effect::kPure, find_2},
    {"maps", "from_keys", 2, Effect::kPure, from_keys_2},
    {"maps", "from_list", 1, Effect::kPure, from_list_1},
    {"maps", "get", 2, Effect::kPure, map_get_2},
    {"maps", "is_key", 2, Effect::kPure, is_map_key_2},
    {"maps", "keys", 1, Effect::kPure, keys_1},
    {"maps", "merge", 2, Effect::kPure, merge_2},
    {"maps", "put", 3, Effect::kPure, put_3},
    {"maps", "remove", 2, Effect::kPure, remove_2},
    {"maps", "take", 2, Effect::kPure, take_2},
    {"maps", "update", 3, Effect::kPure, update_3},
    {"maps", "values", 1, Effect::kPure, values_1},
});
static_assert(std::ranges::is_sorted(kMapBuiltins, {}, &Builtin::key));

}  // namespace

std::span<const Builtin> map_builtins() { return kMapBuiltins; }

}  // namespace ravel::erlang
