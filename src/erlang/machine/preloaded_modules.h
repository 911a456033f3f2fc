// The modules that are part of OTP's emulator, in the order in which it lists them. They were compiled
// without line numbers, so stack traces show none for them.
#pragma once

#include <algorithm>
#include <string_view>

namespace ravel::erlang {

inline constexpr std::string_view kPreloadedModules[] = {
    "persistent_term",
    "counters",
    "atomics",
    "erts_dirty_process_signal_handler",
    "erts_trace_cleaner",  // only where there are trace sessions
    "erts_literal_area_collector",
    "erl_tracer",
    "erts_internal",
    "erlang",
    "erl_prim_loader",
    "prim_zip",
    "prim_net",
    "prim_socket",
    "socket_registry",
    "zlib",
    "prim_file",
    "prim_inet",
    "prim_eval",
    "prim_buffer",
    "init",
    "erl_init",
    "erts_code_purger",
};

inline bool is_preloaded(std::string_view module) {
  return std::ranges::find(kPreloadedModules, module) != std::end(kPreloadedModules);
}

}  // namespace ravel::erlang
