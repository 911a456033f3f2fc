// The built-ins of ets, by file: their table is in ets_tables.cc.
//
// Each is one step: an operation on several rows, a selection and the insertion of a list are atomic here.
// (The emulator promises that for single rows, for lists, and, while nobody else changes the table, for the
// rest.)
#pragma once

#include "erlang/machine/builtin.h"
#include "erlang/machine/machine.h"
#include "erlang/machine/table.h"
#include "erlang/machine/table_notes.h"

namespace ravel::erlang {

// ets_tables.cc
Term ets_delete_1(Call& call, const Term* arguments);
Term ets_give_away_3(Call& call, const Term* arguments);
Term ets_internal_request_all_0(Call& call, const Term* arguments);
Term ets_new_2(Call& call, const Term* arguments);
Term ets_rename_2(Call& call, const Term* arguments);
Term ets_setopts_2(Call& call, const Term* arguments);
Term ets_whereis_1(Call& call, const Term* arguments);

// ets_info.cc
Term ets_info_1(Call& call, const Term* arguments);
Term ets_info_2(Call& call, const Term* arguments);

// ets_rows.cc
Term ets_delete_2(Call& call, const Term* arguments);
Term ets_delete_object_2(Call& call, const Term* arguments);
Term ets_insert_2(Call& call, const Term* arguments);
Term ets_insert_new_2(Call& call, const Term* arguments);
Term ets_internal_delete_all_2(Call& call, const Term* arguments);
Term ets_lookup_2(Call& call, const Term* arguments);
Term ets_lookup_element_3(Call& call, const Term* arguments);
Term ets_lookup_element_4(Call& call, const Term* arguments);
Term ets_member_2(Call& call, const Term* arguments);
Term ets_take_2(Call& call, const Term* arguments);

// ets_updates.cc
Term ets_update_counter_3(Call& call, const Term* arguments);
Term ets_update_counter_4(Call& call, const Term* arguments);
Term ets_update_element_3(Call& call, const Term* arguments);
Term ets_update_element_4(Call& call, const Term* arguments);

// ets_traversal.cc
Term ets_first_1(Call& call, const Term* arguments);
Term ets_first_lookup_1(Call& call, const Term* arguments);
Term ets_last_1(Call& call, const Term* arguments);
Term ets_last_lookup_1(Call& call, const Term* arguments);
Term ets_next_2(Call& call, const Term* arguments);
Term ets_next_lookup_2(Call& call, const Term* arguments);
Term ets_prev_2(Call& call, const Term* arguments);
Term ets_prev_lookup_2(Call& call, const Term* arguments);
Term ets_safe_fixtable_2(Call& call, const Term* arguments);
Term ets_slot_2(Call& call, const Term* arguments);

// ets_selection.cc
Term ets_internal_select_delete_2(Call& call, const Term* arguments);
Term ets_match_2(Call& call, const Term* arguments);
Term ets_match_3(Call& call, const Term* arguments);
Term ets_match_object_2(Call& call, const Term* arguments);
Term ets_match_object_3(Call& call, const Term* arguments);
Term ets_select_1(Call& call, const Term* arguments);
Term ets_select_2(Call& call, const Term* arguments);
Term ets_select_3(Call& call, const Term* arguments);
Term ets_select_count_2(Call& call, const Term* arguments);
Term ets_select_replace_2(Call& call, const Term* arguments);
Term ets_select_reverse_2(Call& call, const Term* arguments);
Term ets_select_reverse_3(Call& call, const Term* arguments);

enum class TableRight : std::uint8_t { kRead, kWrite, kInfo };

// The table with this identifier or name, if the caller may do that with it. Null: an exception is noted,
// whose cause is `id` (there is no such table), `type` (that is no identifier) or `access`.
Table* find_table(Call& call, Term handle, TableRight right);

// False: which of several keys comes first depends on the names in it, and the program may not see that.
inline bool may_see_place(Call& call, const Table& table, Term key) {
  return key.is_none() || table.size < 2 || call.machine.opaque_names.may_use(key, NameUse::kOrder);
}

inline TableNotes notes_of(Call& call, const Table& table) { return {call.machine, table, call.self().pid}; }
inline TableRows rows_of(Call& call, Table& table) { return {call.heap, call.names, table}; }

}  // namespace ravel::erlang
