// A memory access calls the runtime only if that may have something to do.
//
// The compiler's instrumentation puts a call before each access, around which nothing stays in those
// registers that functions need not keep: no floating-point number does. The idea: after the instrumentation
// each call `__tsan_read8(p)` becomes
//
//     if (p - ravel_watched_memory.low <= ravel_watched_memory.size)  // two words, read at the start
//       if (ravel_may_matter_read8(p))                                // keeps nearly all registers
//         ravel_read8(p);
//
// While races are looked for, all of memory is watched, and the second question, which is the fast path of
// runtime/access_hooks.cc, answers for nearly every access. With `--track` the first one does. What other
// threads may do, and what is told, happens in the call after both: there all that is needed later is on the
// stack or in the registers that functions keep, where runtime/waiting_loop.h looks for it.
//
// 1. What is watched changes only between executions, when no function of the program is active that will go
//    on.
// 2. An access that begins below the watched memory and reaches into it is watched: see WatchedMemory.
// 3. Nothing of a function lies below its stack pointer, where the second question writes: -mno-red-zone.

#include "threads/compiler/passes.h"
// The order matters.
// clang-format off
#include <gimple-iterator.h>
#include <cfghooks.h>
#include <predict.h>
#include <ssa.h>
#include <stringpool.h>
#include <tree-cfg.h>
#include <tree-into-ssa.h>
// clang-format on

#include <cstring>
#include <iterator>
#include <string>

namespace ravel::compiler {

namespace {

// The likelihood of an access to be watched, and then that of one to matter.
constexpr int kPerTenThousandWatched = 5;
constexpr int kPerHundredMatter = 2;

// The accesses that get a check, and how they are named: __tsan_read8() and ravel_read8().
struct Access {
  built_in_function instrumented;
  const char* name;
};
constexpr Access kAccesses[] = {
    {BUILT_IN_TSAN_READ1, "read1"},     {BUILT_IN_TSAN_READ2, "read2"},   {BUILT_IN_TSAN_READ4, "read4"},
    {BUILT_IN_TSAN_READ8, "read8"},     {BUILT_IN_TSAN_READ16, "read16"}, {BUILT_IN_TSAN_WRITE1, "write1"},
    {BUILT_IN_TSAN_WRITE2, "write2"},   {BUILT_IN_TSAN_WRITE4, "write4"}, {BUILT_IN_TSAN_WRITE8, "write8"},
    {BUILT_IN_TSAN_WRITE16, "write16"},
};

const Access* access_of(const gimple* statement) {
  if (!gimple_call_builtin_p(statement, BUILT_IN_NORMAL)) return nullptr;
  for (const Access& access : kAccesses)
    if (DECL_FUNCTION_CODE(gimple_call_fndecl(statement)) == access.instrumented) return &access;
  return nullptr;
}

tree text(const char* characters) {
  return build_string(static_cast<int>(std::strlen(characters)) + 1, characters);
}

tree with_constraint(const char* constraint, tree value) {
  return build_tree_list(build_tree_list(NULL_TREE, text(constraint)), value);
}

// Where the runtime has ravel_watched_memory. The linker would copy a variable of this name into the program,
// where the runtime would not find it.
gimple* find_watched_memory(tree result) {
  vec<tree, va_gc>* outputs = nullptr;
  vec_safe_push(outputs, with_constraint("=r", result));
  gasm* code = gimple_build_asm_vec("movq ravel_watched_memory@GOTPCREL(%%rip), %0", nullptr, outputs,
                                    nullptr, nullptr);
  SSA_NAME_DEF_STMT(result) = code;
  return code;
}

// Whether the access matters, as a number. The convention is that of runtime/may_matter.cc.
gimple* ask_runtime(const Access& access, tree pointer, tree result) {
  const std::string code = std::string("call *ravel_may_matter_") + access.name + "@GOTPCREL(%%rip)";
  tree unused = make_ssa_name(ptr_type_node);
  vec<tree, va_gc>*inputs = nullptr, *outputs = nullptr, *clobbers = nullptr;
  vec_safe_push(outputs, with_constraint("=a", result));
  vec_safe_push(outputs, with_constraint("=D", unused));
  vec_safe_push(inputs, with_constraint("1", pointer));
  for (const char* name : {"rcx", "rdx", "rsi", "r8", "cc", "memory"})
    vec_safe_push(clobbers, build_tree_list(NULL_TREE, text(name)));
  gasm* question = gimple_build_asm_vec(ggc_strdup(code.c_str()), inputs, outputs, clobbers, nullptr);
  gimple_asm_set_volatile(question, true);
  SSA_NAME_DEF_STMT(result) = SSA_NAME_DEF_STMT(unused) = question;
  return question;
}

// What is called instead of __tsan_read8() and the like after the questions, which need not be asked again.
tree function_behind_questions(const Access& access) {
  tree type = build_function_type_list(void_type_node, ptr_type_node, NULL_TREE);
  tree function = build_fn_decl((std::string("ravel_") + access.name).c_str(), type);
  for (const char* attribute : {"leaf", "noplt"})
    DECL_ATTRIBUTES(function) = tree_cons(get_identifier(attribute), NULL_TREE, DECL_ATTRIBUTES(function));
  return function;
}

const pass_data kInsertChecks{GIMPLE_PASS,
                              "ravel_checks",
                              OPTGROUP_NONE,
                              TV_NONE,
                              PROP_ssa | PROP_cfg,
                              0,
                              0,
                              0,
                              TODO_update_ssa_only_virtuals};

class InsertChecks final : public gimple_opt_pass {
 public:
  explicit InsertChecks(gcc::context* context) : gimple_opt_pass(kInsertChecks, context) {}
  opt_pass* clone() override { return new InsertChecks(m_ctxt); }
  bool gate(function*) override { return is_for_threads(); }

