// Any bytes as text, four letters for three of them (RFC 4648).

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ravel {

std::string to_base64(std::string_view bytes);
// Nothing if it is no such text.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace ravel
