// Lists and tuples: what `++`, `--`, lists:keyfind/3 and their like compute.
//
// A function returns `Term::none()` when an argument is not the proper list, tuple or index that it needs;
// its callers answer with badarg.
#pragma once

#include <cstdint>
#include <optional>

#include "erlang/term/header.h"
#include "erlang/term/heap.h"
#include "erlang/term/names.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

// Larger tuples are refused.
inline constexpr Word kTupleSizeMax = (Word{1} << 24) - 1;

// The number of elements; nothing if it is no proper list.
inline std::optional<Word> list_length(Term list) {
  Word length = 0;
  for (; list.is_cons(); list = list.tail()) ++length;
  if (!list.is_nil()) return std::nullopt;
  return length;
}

// The elements of `list` before `tail`.
Term append(Heap& heap, Term list, Term tail);
// The elements of `list` in reverse order before `tail`.
Term reverse_onto(Heap& heap, Term list, Term tail);
// The list without the first occurrence of each element of `removed`, under =:=. O(n log n).
Term subtract_lists(Heap& heap, const Names& names, Term list, Term removed);

// lists:member/2: true or false.
Term is_member(Term element, Term list);
// lists:keyfind/3: the first tuple whose element at `position` == `key`, or false.
// REQUIRES: position >= 1.
Term find_key(Term key, Word position, Term list);

Term list_to_tuple(Heap& heap, Term list);
// REQUIRES: is_tuple(tuple).
Term tuple_to_list(Heap& heap, Term tuple);

// `index` as element/2 takes it: from 1, at most `size`; 0 if it is not.
inline Word checked_index(Term index, Word size) {
  if (!index.is_small()) return 0;
  const auto value = static_cast<Word>(index.small_value());
  return value <= size ? value : 0;
}

// A fresh copy with one element replaced: never shares, as set_tuple_element may write into it.
Term set_element(Heap& heap, Term index, Term tuple, Term value);

}  // namespace ravel::erlang
