// What differs between releases of Erlang/OTP, as data: a row of traits for each. Code asks for a trait, never for the number
// of a release.
//
// The release is that of the installed Erlang/OTP, so it is one for the whole process: terms are compared by it everywhere,
// also where no machine is at hand. It is set when the installation has been found, before any machine is made.
#pragma once

#include <span>
#include <string_view>

namespace ravel::erlang {

struct Release {
  int number = 0;  // of Erlang/OTP
  std::string_view nif_version;
  bool are_zeros_distinct = false;      // 0.0 =:= -0.0 is false, and as keys of maps they are two
  int external_minor_version = 1;       // of term_to_binary without options: 2 writes all atoms as UTF-8
  bool iterates_in_order = false;       // maps:iterator/2
  bool has_async_dist = false;          // the flag of processes
  bool has_process_labels = false;      // process_info tells them, and single entries of the dictionary
  bool limits_shared_binaries = false;  // max_heap_size has include_shared_binaries
  bool has_trace_sessions = false;      // and a process that cleans up after them
  bool explains_positions = false;      // errors of ets:update_element tell that a position is wrong
  bool explains_default_rows = false;   // and that the default row is
  bool hibernates_in_place = false;     // erlang:hibernate/0
  bool has_native_records = false;
};

// All that are known, the oldest first.
std::span<const Release> known_releases();
// The traits of a release; of one that is not known those of the newest one before it.
const Release& release_numbered(int number);

// The installed one; the oldest one before it is set.
const Release& installed_release();
void set_installed_release(const Release& release);

}  // namespace ravel::erlang
