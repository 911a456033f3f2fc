#include "erlang/system/name_shape.h"

#include <algorithm>

#include "base/hash.h"
#include "erlang/system/state_layout.h"
#include "erlang/term/header.h"
#include "erlang/term/map.h"
#include "erlang/term/names.h"
#include "erlang/term/ordered_tree.h"

namespace ravel::erlang {

namespace {

// Any numbers.
constexpr std::uint64_t kPid = 0x51, kReference = 0x52, kTail = 0x53, kUnordered = 0x54, kDeep = 0x55;

// How much is looked at.
constexpr std::size_t kStepsMax = 100'000;
constexpr int kDepthMax = 2'000;

bool has_names(Term t) { return Store::has_pid(t) || Store::has_reference(t); }

// All that it finds adds up, so that the order in which it looks does not matter.
class ShapeWalk {
 public:
  explicit ShapeWalk(NameShape& to) : to_(to) {}

  // What lies at a place. `depth`: of calls.
  void look(Term t, std::uint64_t place, int depth = 0) {
    if (t.is_pid()) return add_name(t, combine(place, kPid));
    if (t.is_reference())
      return add_name(Names::creator_of(t), combine(place, combine(kReference, index_of(t))));
    if (!t.is_pointer() || !has_names(t)) return add(combine(place, Store::hash(t)));
    if (depth > kDepthMax || ++steps_ > kStepsMax) {
      to_.is_too_large = true;
      return;
    }
    if (t.is_cons()) return look_at_list(t, place, depth);
    switch (kind_of(t.header())) {
      case Kind::kFlatMap:
      case Kind::kHashMap: return look_at_map(t, place, depth);
      case Kind::kFrame: return look_at_frames(t, place, depth);
      default: return look_at_words(words_of(t), combine(place, t.header().bits()), depth);
    }
  }

  void look_at_words(std::span<const Term> words, std::uint64_t place, int depth = 0) {
    add(place);
    for (std::size_t i = 0; i < words.size(); ++i) look(words[i], combine(place, i), depth + 1);
  }

  // One of several things whose order depends on the names in them.
  template <class Look>
  void look_at_thing(std::uint64_t place, Look look) {
    const std::size_t begin = to_.slots.size();
    const std::uint64_t before = to_.shape;
    to_.shape = 0;
    look();
    const std::uint64_t own = combine(combine(place, kUnordered), to_.shape);
    to_.shape = before;
    add(own);
    for (std::size_t i = begin; i < to_.slots.size(); ++i) {
      to_.slots[i].slot = combine(own, to_.slots[i].slot);
      to_.is_joint |= to_.slots[i].name != to_.slots[begin].name;
    }
  }

  void look_at_things(std::span<const Term> words, std::size_t each, std::uint64_t place) {
    for (std::size_t i = 0; i + each <= words.size(); i += each)
      look_at_thing(place, [&] { look_at_words(words.subspan(i, each), 0); });
  }

  static std::span<const Term> words_of(Term t) {
    return {t.object() + 1, static_cast<std::size_t>(size_of(t.header()))};
  }

 private:
  // Not whose it is.
  static std::uint64_t index_of(Term reference) {
    return reference.reference_payload() & ((std::uint64_t{1} << Names::kReferenceIndexBits) - 1);
  }
  void add(std::uint64_t what) { to_.shape += mix(what); }
  void add_name(Term pid, std::uint64_t place) {
    // The first ones are the same for ever.
    if (pid.pid_name() <= Names::system_pid().pid_name()) return add(combine(place, pid.bits()));
    add(place);
    to_.slots.push_back({.name = static_cast<std::uint32_t>(pid.pid_name()), .slot = mix(place)});
  }

  void look_at_list(Term t, std::uint64_t place, int depth) {
    std::uint64_t i = 0;
    for (; t.is_cons() && has_names(t); t = t.tail(), ++i) {
      if (++steps_ > kStepsMax) {
        to_.is_too_large = true;
        return;
      }
      look(t.head(), combine(place, i), depth + 1);
    }
    look(t, combine(combine(place, kTail), i), depth + 1);
  }

