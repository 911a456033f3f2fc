// What differs between releases of Erlang/OTP, as data: a row of traits for each. Code asks for a trait,
// never for the number of a release.
//
// The release is that of the installed Erlang/OTP, so it is one for the whole process: terms are compared by
// it everywhere, also where no machine is at hand. It is set when the installation has been found, before any
// machine is made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace ravel::erlang {

struct Release {
  int number = 0;  // of Erlang/OTP
  std::string_view nif_version;
  bool are_zeros_distinct = false;  // 0.0 =:= -0.0 is false, and as keys of maps they are two
  int external_minor_version = 1;   // of term_to_binary without options: 2 writes all atoms as UTF-8
  bool iterates_in_order = false;   // maps:iterator/2
  bool has_async_dist = false;      // the flag of processes
  bool warps_time = false;          // by default
  bool has_process_labels = false;  // process_info tells them, and single entries of the dictionary
  bool hashes_keys_widely = false;  // keys of large maps, by 64 bits: another order
  std::int64_t process_limit = 262'144;
  bool assigns_in_comprehensions = false;  // erl_features has compr_assign
  bool reserves_maybe = false;             // as a word of the language, so that it is quoted as an atom
  // unicode:bin_is_7bit/1, and binary:referenced_byte_size/1 of short binaries
  bool takes_bits_for_bytes = false;
  bool tells_what_was_printed = false;   // the device, when it can't be
  bool wants_whole_bytes = false;        // where a binary is asked for and a bitstring was taken
  bool looks_at_patterns_first = false;  // binary:match/2, also if there is nothing to search
  bool explains_increments = false;      // the stack trace of a failed `X + 1` begins with erlang:'+'/2
  bool guards_by_tuple_size = false;     // match specifications have tuple_size
  bool sizes_by_any_option = false;      // external_size/2 knows those of term_to_binary/2
  // Integers of 64-bit limbs: larger ones are a system_limit
  std::size_t integer_limbs_max = (std::size_t{1} << 19) - 1;
  bool inserts_bags_backwards = true;  // ets:insert/2 and insert_new/2 of a list
  // ets: a map in a pattern's key fits larger ones, as elsewhere; else it is what is looked up
  bool fits_keys_partly = false;
  bool joins_small_parts = false;  // iolist_to_iovec/1: whatever is no part of its own
  // erts_debug:flat_size/1.
  std::uint64_t large_binary_words = 6;
  std::uint64_t fun_words = 5;  // without its environment
  std::uint64_t external_fun_words = 5;
  bool has_short_bitstrings = false;    // on the heap as binaries are; else each is a part of a binary
  bool limits_shared_binaries = false;  // max_heap_size has include_shared_binaries
  bool has_trace_sessions = false;      // and a process that cleans up after them
  bool explains_positions = false;      // errors of ets:update_element tell that a position is wrong
  bool explains_default_rows = false;   // errors of ets:update_element tell that the default row is wrong
  bool has_silent_heirs = false;        // {heir, Pid}: tables that come without a message
  bool refuses_short_defaults = false;  // ets:update_counter/4: also where a row is there, and tells that
  bool hibernates_in_place = false;     // erlang:hibernate/0
  // Priority as an option of monitors, aliases and send/3; and exit signals go to aliases
  bool has_priority_messages = false;
  // Native records have a number among the kinds of terms that are hashed, before those of maps
  bool has_native_records = false;
  // maps:keys/1, values/1 and to_list/1 of large maps: in the order of iterators; else backwards
  bool lists_maps_forwards = false;
  bool rounds_to_nearest = false;  // big integers as floats; else each limb on the way to them rounds
};

// All known releases, the oldest first.
std::span<const Release> known_releases();
// The traits of a release; of one that is not known those of the newest one before it.
const Release& release_numbered(int number);

// The installed one; the oldest one before it is set.
const Release& installed_release();
void set_installed_release(const Release& release);

}  // namespace ravel::erlang
