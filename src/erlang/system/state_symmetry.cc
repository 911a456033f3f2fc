#include "erlang/system/state_symmetry.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/hash.h"
#include "erlang/machine/process_image.h"

namespace ravel::erlang {

namespace {

std::uint32_t name_of(Term pid) { return static_cast<std::uint32_t>(pid.pid_name()); }

}  // namespace

std::uint32_t StateSymmetry::Tree::parent(std::uint32_t name) const {
  const Term pid = Term::pid(name);
  return machine_.names.has_parent(pid) ? name_of(machine_.names.parent_of(pid)) : kNone;
}

std::uint32_t StateSymmetry::Tree::ordinal(std::uint32_t name) const {
  return machine_.names.ordinal_of(Term::pid(name));
}

const StateSymmetry::Shape& StateSymmetry::shape_of(Term image, auto make) {
  const auto [place, is_new] = shapes_.try_emplace(image.bits());
  if (is_new) place->second = make();
  return place->second;
}

void StateSymmetry::forget_terms() {
  shapes_.clear();
  renaming_.forget_terms();
}

void StateSymmetry::add_parts(std::span<const Term> words) {
  if (shapes_.size() > kShapesMax) shapes_.clear();
  parts_.clear();
  order_.begin();
  const auto add = [&](Term pid, Term image, auto make) {
    const Shape& shape = shape_of(image, make);
    parts_.push_back({.pid = pid, .image = image});
    order_.add_part(pid.is_none() ? NameTree::kNone : name_of(pid), shape.names);
    if (!pid.is_none() && shape.group != 0 && machine_.names.has_parent(pid))
      order_.add_member(name_of(pid), {machine_.names.parent_of(pid).pid_name(), shape.group});
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

Term StateSymmetry::renamed_image(Term image) {
  if (images_ == Images::kPlain) return renaming_.image(image);
  const VisitedStates::NotedImage noted = visited_.without_note(image);
  return visited_.with_note({.image = renaming_.image(noted.image), .note = renaming_.note(noted.note)});
}

// False: it could not be done.
bool StateSymmetry::rename(std::span<const Term> words, const NewNames& names, std::vector<Term>& to) {
  to.assign(words.begin(), words.end());
  if (names.empty()) return true;
  renaming_.begin(names);
  if (order_.has_changing_name(0)) to[0] = renaming_.shared(words[0]);
  if (order_.has_changing_name(1)) to[1] = renaming_.tables(words[1]);
  std::vector<std::pair<Term, Term>> processes;
  for (std::size_t i = 2; i < parts_.size(); ++i) {
    const auto& [pid, image] = parts_[i];
    processes.emplace_back(renaming_.pid(pid), order_.has_changing_name(i) ? renamed_image(image) : image);
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
  add_parts(words);
  if (!order_.find()) return words;
  const auto value_of = [](Term word) { return word.is_pointer() ? Store::hash(word) : word.bits(); };
  const auto is_less = [&](std::span<const Term> a, std::span<const Term> b) {
    return std::ranges::lexicographical_compare(a, b, {}, value_of, value_of);
  };
  bool is_first = true;
  NewNames names;
  do {
    names.clear();
    for (const auto& [from, to] : order_.exchanges()) names.emplace_back(Term::pid(from), Term::pid(to));
    if (!rename(words, names, other_words_)) {
      names_.clear();
      return words;
    }
    if (!std::exchange(is_first, false) && !is_less(other_words_, words_)) continue;
    words_.swap(other_words_);
    names_.swap(names);
  } while (order_.next());
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
