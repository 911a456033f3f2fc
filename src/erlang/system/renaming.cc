#include "erlang/system/renaming.h"

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "erlang/system/state_layout.h"
#include "erlang/term/compare.h"
#include "erlang/term/hash_map.h"
#include "erlang/term/map.h"
#include "erlang/term/ordered_tree.h"

namespace ravel::erlang {

namespace {

bool has_names(Term t) { return t.is_pointer() && (Store::has_pid(t) || Store::has_reference(t)); }

std::span<const Term> words_of(Term t) {
  return {t.object() + 1, static_cast<std::size_t>(size_of(t.header()))};
}

}  // namespace

void Renaming::begin(std::span<const std::pair<Term, Term>> names) {
  names_.assign(names.begin(), names.end());
  std::vector<std::pair<Word, Word>> key;
  for (const auto& [from, to] : names) key.emplace_back(from.bits(), to.bits());
  std::ranges::sort(key);
  renaming_ =
      renamings_.try_emplace(std::move(key), static_cast<std::uint32_t>(renamings_.size() + 1)).first->second;
  renamed_.assign(machine_.names.pid_count(), Term::none());
  for (const auto& [from, to] : names) renamed_[from.pid_name()] = to;
  if (known_.empty()) known_.resize(kKnown);
  has_failed_ = false;
}

Term Renaming::pid(Term pid) {
  const std::size_t name = pid.pid_name();
  if (name >= renamed_.size()) renamed_.resize(name + 1, Term::none());
  if (!renamed_[name].is_none()) return renamed_[name];
  Names& names = machine_.names;
  Term to = pid;
  if (names.has_parent(pid) && pid != Names::device_pid()) {
    const Term parent = names.parent_of(pid), renamed = this->pid(parent);
    if (renamed != parent) to = names.child_pid(renamed, names.ordinal_of(pid));
  }
  return renamed_[name] = to;
}

Term Renaming::reference(Term reference) {
  const Term creator = Names::creator_of(reference), to = pid(creator);
  return to == creator ? reference : Names::make_reference(to, Names::index_of(reference));
}

Renaming::Known* Renaming::find_known(Term t) { return &known_[combine(t.bits(), renaming_) % kKnown]; }

Term Renaming::term(Term t) {
  if (t.is_pid()) return pid(t);
  if (t.is_reference()) return reference(t);
  if (!has_names(t)) return t;
  if (const Known* const known = find_known(t); known->from == t && known->renaming == renaming_)
    return known->to;
  if (depth_ > kDepthMax) {
    has_failed_ = true;
    return t;
  }
  ++depth_;
  const Term to = object(t);
  --depth_;
  *find_known(t) = {.from = t, .renaming = renaming_, .to = to};
  return to;
}

Term Renaming::object(Term t) {
  if (t.is_cons()) return list(t);
  const Kind kind = kind_of(t.header());
  switch (kind) {
    case Kind::kFlatMap:
    case Kind::kHashMap: return map(t);
    case Kind::kFrame: return frames(t);
    default: break;
  }
  std::vector<Term> words;
  for (const Term word : words_of(t)) words.push_back(term(word));
  return machine_.store.intern_object(kind, words);
}

Term Renaming::list(Term t) {
  std::vector<Term> elements;
  for (; t.is_cons() && has_names(t); t = t.tail()) elements.push_back(term(t.head()));
  Term result = term(t);
  for (std::size_t i = elements.size(); i-- > 0;) result = machine_.heap.cons(elements[i], result);
  return machine_.store.intern(result);
}

Term Renaming::frames(Term t) {
  std::vector<Term> chain;
  for (; is_kind(t, Kind::kFrame) && has_names(t); t = words_of(t)[1]) chain.push_back(t);
  Term result = t;
  std::vector<Term> slots;
  for (std::size_t i = chain.size(); i-- > 0;) {
    const std::span<const Term> words = words_of(chain[i]);
    slots.clear();
    for (const Term slot : words.subspan(2)) slots.push_back(term(slot));
    result = machine_.store.intern_frame(words[0], result, slots);
  }
  return result;
}

Term Renaming::map(Term t) {
  std::vector<Term> pairs;
  for (MapIterator iterator(t); iterator.next();) {
    pairs.push_back(iterator.key());
    pairs.push_back(iterator.value());
  }
  for (Term& word : pairs) word = term(word);
  return machine_.store.intern(map_from_pairs(machine_.heap, machine_.names, pairs));
}

// Of a table, which is one whatever its size.
Term Renaming::hash_map(Term t) {
  if (!has_names(t)) return t;
  Term result = empty_hash_map(machine_.heap);
  for (MapIterator iterator(t); iterator.next();)
    result = hash_map_put(machine_.heap, machine_.names, result, term(iterator.key()), term(iterator.value()),
                          MissingKey::kAdd);
  return machine_.store.intern(result);
}

bool Renaming::is_before(std::span<const Term> a, std::span<const Term> b) const {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (const int order = compare_exactly(machine_.names, a[i], b[i]); order != 0) return order < 0;
  return false;
}

// Links, watchers, timers, fixations: in the order of the names with which they begin, watchers in that of
// their references, which begin with the watcher.
Term Renaming::tuple_of_things(Term tuple, std::size_t each) {
  if (!has_names(tuple)) return tuple;
  std::vector<Term> words;
  for (const Term word : words_of(tuple)) words.push_back(term(word));
  std::vector<std::span<const Term>> things;
  for (std::size_t i = 0; i + each <= words.size(); i += each)
    things.push_back(std::span<const Term>(words).subspan(i, each));
  std::ranges::stable_sort(
      things, [this](const auto& a, const auto& b) { return is_before(a.first(1), b.first(1)); });
  std::vector<Term> sorted;
  for (const auto& thing : things) sorted.insert(sorted.end(), thing.begin(), thing.end());
  return store_tuple(sorted);
}

Term Renaming::image(Term image) {
  Known* const known = find_known(image);
  if (known->from == image && known->renaming == renaming_) return known->to;
  ImageParts parts = machine_.freezer.parts_of(image);
  std::vector<Term> others;
  for (const Term word : words_of(parts.others)) others.push_back(word);
  for (std::size_t i = 0; i < others.size(); ++i)
    if (i + 1 != kAttributesOfImage) others[i] = term(others[i]);
  Term& attributes = others[kAttributesOfImage - 1];
  if (has_names(attributes)) {
    std::vector<Term> words;
    for (const Term word : words_of(attributes)) words.push_back(word);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto sequence = std::ranges::find(kSequencesOfAttributes, i + 1, &NamedSequence::element);
      words[i] = sequence == kSequencesOfAttributes.end() ? term(words[i])
                                                          : tuple_of_things(words[i], sequence->words);
    }
    attributes = store_tuple(words);
  }
  parts = {.others = store_tuple(others), .stack = term(parts.stack), .mailbox = term(parts.mailbox)};
  const Term to = machine_.freezer.image_of(parts);
  *find_known(image) = {.from = image, .renaming = renaming_, .to = to};
  return to;
}

