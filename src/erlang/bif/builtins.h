// The table of all built-ins, made of one sorted table per family; each family is one file.
#pragma once

#include <span>
#include <vector>

#include "erlang/machine/builtin.h"

namespace ravel::erlang {

struct Release;

std::span<const Builtin> number_builtins();               // arithmetic, conversions of numbers, math
std::span<const Builtin> map_builtins();                  // maps, and maps in erlang and erts_internal
std::span<const Builtin> hash_builtins();                 // phash, phash2, crc32, adler32, md5
std::span<const Builtin> list_builtins();                 // lists, ++ and --, list functions of erlang
std::span<const Builtin> tuple_builtins();                // tuples
std::span<const Builtin> atom_builtins();                 // atoms
std::span<const Builtin> term_builtins();                 // type tests, comparisons, booleans
std::span<const Builtin> exception_builtins();            // throw, exit/1, error, raise
std::span<const Builtin> binary_builtins();               // binary, iolists, bitstrings
std::span<const Builtin> unicode_builtins();              // unicode
std::span<const Builtin> regular_expression_builtins();   // re
std::span<const Builtin> record_builtins();               // native records
std::span<const Builtin> external_format_builtins();      // term_to_binary and back
std::span<const Builtin> text_builtins();                 // pid_to_list, fun_to_list, node, calendar
std::span<const Builtin> packet_builtins();               // decode_packet
std::span<const Builtin> fun_builtins();                  // fun_info, make_fun, function_exported, ...
std::span<const Builtin> match_specification_builtins();  // match_spec_test, ets:match_spec_compile, ...
std::span<const Builtin>
process_builtins();  // spawn, send, links, monitors, registry, process_info, dictionary
std::span<const Builtin> table_builtins();            // ets
std::span<const Builtin> timer_builtins();            // send_after, start_timer, cancel_timer, read_timer
std::span<const Builtin> time_builtins();             // clocks, dates, unique integers
std::span<const Builtin> system_builtins();           // system_info, statistics, halt, code, os
std::span<const Builtin> persistent_term_builtins();  // persistent_term
std::span<const Builtin> atomics_builtins();          // atomics, counters
std::span<const Builtin> file_builtins();             // files by name, finding modules
std::span<const Builtin> code_loading_builtins();     // loading, deleting and purging modules
std::span<const Builtin> choice_builtins();           // ravel
std::span<const Builtin> probe_builtins();            // ravel: probes and labels
std::span<const Builtin> monitor_view_builtins();     // ravel_monitor: what monitors of properties ask
std::span<const Builtin> crypto_builtins();           // crypto's native functions
std::span<const Builtin> zlib_builtins();             // zlib's
std::span<const Builtin> open_file_builtins();        // open files
std::span<const Builtin> refused_builtins();          // what no schedule can control

// All built-ins, of all releases.
std::vector<Builtin> all_builtins();
// The built-ins that a release has.
std::vector<Builtin> builtins_of(const Release& release);

}  // namespace ravel::erlang