  void look_at_frames(Term t, std::uint64_t place, int depth) {
    std::uint64_t i = 0;
    for (; is_kind(t, Kind::kFrame) && has_names(t); t = words_of(t)[1], ++i) {
      const std::span<const Term> words = words_of(t);
      const std::uint64_t own = combine(combine(place, i), words[0].bits());
      look_at_words(words.subspan(2), combine(own, words.size()), depth + 1);
    }
    add(combine(combine(place, kTail + i), Store::hash(t)));
  }

  void look_at_map(Term t, std::uint64_t place, int depth) {
    add(combine(place, map_size(t)));
    for (MapIterator pairs(t); pairs.next();)
      look_at_thing(place, [&] {
        look(pairs.key(), 1, depth + 1);
        look(pairs.value(), 2, depth + 1);
      });
  }

  NameShape& to_;
  std::size_t steps_ = 0;
};

}  // namespace

NameShape shape_of_image(const ImageParts& parts) {
  NameShape shape;
  ShapeWalk walk(shape);
  const auto others = ShapeWalk::words_of(parts.others);
  for (std::size_t i = 0; i < others.size(); ++i)
    if (i + 1 != kAttributesOfImage) walk.look(others[i], combine(others.size(), i));
  const auto attributes = ShapeWalk::words_of(others[kAttributesOfImage - 1]);
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    const std::uint64_t place = combine(kDeep, i);
    const auto sequence = std::ranges::find(kSequencesOfAttributes, i + 1, &NamedSequence::element);
    if (sequence == kSequencesOfAttributes.end()) {
      walk.look(attributes[i], place);
    } else {
      walk.look_at_things(ShapeWalk::words_of(attributes[i]), sequence->words, place);
    }
  }
  walk.look(parts.stack, combine(kDeep, 100));
  walk.look(parts.mailbox, combine(kDeep, 101));
  return shape;
}

// How many receives, those, how many places, those, and pids.
NameShape shape_of_note(Term note) {
  NameShape shape;
  ShapeWalk walk(shape);
  for (const Term word : ShapeWalk::words_of(note)) {
    if (word.is_pid())
      walk.look_at_things({&word, 1}, 1, kDeep);
    else
      shape.shape = combine(shape.shape, word.bits());
  }
  return shape;
}

NameShape shape_of_shared(Term image) {
  NameShape shape;
  ShapeWalk walk(shape);
  const auto words = ShapeWalk::words_of(image);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::uint64_t place = combine(kDeep, i);
    if (i + 1 == kTimers) {
      walk.look_at_things(ShapeWalk::words_of(words[i]), kWordsOfTimer, place);
    } else if (i + 1 == kChannels && is_tuple(words[i])) {
      for_each_channel(words[i], [&](std::span<const Term> channel) {
        walk.look_at_thing(place, [&] { walk.look_at_words(channel, 0); });
      });
    } else {
      walk.look(words[i], place);
    }
  }
  return shape;
}

NameShape shape_of_tables(Term image) {
  NameShape shape;
  ShapeWalk walk(shape);
  const auto look_at_table = [&](Term table, std::uint64_t where) {
    const auto words = ShapeWalk::words_of(table);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::uint64_t place = combine(where, i);
      if (i + 1 == kTableRows && is_ordered_table(table)) {
        std::vector<Term> rows;
        OrderedTree::append_rows(words[i], rows);
        walk.look_at_things(rows, 1, place);
      } else if (i + 1 == kTableFixations) {
        walk.look_at_things(ShapeWalk::words_of(words[i]), 2, place);
      } else {
        walk.look(words[i], place);
      }
    }
  };
  // Tables lie in the order of who has made them; the test's own process has one name only.
  for (const Term table : ShapeWalk::words_of(image)) {
    const Term id = element(table, 1);
    if (Names::creator_of(id) == Names::root_pid())
      look_at_table(table, combine(kDeep, id.bits()));
    else
      walk.look_at_thing(kDeep, [&] { look_at_table(table, kDeep); });
  }
  return shape;
}

}  // namespace ravel::erlang
