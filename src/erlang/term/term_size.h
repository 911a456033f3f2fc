// The size of a term in words as erts_debug:flat_size/1 and size_shared/1 tell it, with the emulator's
// layout.
//
// Both depend on the content alone, not on where parts happen to be shared or copied: saving a state makes
// equal parts one, and no program may notice when that happens. So `shared_size` counts equal parts once, and
// a bit string counts as if it had its bytes for itself.
#pragma once

#include <cstdint>

#include "erlang/term/term.h"

namespace ravel::erlang {

// Binaries of up to so many bytes lie on the emulator's heap.
inline constexpr std::uint64_t kHeapBinaryMax = 64;

// Cost: one step for each path to a part, so a term that doubles itself takes exponential time, as in erl.
std::uint64_t flat_size(Term t);

std::uint64_t shared_size(Term t);

}  // namespace ravel::erlang
