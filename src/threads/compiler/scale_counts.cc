// Makes the counts of a function's blocks smaller, which say how often each is run and so who gets the
// registers.
//
// GCC 12 takes the ratio of two counts by a product with 2^29, in 64 bits. A count of 2^35 makes it overflow,
// and three or four loops within each other have such: every block is then taken to be run as seldom as a
// check's call, for whose sake what the innermost loop needs stays in memory.

#include "threads/compiler/passes.h"
// The order matters.
#include <predict.h>

namespace ravel::compiler {

namespace {

constexpr gcov_type kCountMax = gcov_type{1} << 33;

const pass_data kScaleCounts{RTL_PASS, "ravel_counts", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0};

class ScaleCounts final : public rtl_opt_pass {
 public:
  explicit ScaleCounts(gcc::context* context) : rtl_opt_pass(kScaleCounts, context) {}
  opt_pass* clone() override { return new ScaleCounts(m_ctxt); }
  bool gate(function*) override { return is_for_threads(); }

  unsigned execute(function* function) override {
    basic_block block;
    gcov_type most = 0;
    FOR_ALL_BB_FN(block, function)
    if (block->count.initialized_p()) most = MAX(most, block->count.to_gcov_type());
    if (most <= kCountMax) return 0;
    FOR_ALL_BB_FN(block, function)
    if (block->count.nonzero_p()) block->count = block->count.apply_scale(kCountMax, most);
    update_max_bb_count();
    return 0;
  }
};

}  // namespace

opt_pass* make_scale_counts(gcc::context* context) { return new ScaleCounts(context); }

}  // namespace ravel::compiler
