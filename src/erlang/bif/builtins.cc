#include "erlang/bif/builtins.h"

#include <algorithm>

#include "base/check.h"

namespace ravel::erlang {

std::vector<Builtin> all_builtins() {
  std::vector<Builtin> all;
  for (const auto family : {number_builtins(),
                            map_builtins(),
                            hash_builtins(),
                            list_builtins(),
                            tuple_builtins(),
                            atom_builtins(),
                            term_builtins(),
                            exception_builtins(),
                            binary_builtins(),
                            unicode_builtins(),
                            regular_expression_builtins(),
                            record_builtins(),
                            external_format_builtins(),
                            text_builtins(),
                            packet_builtins(),
                            fun_builtins(),
                            match_specification_builtins(),
                            process_builtins(),
                            table_builtins(),
                            timer_builtins(),
                            time_builtins(),
                            system_builtins(),
                            persistent_term_builtins(),
                            atomics_builtins(),
                            file_builtins(),
                            open_file_builtins(),
                            code_loading_builtins(),
                            choice_builtins(),
                            probe_builtins(),
                            monitor_view_builtins(),
                            crypto_builtins(),
                            zlib_builtins(),
                            refused_builtins()})
    all.insert(all.end(), family.begin(), family.end());
  std::ranges::sort(all, {}, &Builtin::key);
  const auto twice = std::ranges::adjacent_find(all, {}, &Builtin::key);
  CHECK_MESSAGE(twice == all.end(), "a built-in is in two families");
  return all;
}

}  // namespace ravel::erlang
