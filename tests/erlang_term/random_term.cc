#include "tests/erlang_term/random_term.h"

#include <cmath>
#include <cstdio>
#include <vector>

#include "erlang/term/bits.h"
#include "erlang/term/header.h"
#include "erlang/term/map.h"

namespace ravel::erlang {

namespace {

Term big(Heap& heap, bool negative, std::span<const std::uint64_t> limbs) {
  Term* object = heap.allocate(limbs.size() + 1);
  object[0] = make_header(negative ? Kind::kNegativeBig : Kind::kPositiveBig, limbs.size());
  for (std::size_t i = 0; i < limbs.size(); ++i) object[i + 1] = Term(limbs[i]);
  return Term::boxed(object);
}

}  // namespace

Term RandomTerms::integer() {
  switch (below(6)) {
    case 0: return Term::small(static_cast<std::int64_t>(below(10)) - 3);
    case 1: return Term::small(static_cast<std::int64_t>(below(256)));
    case 2: {  // next to a power of two
      const std::int64_t near = static_cast<std::int64_t>((std::uint64_t{1} << below(63)) + below(3)) - 1;
      return heap_.integer(below(2) == 0 ? near : -near);
    }
    case 3: return heap_.integer(static_cast<std::int64_t>(generator_()));
    case 4: return Term::small(static_cast<std::int64_t>(generator_()) >> (5 + below(59)));
    default: {
      std::uint64_t limbs[4];
      const std::size_t count = 2 + below(3);
      for (std::uint64_t& limb : limbs) limb = below(3) == 0 ? 0 : generator_();
      limbs[count - 1] = below(2) == 0 ? 1 : generator_() | 1;
      return big(heap_, below(2) == 0, {limbs, count});
    }
  }
}

Term RandomTerms::floating() {
  switch (below(5)) {
    case 0: return heap_.floating(below(2) == 0 ? 0.0 : -0.0);
    case 1: return heap_.floating(static_cast<double>(below(10)) - 3);
    case 2: {
      const double near = std::ldexp(1.0, static_cast<int>(below(140))) + static_cast<double>(below(3)) - 1;
      return heap_.floating(below(2) == 0 ? near : -near);
    }
    case 3: return heap_.floating(static_cast<double>(static_cast<std::int64_t>(generator_())) / 1000);
    default: {
      const auto value = __builtin_bit_cast(double, generator_());
      return heap_.floating(std::isfinite(value) ? value : 1.5);
    }
  }
}

Term RandomTerms::atom() {
  static const char* const kTexts[] = {
      "a",          "b",         "ab",       "ok",  "error", "undefined", "",          "é",   "Åland", "日本",
      "longatomab", "longatoma", "longatom", "A b", "'q'",   "ÿ",         "\xC2\x80x", "nil", "true",  "x1"};
  return names_.atoms.intern(kTexts[below(std::size(kTexts))]);
}

Term RandomTerms::bitstring() {
  const std::uint64_t bytes = below(4) == 0 ? below(60) : below(5);
  const Term whole = make_bytes(heap_, bytes * 8 + 16);
  for (std::uint64_t i = 0; i < bytes + 2; ++i)
    bytes_of(whole)[i] = static_cast<std::uint8_t>(below(3) == 0 ? below(3) : below(256));
  switch (below(3)) {
    case 0: return whole;
    case 1: return make_sub_bits(heap_, whole, 8 * below(2), bytes * 8);
    default: return make_sub_bits(heap_, whole, below(8), bytes * 8 + below(9));
  }
}

Term RandomTerms::map(std::size_t pairs, int depth) {
  std::vector<Term> all;
  for (std::size_t i = 0; i < 2 * pairs; ++i) all.push_back(any(depth));
  return map_from_pairs(heap_, names_, all);
}

Term RandomTerms::any(int depth) {
  switch (below(depth > 0 ? 11 : 6)) {
    case 0:
    case 1: return integer();
    case 2: return floating();
    case 3: return atom();
    case 4: return bitstring();
    case 5: return Term::nil();
    case 6: {
      std::vector<Term> elements(below(4));
      for (Term& element : elements) element = any(depth - 1);
      return heap_.tuple(elements);
    }
    case 7: {
      std::vector<Term> elements(below(5));
      for (Term& element : elements) element = any(depth - 1);
      return heap_.list(elements, below(4) == 0 ? any(depth - 1) : Term::nil());
    }
    case 8: {  // text, perhaps followed by something
      Term list = below(3) == 0 ? any(depth - 1) : Term::nil();
      for (std::uint64_t i = below(12); i > 0; --i)
        list = heap_.cons(Term::small(static_cast<std::int64_t>(below(256))), list);
      return list;
    }
    case 9: return map(below(5), depth - 1);
    default: return map(below(6) == 0 ? 28 + below(12) : below(3), depth - 1);
  }
}

Term RandomTerms::variation(Term t) {
  if (below(12) == 0) return any(1);
  if (t.is_cons()) return heap_.cons(variation(t.head()), variation(t.tail()));
  if (t.is_small() && below(4) == 0) return heap_.floating(static_cast<double>(t.small_value()));
  if (is_float(t) && below(8) == 0) return heap_.floating(-float_value(t));
  if (is_tuple(t)) {
    std::vector<Term> elements;
    for (Word i = 1; i <= tuple_size(t); ++i) elements.push_back(variation(element(t, i)));
    return heap_.tuple(elements);
  }
  if (is_map(t)) {
    std::vector<Term> pairs;
    for (MapIterator it(t); it.next();) {
      pairs.push_back(below(40) == 0 ? variation(it.key()) : deep_copy(heap_, it.key()));
      pairs.push_back(below(10) == 0 ? variation(it.value()) : it.value());
    }
    return map_from_pairs(heap_, names_, pairs);
  }
  return below(2) == 0 ? t : deep_copy(heap_, t);
}

Term deep_copy(Heap& heap, Term t) {
  if (!t.is_pointer()) return t;
  if (t.is_cons()) {
    const Term head = deep_copy(heap, t.head());
    return heap.cons(head, deep_copy(heap, t.tail()));
  }
  const Word words = size_of(t.header()) + 1;
  Term* object = heap.allocate(words);
  object[0] = t.header();
  for (Word i = 1; i < words; ++i)
    object[i] = is_raw(kind_of(t.header())) ? t.object()[i] : deep_copy(heap, t.object()[i]);
  return Term::boxed(object);
}

namespace {

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += text.empty() ? part : "," + part;
  return text;
}

std::string atom_text(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "\\'" : std::string(1, c);
  return quoted + "'";
}

std::string bits_text(Term t) {
  const BitView view = view_bits(t);
  std::vector<std::string> parts;
  for (std::uint64_t done = 0; done < view.length; done += 8) {
    const std::uint64_t count = std::min<std::uint64_t>(8, view.length - done);
    std::uint8_t byte = 0;
    copy_bits(&byte, 8 - count, view.bytes, view.offset + done, count);
    parts.push_back(std::to_string(byte) + (count < 8 ? ":" + std::to_string(count) : ""));
  }
  return "<<" + joined(parts) + ">>";
}

}  // namespace

