// What the compiler noted about a module (the CInf chunk), as far as it is needed: where its source was.

#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace ravel::erlang {

// The path of the source when the module was compiled, in UTF-8; empty if the module does not say (the
// option deterministic leaves it out). `compile_info` is that of a BeamFile: an external term, a list of
// pairs, of which only {source, Path} is looked for. Bytes that are something else give an empty path.
std::string source_path(std::span<const std::uint8_t> compile_info);

}  // namespace ravel::erlang
