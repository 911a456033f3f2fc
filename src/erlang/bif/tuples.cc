// Built-ins on tuples.
#include <algorithm>
#include <array>

#include "erlang/bif/builtins.h"
#include "erlang/term/list.h"

namespace ravel::erlang {

namespace {

Term or_badarg(Call& call, Term result) { return result.is_none() ? call.badarg() : result; }

// A new tuple whose elements are still to be written.
struct FreshTuple {
  Term term;
  Term* elements;
};

FreshTuple make_fresh(Heap& heap, Word size) {
  Term* object = heap.allocate(size + 1);
  object[0] = make_header(Kind::kTuple, size);
  return {.term = Term::boxed(object), .elements = object + 1};
}

Term append_element_2(Call& call, const Term* arguments) {
  const Term tuple = arguments[0];
  if (!is_tuple(tuple) || tuple_size(tuple) >= kTupleSizeMax) return call.badarg();
  const Word size = tuple_size(tuple);
  const FreshTuple result = make_fresh(call.heap, size + 1);
  std::copy_n(tuple.object() + 1, size, result.elements);
  result.elements[size] = arguments[1];
  return result.term;
}

Term delete_element_2(Call& call, const Term* arguments) {
  const Term tuple = arguments[1];
  if (!is_tuple(tuple)) return call.badarg();
  const Word size = tuple_size(tuple);
  const Word index = checked_index(arguments[0], size);
  if (index == 0) return call.badarg();
  const FreshTuple result = make_fresh(call.heap, size - 1);
  const Term* elements = tuple.object() + 1;
  std::copy(elements, elements + index - 1, result.elements);
  std::copy(elements + index, elements + size, result.elements + index - 1);
  return result.term;
}

Term element_2(Call& call, const Term* arguments) {
  const Term tuple = arguments[1];
  if (!is_tuple(tuple)) return call.badarg();
  const Word index = checked_index(arguments[0], tuple_size(tuple));
  return index == 0 ? call.badarg() : element(tuple, index);
}

Term insert_element_3(Call& call, const Term* arguments) {
  const Term tuple = arguments[1];
  if (!is_tuple(tuple) || tuple_size(tuple) >= kTupleSizeMax) return call.badarg();
  const Word size = tuple_size(tuple);
  const Word index = checked_index(arguments[0], size + 1);
  if (index == 0) return call.badarg();
  const FreshTuple result = make_fresh(call.heap, size + 1);
  const Term* elements = tuple.object() + 1;
  std::copy(elements, elements + index - 1, result.elements);
  result.elements[index - 1] = arguments[2];
  std::copy(elements + index - 1, elements + size, result.elements + index);
  return result.term;
}

Term list_to_tuple_1(Call& call, const Term* arguments) {
  return or_badarg(call, list_to_tuple(call.heap, arguments[0]));
}

// A tuple with the same element everywhere; its elements are null for a bad size.
FreshTuple make_uniform(Call& call, Term size, Term value) {
  if (!size.is_small() || size.small_value() < 0 || static_cast<Word>(size.small_value()) > kTupleSizeMax)
    return {.term = Term::none(), .elements = nullptr};
  const auto count = static_cast<Word>(size.small_value());
  const FreshTuple result = make_fresh(call.heap, count);
  std::fill_n(result.elements, count, value);
  return result;
}

Term make_tuple_2(Call& call, const Term* arguments) {
  return or_badarg(call, make_uniform(call, arguments[0], arguments[1]).term);
}

// Positions and values: later ones win.
Term make_tuple_3(Call& call, const Term* arguments) {
  const FreshTuple result = make_uniform(call, arguments[0], arguments[1]);
  if (result.term.is_none()) return call.badarg();
  Term list = arguments[2];
  for (; list.is_cons(); list = list.tail()) {
    const Term pair = list.head();
    if (!is_tuple_of(pair, 2)) return call.badarg();
    const Word index = checked_index(element(pair, 1), tuple_size(result.term));
    if (index == 0) return call.badarg();
    result.elements[index - 1] = element(pair, 2);
  }
  return list.is_nil() ? result.term : call.badarg();
}

Term setelement_3(Call& call, const Term* arguments) {
  return or_badarg(call, set_element(call.heap, arguments[0], arguments[1], arguments[2]));
}

Term tuple_size_1(Call& call, const Term* arguments) {
  return is_tuple(arguments[0]) ? Term::small(static_cast<std::int64_t>(tuple_size(arguments[0])))
                                : call.badarg();
}

Term tuple_to_list_1(Call& call, const Term* arguments) {
  return is_tuple(arguments[0]) ? tuple_to_list(call.heap, arguments[0]) : call.badarg();
}

constexpr auto kTupleBuiltins = std::to_array<Builtin>({
    {"erlang", "append_element", 2, Effect::kPure, append_element_2},
    {"erlang", "delete_element", 2, Effect::kPure, delete_element_2},
    {"erlang", "element", 2, Effect::kPure, element_2},
    {"erlang", "insert_element", 3, Effect::kPure, insert_element_3},
    {"erlang", "list_to_tuple", 1, Effect::kPure, list_to_tuple_1},
    {"erlang", "make_tuple", 2, Effect::kPure, make_tuple_2},
    {"erlang", "make_tuple", 3, Effect::kPure, make_tuple_3},
    {"erlang", "setelement", 3, Effect::kPure, setelement_3},
    {"erlang", "tuple_size", 1, Effect::kPure, tuple_size_1},
    {"erlang", "tuple_to_list", 1, Effect::kPure, tuple_to_list_1},
});
static_assert(std::ranges::is_sorted(kTupleBuiltins, {}, &Builtin::key));

}  // namespace

std::span<const Builtin> tuple_builtins() { return kTupleBuiltins; }

}  // namespace ravel::erlang
