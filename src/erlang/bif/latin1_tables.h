// PCRE2's character tables for ISO 8859-1: which bytes above 127 are letters and so on, whatever the locale.
#pragma once

#include <cstdint>

namespace ravel::erlang {

// What pcre2_set_character_tables() takes; a test holds its layout
// (tests/erlang_bif/regular_expressions_test.cc).
const std::uint8_t* latin1_tables();

}  // namespace ravel::erlang
