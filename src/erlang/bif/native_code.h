// What erlang:nif_error/1,2 says instead of raising its error. Whose function it was that needs native code
// can be told only when the step is over, from the stack (ErlangSystem::note_fault).
#pragma once

#include <string_view>

namespace ravel::erlang {

inline constexpr std::string_view kNeedsNativeCode = "this function needs native code (a NIF)";

}  // namespace ravel::erlang
