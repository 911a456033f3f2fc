// ets:select and its relatives: rows that fit a match specification.
//
// The results stand in the emulator's order: those of a hash table in the reverse order of the table, those
// of an ordered_set in its order. A selection in portions goes on after the last key that it looked at,
// whatever was inserted or deleted meanwhile.
//
// Continuations look as OTP's ets:repair_continuation/2 wants them:
//   hash table    {Table, 0, Portion, Specification, [LastKey | Rest], LengthOfRest}, or, when no key is
//   left,
//                 {Table, -1, Portion, Specification, Rest, LengthOfRest}
//   ordered_set   {Table, LastKey, [], Portion, Specification, [], Reverse, 0}
#include <algorithm>
#include <vector>

#include "erlang/bif/ets_family.h"
#include "erlang/bif/shown_names.h"
#include "erlang/bif/table_selection.h"
#include "erlang/machine/table_notes.h"
#include "erlang/term/header.h"
#include "erlang/term/list.h"

namespace ravel::erlang {

namespace {

enum class Direction : std::uint8_t { kForward, kBackward };

// ---- All at once
// --------------------------------------------------------------------------------------------

Term select_all(Call& call, Table& table, Term source, Direction direction) {
  TableSelection selection(call, table);
  if (!selection.prepare(source)) return call.badarg();
  std::vector<RowGroup> groups = selection.groups();
  if (!table.is_hash() && direction == Direction::kForward) std::ranges::reverse(groups);
  Term results = Term::nil();
  std::vector<Term> keys;  // of which there are results
  for (const RowGroup& group : groups) {
    const Term before = results;
    group.for_each([&](Term row) {
      const Term value = selection.run(row);
      if (!value.is_none()) results = call.heap.cons(value, results);
    });
    if (results != before) keys.push_back(group.key);
  }
  if (keys.size() > 1 && !may_show(call, keys, NameUse::kOrder)) return Term::none();
  return results;
}

// ---- In portions
// --------------------------------------------------------------------------------------------

struct Portion {
  Term handle;
  std::int64_t limit = 0;
  Direction direction = Direction::kForward;
};

Term reverse(Heap& heap, Term list) { return reverse_onto(heap, list, Term::nil()); }

// What was found last stands first in `found`. `last_key`: where to go on, or none at the end of the table.
Term hash_portion(Call& call, const TableSelection& selection, const Table& table, const Portion& portion,
                  Term found, std::int64_t count, Term last_key, bool is_continued) {
  Heap& heap = call.heap;
  std::vector<Term> rest;
  for (; count > portion.limit; --count, found = found.tail()) rest.push_back(found.head());
  // The emulator turns what is left over each time that a selection goes on.
  if (is_continued) std::ranges::reverse(rest);
  if (rest.empty() && last_key.is_none())
    return found.is_nil() ? atoms::kEOT : heap.tuple({found, atoms::kEOT});
  const Term rest_list = heap.list(rest);
  const Term length = Term::small(static_cast<std::int64_t>(rest.size()));
  const Term where = Term::small(last_key.is_none() ? -1 : 0);
  const Term kept = last_key.is_none() ? rest_list : heap.cons(last_key, rest_list);
  return heap.tuple(
      {found, heap.tuple({table.id, where, Term::small(portion.limit),
                          compiled_match_specification(heap, selection.source()), kept, length})});
}

// Goes through a hash table from after `key` (none: from its start) until there is enough.
Term walk_hash(Call& call, TableSelection& selection, Table& table, const Portion& portion, Term key,
               Term found, std::int64_t count) {
  const bool is_continued = !key.is_none();
  notes_of(call, table).select(selection.source());
  notes_of(call, table).order(Term::none(), Term::none());  // whether anything comes after the portion
  TableRows& contents = selection.contents();
  RowGroup group = is_continued ? contents.next(key) : contents.first();
  Term last_key = Term::none();
  while (group.exists()) {
    if (!may_see_place(call, table, group.key)) return Term::none();
    group.for_each([&](Term row) {
      const Term value = selection.run(row);
      if (value.is_none()) return;
      found = call.heap.cons(value, found);
      ++count;
    });
    // Whether this was the last row is found out by who goes on, as in the emulator, whose tables have empty
    // places.
    if (count >= portion.limit) {
      last_key = group.key;
      break;
    }
    group = contents.next(group.key);
  }
  return hash_portion(call, selection, table, portion, found, count, last_key, is_continued);
}

// Goes through an ordered_set until there is enough.
Term walk_ordered(Call& call, TableSelection& selection, Table& table, const Portion& portion, Term key) {
  Heap& heap = call.heap;
  notes_of(call, table).select(selection.source());
  const bool goes_back = portion.direction == Direction::kBackward;
  TableRows& contents = selection.contents();
  const auto next_of = [&](Term from) { return goes_back ? contents.previous(from) : contents.next(from); };
  RowGroup group = !key.is_none() ? next_of(key) : goes_back ? contents.last() : contents.first();
  Term found = Term::nil();
  std::int64_t count = 0;
  for (; group.exists(); group = next_of(group.key)) {
    if (!may_see_place(call, table, group.key)) return Term::none();
    const Term value = selection.run(group.rows);
    if (value.is_none()) continue;
    found = heap.cons(value, found);
    if (++count == portion.limit) break;
  }
  if (count == 0) return atoms::kEOT;
  found = reverse(heap, found);
  if (count < portion.limit) return heap.tuple({found, atoms::kEOT});
  const Term continuation = heap.tuple({portion.handle, group.key, Term::nil(), Term::small(portion.limit),
                                        compiled_match_specification(heap, selection.source()), Term::nil(),
                                        Term::small(goes_back ? 1 : 0), Term::small(0)});
  return heap.tuple({found, continuation});
}

Term select_portion(Call& call, Table& table, Term source, const Portion& portion) {
  TableSelection selection(call, table);
  if (!selection.prepare(source)) return call.badarg();
  if (!selection.has_keys())
    return table.is_hash() ? walk_hash(call, selection, table, portion, Term::none(), Term::nil(), 0)
                           : walk_ordered(call, selection, table, portion, Term::none());
  Term found = Term::nil();
  std::int64_t count = 0;
  for (const RowGroup& group : selection.groups()) {
    if (!may_see_place(call, table, group.key)) return Term::none();
    group.for_each([&](Term row) {
      const Term value = selection.run(row);
      if (value.is_none()) return;
      found = call.heap.cons(value, found);
      ++count;
    });
  }
  if (table.is_hash())
    return hash_portion(call, selection, table, portion, found, count, Term::none(), false);
  return count == 0 ? atoms::kEOT : call.heap.tuple({reverse(call.heap, found), atoms::kEOT});
}

Term go_on_in_hash(Call& call, Table& table, Term continuation) {
  const auto part = [&](Word i) { return element(continuation, i); };
  if (!is_tuple_of(continuation, 6) || !part(2).is_small() || !part(3).is_small() || !is_list(part(5)) ||
      !part(6).is_small() || !is_compiled_match_specification(part(4)))
    return call.badarg();
  const Portion portion{.handle = part(1), .limit = part(3).small_value()};
  const std::int64_t count = part(6).small_value();
  const bool is_at_end = part(2).small_value() < 0;
  if (portion.limit < 0 || count < 0 || (!is_at_end && !part(5).is_cons())) return call.badarg();
  const Term rest = is_at_end ? part(5) : part(5).tail();
  const auto length = list_length(rest);
  if (!length || static_cast<std::int64_t>(*length) != count) return call.badarg();
  TableSelection selection(call, table);
  if (!selection.prepare(source_of_match_specification(part(4)))) return call.badarg();
  if (is_at_end) return hash_portion(call, selection, table, portion, rest, count, Term::none(), true);
  const Term key = part(5).head();
  if (count >= portion.limit) return hash_portion(call, selection, table, portion, rest, count, key, true);
  return walk_hash(call, selection, table, portion, key, rest, count);
}

Term go_on_in_order(Call& call, Table& table, Term continuation) {
  const auto part = [&](Word i) { return element(continuation, i); };
  if (!is_tuple_of(continuation, 8) || !part(4).is_small() || !is_list(part(6)) || !part(7).is_small() ||
      !part(8).is_small() || part(4).small_value() <= 0 || !is_compiled_match_specification(part(5)))
    return call.badarg();
  TableSelection selection(call, table);
  if (!selection.prepare(source_of_match_specification(part(5)))) return call.badarg();
  const Portion portion{.handle = part(1),
                        .limit = part(4).small_value(),
                        .direction = part(7).small_value() == 0 ? Direction::kForward : Direction::kBackward};
  return walk_ordered(call, selection, table, portion, part(2));
}

Term select_with_limit(Call& call, const Term* arguments, Term source, Direction direction) {
  Table* table = find_table(call, arguments[0], TableRight::kRead);
  if (table == nullptr) return Term::none();
  if (!arguments[2].is_small() || arguments[2].small_value() <= 0) return call.badarg();
  return select_portion(
      call, *table, source,
      {.handle = arguments[0], .limit = arguments[2].small_value(), .direction = direction});
}

Term select(Call& call, const Term* arguments, Term source, Direction direction) {
  Table* table = find_table(call, arguments[0], TableRight::kRead);
  return table == nullptr ? Term::none() : select_all(call, *table, source, direction);
}

// [{Pattern, [], [Result]}]
Term specification_for(Call& call, Term pattern, Term result) {
  Heap& heap = call.heap;
  return heap.cons(heap.tuple({pattern, Term::nil(), heap.cons(result, Term::nil())}), Term::nil());
}

}  // namespace

Term ets_select_1(Call& call, const Term* arguments) {
  const Term continuation = arguments[0];
  if (continuation == atoms::kEOT) return atoms::kEOT;
  if (!is_tuple(continuation) || tuple_size(continuation) < 1) return call.badarg();
  Table* table = find_table(call, element(continuation, 1), TableRight::kRead);
  if (table == nullptr) return Term::none();
  return table->is_hash() ? go_on_in_hash(call, *table, continuation)
                          : go_on_in_order(call, *table, continuation);
}

Term ets_select_2(Call& call, const Term* arguments) {
  return select(call, arguments, arguments[1], Direction::kForward);
}
Term ets_select_3(Call& call, const Term* arguments) {
  return select_with_limit(call, arguments, arguments[1], Direction::kForward);
}
Term ets_select_reverse_2(Call& call, const Term* arguments) {
  return select(call, arguments, arguments[1], Direction::kBackward);
}
Term ets_select_reverse_3(Call& call, const Term* arguments) {
  return select_with_limit(call, arguments, arguments[1], Direction::kBackward);
}
Term ets_match_2(Call& call, const Term* arguments) {
  return select(call, arguments, specification_for(call, arguments[1], atoms::kDollarDollar),
                Direction::kForward);
}
Term ets_match_3(Call& call, const Term* arguments) {
  return select_with_limit(call, arguments, specification_for(call, arguments[1], atoms::kDollarDollar),
                           Direction::kForward);
}
Term ets_match_object_2(Call& call, const Term* arguments) {
  return select(call, arguments, specification_for(call, arguments[1], atoms::kDollarUnderscore),
                Direction::kForward);
}
Term ets_match_object_3(Call& call, const Term* arguments) {
  return select_with_limit(call, arguments, specification_for(call, arguments[1], atoms::kDollarUnderscore),
                           Direction::kForward);
}

}  // namespace ravel::erlang
