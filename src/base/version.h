// The version of this program. CMake and the tickets read it here.

#pragma once

namespace ravel {

inline constexpr const char kVersion[] = "0.1.0";

}  // namespace ravel
