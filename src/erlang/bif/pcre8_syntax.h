// The syntax of PCRE 8.44, which `re` has up to OTP 27, in terms of PCRE2: patterns that mean something else
// to PCRE2 are written otherwise, what PCRE 8 does not know is refused, and errors are told in its words.
#pragma once

#include <string>

#include "erlang/bif/pcre_pattern.h"

namespace ravel::erlang {

// Tables and switches of PCRE2 for this dialect.
void set_up_as_pcre8(pcre2_compile_context* context);

// Several options of one kind were one number, which need not be a convention that there is.
bool is_one_convention(const PatternOptions& options);

// What PCRE 8 says where PCRE2 gives this error: of what Pcre8Reader leaves to it.
std::string pcre8_message(int error_code);

}  // namespace ravel::erlang