std::string erlang_text(const Names& names, Term t) {
  char buffer[64];
  if (t.is_small()) return std::to_string(t.small_value());
  if (t.is_atom()) return atom_text(names.atoms.text(t));
  if (t.is_nil()) return "[]";
  if (is_float(t)) {
    std::snprintf(buffer, sizeof buffer, "%.17e", float_value(t));
    return buffer;
  }
  if (is_big(t)) {
    std::string text = kind_of(t.header()) == Kind::kNegativeBig ? "-16#" : "16#";
    for (Word i = size_of(t.header()); i > 0; --i) {
      std::snprintf(buffer, sizeof buffer, "%016llx", static_cast<unsigned long long>(t.object()[i].bits()));
      text += buffer;
    }
    return text;
  }
  if (is_bitstring(t)) return bits_text(t);
  std::vector<std::string> parts;
  if (t.is_cons()) {
    for (; t.is_cons(); t = t.tail()) parts.push_back(erlang_text(names, t.head()));
    return "[" + joined(parts) + (t.is_nil() ? "" : "|" + erlang_text(names, t)) + "]";
  }
  if (is_map(t)) {
    for (MapIterator it(t); it.next();)
      parts.push_back(erlang_text(names, it.key()) + "=>" + erlang_text(names, it.value()));
    return "#{" + joined(parts) + "}";
  }
  for (Word i = 1; i <= tuple_size(t); ++i) parts.push_back(erlang_text(names, element(t, i)));
  return "{" + joined(parts) + "}";
}

}  // namespace ravel::erlang
