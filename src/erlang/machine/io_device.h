// The device: what stands for the terminal of all processes. See Machine::answer_as_device.
//
// It is the group leader of the first process and what `user` and `standard_error` name. It is no process:
// what it is sent, it does and answers in the same step, its output is part of the state, and two processes
// that print are independent. Its input is empty.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "erlang/term/term.h"

namespace ravel::erlang {

enum class CharacterEncoding : std::uint8_t { kLatin1, kUnicode };

// Characters, binaries in the encoding and lists of both, deep, as UTF-8; nothing if anything else is in it.
std::optional<std::string> characters_to_utf8(Term data, CharacterEncoding encoding);

}  // namespace ravel::erlang