// The pids stand in the order of their words.
Term Renaming::note(Term note) {
  std::vector<Term> words;
  for (const Term word : words_of(note)) words.push_back(term(word));
  const auto first = std::ranges::find_if(words, [](Term word) { return word.is_pid(); });
  std::sort(first, words.end(), [](Term a, Term b) { return a.bits() < b.bits(); });
  return store_tuple(words);
}

Term Renaming::channels(Term image) {
  if (!has_names(image)) return image;
  std::vector<std::vector<Term>> all;
  for_each_channel(image, [&](std::span<const Term> channel) {
    std::vector<Term>& words = all.emplace_back();
    for (const Term word : channel) words.push_back(term(word));
  });
  std::ranges::sort(all, [this](const auto& a, const auto& b) {
    return machine_.names.compare_references(a.front(), b.front()) < 0;
  });
  std::vector<Term> words;
  for (const std::vector<Term>& channel : all) words.insert(words.end(), channel.begin(), channel.end());
  return store_tuple(words);
}

Term Renaming::shared(Term image) {
  if (!has_names(image)) return image;
  std::vector<Term> words;
  for (const Term word : words_of(image)) words.push_back(word);
  for (std::size_t i = 0; i < words.size(); ++i)
    words[i] = i + 1 == kTimers     ? tuple_of_things(words[i], kWordsOfTimer)
               : i + 1 == kChannels ? channels(words[i])
                                    : term(words[i]);
  return store_tuple(words);
}

Term Renaming::table(Term image) {
  std::vector<Term> words;
  for (const Term word : words_of(image)) words.push_back(word);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i + 1 == kTableRows && is_ordered_table(image) && has_names(words[i])) {
      std::vector<Term> rows;
      OrderedTree::append_rows(words[i], rows);
      OrderedTree tree(machine_.heap, machine_.names,
                       static_cast<Word>(element(image, kTableKeyPosition).small_value()));
      Term renamed = Term::nil();
      for (const Term row : rows) renamed = tree.put(renamed, term(row));
      words[i] = machine_.store.intern(renamed);
    } else if ((i + 1 == kTableRows && !is_ordered_table(image)) ||
               (i + 1 == kTableDeletedKeys && !words[i].is_nil())) {
      words[i] = hash_map(words[i]);
    } else if (i + 1 == kTableFixations) {
      words[i] = tuple_of_things(words[i], 2);
    } else {
      words[i] = term(words[i]);
    }
  }
  return store_tuple(words);
}

Term Renaming::tables(Term image) {
  if (!has_names(image)) return image;
  std::vector<Term> all;
  for (const Term one : words_of(image)) all.push_back(table(one));
  std::ranges::sort(all, [this](Term a, Term b) {
    return machine_.names.compare_references(element(a, 1), element(b, 1)) < 0;
  });
  return store_tuple(all);
}

}  // namespace ravel::erlang
