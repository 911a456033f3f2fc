// The passes that the plugin adds to GCC.
#pragma once

#include <gcc-plugin.h>
// The order matters.
#include <context.h>
#include <gimple.h>
#include <tree-pass.h>
#include <tree.h>

namespace ravel::compiler {

// Behind the instrumentation: insert_checks.cc.
opt_pass* make_insert_checks(gcc::context* context);
// Before registers are given: scale_counts.cc.
opt_pass* make_scale_counts(gcc::context* context);
// Behind everything that is done to GIMPLE: remove_entry_calls.cc.
opt_pass* make_remove_entry_calls(gcc::context* context);

inline bool is_for_threads() { return (flag_sanitize & SANITIZE_THREAD) != 0 && POINTER_SIZE == 64; }

}  // namespace ravel::compiler
