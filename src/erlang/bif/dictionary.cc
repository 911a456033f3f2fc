// Built-ins on the process dictionary. It is a map, so they answer in the order of maps.
#include "erlang/bif/process_family.h"
#include "erlang/bif/shown_names.h"
#include "erlang/term/compare.h"
#include "erlang/term/map.h"

namespace ravel::erlang {

namespace {

Term value_or_undefined(Term value) { return value.is_none() ? atoms::kUndefined : value; }

void set_dictionary(Process& process, Term dictionary) {
  if (process.attributes.dictionary != dictionary) process.change_attributes().dictionary = dictionary;
}

}  // namespace

Term erase_0(Call& call, const Term*) {
  if (!may_list(call, call.self().attributes.dictionary)) return Term::none();
  const Term old = call.self().attributes.dictionary;
  set_dictionary(call.self(), empty_map(call.heap));
  return map_to_list(call.heap, old);
}

Term erase_1(Call& call, const Term* arguments) {
  const Term dictionary = call.self().attributes.dictionary;
  const Term old = map_get(call.names, dictionary, arguments[0]);
  if (!old.is_none())
    set_dictionary(call.self(), map_remove(call.heap, call.names, dictionary, arguments[0]));
  return value_or_undefined(old);
}

Term get_0(Call& call, const Term*) {
  if (!may_list(call, call.self().attributes.dictionary)) return Term::none();
  return map_to_list(call.heap, call.self().attributes.dictionary);
}

Term get_1(Call& call, const Term* arguments) {
  return value_or_undefined(map_get(call.names, call.self().attributes.dictionary, arguments[0]));
}

Term get_keys_0(Call& call, const Term*) {
  if (!may_list(call, call.self().attributes.dictionary)) return Term::none();
  return map_keys(call.heap, call.self().attributes.dictionary);
}

Term get_keys_1(Call& call, const Term* arguments) {
  if (!may_list(call, call.self().attributes.dictionary)) return Term::none();
  std::vector<Term> keys;
  for (MapIterator pairs(call.self().attributes.dictionary); pairs.next();)
    if (equal_exactly(pairs.value(), arguments[0])) keys.push_back(pairs.key());
  return call.heap.list(keys);
}

Term put_2(Call& call, const Term* arguments) {
  const Term dictionary = call.self().attributes.dictionary;
  const Term old = map_get(call.names, dictionary, arguments[0]);
  set_dictionary(call.self(), map_put(call.heap, call.names, dictionary, arguments[0], arguments[1]));
  return value_or_undefined(old);
}

}  // namespace ravel::erlang
