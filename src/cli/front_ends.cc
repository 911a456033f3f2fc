#include "cli/front_ends.h"

#include "front_ends/erlang/front_end.h"
#include "front_ends/p/front_end.h"
#include "front_ends/threads/front_end.h"

namespace ravel {

const FrontEnds& front_ends() {
  static const FrontEnds table({
      &p::p_front_end(),
      &threads::threads_front_end(),
      &erlang::erlang_front_end(),
  });
  return table;
}

}  // namespace ravel