  unsigned execute(function* function) override {
    auto_vec<gimple*> calls;
    basic_block block;
    FOR_EACH_BB_FN(block, function)
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at))
      if (access_of(gsi_stmt(at)) != nullptr) calls.safe_push(gsi_stmt(at));
    if (calls.is_empty()) return 0;
    const Bounds bounds = read_bounds(function);
    tree callees[std::size(kAccesses)] = {};
    for (gimple* call : calls) {
      const Access& access = *access_of(call);
      tree& callee = callees[&access - kAccesses];
      if (callee == NULL_TREE) callee = function_behind_questions(access);
      insert_check(as_a<gcall*>(call), access, callee, bounds);
    }
    free_dominance_info(CDI_POST_DOMINATORS);
    mark_virtual_operands_for_renaming(function);
    return 0;
  }

 private:
  struct Bounds {
    tree low, size;
  };

  static Bounds read_bounds(function* function) {
    edge entry = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(function));
    tree place = make_ssa_name(ptr_type_node);
    gsi_insert_on_edge(entry, find_watched_memory(place));
    const auto read = [&](int index) {
      tree offset = build_int_cst(build_pointer_type(pointer_sized_int_node), index * POINTER_SIZE_UNITS);
      tree value = make_ssa_name(pointer_sized_int_node);
      gsi_insert_on_edge(entry,
                         gimple_build_assign(value, build2(MEM_REF, pointer_sized_int_node, place, offset)));
      return value;
    };
    const Bounds bounds{.low = read(0), .size = read(1)};
    gsi_commit_edge_inserts();
    return bounds;
  }

  // REQUIRES: `condition` is followed by what is done only if it is true, which ends with `last`.
  static void make_conditional(gimple* condition, gimple* last, profile_probability probability) {
    basic_block head = gimple_bb(condition);
    edge into = split_block(head, condition);
    basic_block body = into->dest;
    basic_block rest = split_block(body, last)->dest;
    into->flags = EDGE_TRUE_VALUE;
    into->probability = probability;
    make_edge(head, rest, EDGE_FALSE_VALUE)->probability = probability.invert();
    body->count = into->count();
    if (dom_info_available_p(CDI_DOMINATORS)) set_immediate_dominator(CDI_DOMINATORS, rest, head);
  }

  static void insert_check(gcall* call, const Access& access, tree callee, const Bounds& bounds) {
    gimple_stmt_iterator at = gsi_for_stmt(call);
    const auto insert = [&](gimple* statement) {
      gimple_set_location(statement, gimple_location(call));
      gsi_insert_before(&at, statement, GSI_SAME_STMT);
      return statement;
    };
    tree pointer = gimple_call_arg(call, 0);
    tree address = make_ssa_name(pointer_sized_int_node), offset = make_ssa_name(pointer_sized_int_node);
    tree matters = make_ssa_name(integer_type_node);
    insert(gimple_build_assign(address, NOP_EXPR, pointer));
    insert(gimple_build_assign(offset, MINUS_EXPR, address, bounds.low));
    gimple* is_watched = insert(gimple_build_cond(LE_EXPR, offset, bounds.size, NULL_TREE, NULL_TREE));
    insert(ask_runtime(access, pointer, matters));
    gimple* is_to_be_looked_at =
        insert(gimple_build_cond(NE_EXPR, matters, integer_zero_node, NULL_TREE, NULL_TREE));
    gimple_call_set_fndecl(call, callee);
    update_stmt(call);
    const profile_probability always = profile_probability::guessed_always();
    make_conditional(is_watched, call, always.apply_scale(kPerTenThousandWatched, 10000));
    make_conditional(is_to_be_looked_at, call, always.apply_scale(kPerHundredMatter, 100));
  }
};

}  // namespace

opt_pass* make_insert_checks(gcc::context* context) { return new InsertChecks(context); }

}  // namespace ravel::compiler
