// Equality and order of terms.
//
// `equal_exactly` is =:=, `equal` is == (1 == 1.0), `compare` is the standard order of <, =<, lists:sort:
// number < atom < reference < fun < port < pid < tuple < map < [] < list < bitstring. Numbers compare by
// value, also inside other terms. `compare_exactly` is the order of map keys: the same, but every integer
// comes before every float. 0.0 and -0.0 are equal under all four.
//
// Maps are ordered by size, then by keys (always exactly), then by values in the order of the keys.
//
// compare() is what programs go by: where names are watched (Names::uses), it notes those whose order had a
// part in the answer. The others are silent.
//
// The walks keep their own stack, so the depth of a term is no limit; only hash maps within keys of hash
// maps recurse when they are ordered.
#pragma once

#include "erlang/term/names.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

// What the inline functions do not decide. REQUIRES: a and b are different words.
bool equal_exactly_slowly(Term a, Term b);
bool equal_slowly(Term a, Term b);
int compare_slowly(const Names& names, Term a, Term b);
int compare_silently_slowly(const Names& names, Term a, Term b);
int compare_exactly_slowly(const Names& names, Term a, Term b);

inline bool equal_exactly(Term a, Term b) {
  if (a == b) return true;
  if (a.is_immediate() || b.is_immediate()) return false;
  return equal_exactly_slowly(a, b);
}

inline bool equal(Term a, Term b) {
  if (a == b) return true;
  if (a.is_immediate() && b.is_immediate()) return false;
  return equal_slowly(a, b);
}

// -1, 0 or 1.
inline int compare(const Names& names, Term a, Term b) {
  if (a == b) return 0;
  if (a.is_small() && b.is_small()) return a.small_value() < b.small_value() ? -1 : 1;
  return compare_slowly(names, a, b);
}

// The same as compare(), for what no program can see.
inline int compare_silently(const Names& names, Term a, Term b) {
  if (a == b) return 0;
  if (a.is_small() && b.is_small()) return a.small_value() < b.small_value() ? -1 : 1;
  return compare_silently_slowly(names, a, b);
}

inline int compare_exactly(const Names& names, Term a, Term b) {
  if (a == b) return 0;
  if (a.is_small() && b.is_small()) return a.small_value() < b.small_value() ? -1 : 1;
  return compare_exactly_slowly(names, a, b);
}

}  // namespace ravel::erlang
