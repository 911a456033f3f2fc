#include "erlang/term/list.h"

#include <algorithm>
#include <vector>

#include "erlang/term/compare.h"

namespace ravel::erlang {

namespace {

// From this many elements on, `--` sorts what it removes.
constexpr Word kLinearMax = 12;

// Builds a list from the front.
class ListBuilder {
 public:
  explicit ListBuilder(Heap& heap) : heap_(heap) {}
  void add(Term element) {
    Term* cell = heap_.allocate(2);
    cell[0] = element;
    *end_ = Term::cons(cell);
    end_ = cell + 1;
  }
  Term finish(Term tail = Term::nil()) {
    *end_ = tail;
    return first_;
  }

 private:
  Heap& heap_;
  Term first_ = Term::nil();
  Term* end_ = &first_;
};

// What `--` still has to remove: few elements, searched one by one.
class FewRemovals {
 public:
  FewRemovals(Term list, Word length) : left_(length) {
    for (Word i = 0; i < length; ++i, list = list.tail()) terms_[i] = list.head();
  }
  Word left() const { return left_; }
  bool take(Term element) {
    for (Word i = 0; i < left_; ++i) {
      if (!equal_exactly(terms_[i], element)) continue;
      terms_[i] = terms_[--left_];
      return true;
    }
    return false;
  }

 private:
  Term terms_[kLinearMax];
  Word left_;
};

// Many elements to be removed, sorted. An immediate is equal to no other word, so where all are immediates
// the words order them; else the order of map keys does, which agrees with =:=.
class ManyRemovals {
 public:
  ManyRemovals(const Names& names, Term list, Word length) : names_(names), left_(length) {
    std::vector<Term> terms;
    terms.reserve(length);
    for (; list.is_cons(); list = list.tail()) {
      terms.push_back(list.head());
      has_pointers_ |= list.head().is_pointer();
    }
    std::ranges::sort(terms, [this](Term a, Term b) { return order(a, b) < 0; });
    for (const Term term : terms) {
      if (!entries_.empty() && order(entries_.back().term, term) == 0) {
        ++entries_.back().count;
      } else {
        entries_.push_back({term, 1});
      }
    }
  }
  Word left() const { return left_; }
  bool take(Term element) {
    if (element.is_pointer() && !has_pointers_) return false;
    const auto found = std::ranges::lower_bound(
        entries_, element, [this](Term a, Term b) { return order(a, b) < 0; }, &Entry::term);
    if (found == entries_.end() || found->count == 0 || order(found->term, element) != 0) return false;
    --found->count;
    --left_;
    return true;
  }

 private:
  struct Entry {
    Term term;
    Word count;
  };

  int order(Term a, Term b) const {
    if (has_pointers_) return compare_exactly(names_, a, b);
    return a.bits() < b.bits() ? -1 : a.bits() > b.bits();
  }

  const Names& names_;
  Word left_;
  bool has_pointers_ = false;
  std::vector<Entry> entries_;
};

template <class Removals>
Term remove_from(Heap& heap, Term list, Removals removals) {
  ListBuilder kept(heap);
  for (; removals.left() > 0 && list.is_cons(); list = list.tail())
    if (!removals.take(list.head())) kept.add(list.head());
  return kept.finish(list);
}

}  // namespace

Term append(Heap& heap, Term list, Term tail) {
  ListBuilder result(heap);
  for (; list.is_cons(); list = list.tail()) result.add(list.head());
  if (!list.is_nil()) return Term::none();
  return result.finish(tail);
}

Term reverse_onto(Heap& heap, Term list, Term tail) {
  for (; list.is_cons(); list = list.tail()) tail = heap.cons(list.head(), tail);
  return list.is_nil() ? tail : Term::none();
}

Term subtract_lists(Heap& heap, const Names& names, Term list, Term removed) {
  const auto length = list_length(list);
  const auto removed_length = list_length(removed);
  if (!length || !removed_length) return Term::none();
  if (*length == 0 || *removed_length == 0) return list;
  if (*removed_length <= kLinearMax) return remove_from(heap, list, FewRemovals(removed, *removed_length));
  return remove_from(heap, list, ManyRemovals(names, removed, *removed_length));
}

Term is_member(Term element, Term list) {
  if (element.is_immediate()) {
    for (; list.is_cons(); list = list.tail())
      if (list.head() == element) return atoms::kTrue;
  } else {
    for (; list.is_cons(); list = list.tail())
      if (equal_exactly(list.head(), element)) return atoms::kTrue;
  }
  return list.is_nil() ? atoms::kFalse : Term::none();
}

Term find_key(Term key, Word position, Term list) {
  const bool is_plain = key.is_immediate() && !key.is_small();  // equal to nothing but itself
  for (; list.is_cons(); list = list.tail()) {
    const Term tuple = list.head();
    if (!is_tuple(tuple) || tuple_size(tuple) < position) continue;
    const Term candidate = element(tuple, position);
    if (candidate == key || (!is_plain && equal(candidate, key))) return tuple;
  }
  return list.is_nil() ? atoms::kFalse : Term::none();
}

Term list_to_tuple(Heap& heap, Term list) {
  const auto length = list_length(list);
  if (!length || *length > kTupleSizeMax) return Term::none();
  Term* object = heap.allocate(*length + 1);
  object[0] = make_header(Kind::kTuple, *length);
  for (Term* next = object + 1; list.is_cons(); list = list.tail()) *next++ = list.head();
  return Term::boxed(object);
}

Term tuple_to_list(Heap& heap, Term tuple) {
  Term list = Term::nil();
  for (Word i = tuple_size(tuple); i > 0; --i) list = heap.cons(element(tuple, i), list);
  return list;
}

Term set_element(Heap& heap, Term index, Term tuple, Term value) {
  if (!is_tuple(tuple)) return Term::none();
  const Word size = tuple_size(tuple);
  const Word at = checked_index(index, size);
  if (at == 0) return Term::none();
  Term* object = heap.allocate(size + 1);
  std::copy_n(tuple.object(), size + 1, object);
  object[at] = value;
  return Term::boxed(object);
}

}  // namespace ravel::erlang
