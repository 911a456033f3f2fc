// The passes that the plugin adds to GCC.
#pragma once

// The order matters.
// clang-format off
#include <gcc-plugin.h>
#include <tree.h>
#include <gimple.h>
#include <context.h>
#include <tree-pass.h>
// clang-format on

namespace ravel::compiler {

// After the instrumentation: insert_checks.cc.
opt_pass* make_insert_checks(gcc::context* context);
// Before registers are given: scale_counts.cc.
opt_pass* make_scale_counts(gcc::context* context);
// After everything that is done to GIMPLE: remove_entry_calls.cc.
opt_pass* make_remove_entry_calls(gcc::context* context);

inline bool is_for_threads() { return (flag_sanitize & SANITIZE_THREAD) != 0 && POINTER_SIZE == 64; }

}  // namespace ravel::compiler
