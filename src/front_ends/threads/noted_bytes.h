// What executions of a program have shown, in SavedTest::own: any bytes as a JSON value.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "host/base64.h"

namespace ravel::threads {

inline constexpr const char kNoBytes[] = "{}";

inline std::string json_of_bytes(const std::string& bytes) {
  return bytes.empty() ? kNoBytes : '"' + to_base64(bytes) + '"';
}

// Nothing: it is damaged. Empty: nothing was shown.
inline std::optional<std::string> bytes_of_json(std::string_view text) {
  if (text == kNoBytes) return "";
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::nullopt;
  return from_base64(text.substr(1, text.size() - 2));
}

}  // namespace ravel::threads
