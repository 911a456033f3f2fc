// Refuses code that uses stack frames or registers as no compiler writes it: a file that was damaged, but
// still reads as one. The interpreter trusts what is checked here and does not look again.
//
// The idea: follow each function's control flow once with an abstract state: the size of the stack frame (or
// none), which x registers hold a term, which stack slots hold an open catch, whether a receive is in
// progress, and whether a binary is under construction (by instructions of OTP 24 and before). Where paths
// meet, a register counts only if all of them have set it. A frame whose size differs between the paths must
// not be used any more; the code that raises an exception is often shared like that.
//
// What a checked module cannot do, whatever terms it meets:
//  1. touch a stack slot outside its frame, or return, call or jump with a frame that does not fit;
//  2. read an x register that nothing has set, or keep one alive over a collection, which would follow it;
//  3. read an open catch as a term, or leave one behind whose handler expects another frame;
//  4. leave a receive halfway (calls and frames in the middle of one), or take a message where there is none;
//  5. run past the end of a function, or jump into another.
// What is not checked, as in OTP: the kinds of terms. get_tuple_element, get_list, test_arity,
// bs_get_integer2 and their like trust the test before them; code whose tests were damaged computes nonsense
// and may crash. Neither is the need of heap (the nursery has room), nor code that no path reaches.
//
// A file whose digest is the one that the compiler noted in it (is_as_compiled) is not looked at: the
// compiler has checked it.
//
// Cost: one pass over the instructions, and another over the blocks after a label whose state a backward
// jump has changed, which compilers hardly write. The rules are those of OTP's beam_validator, made milder
// where a compiler of another time may have differed and the machine does not care.
#pragma once

#include <string_view>

#include "base/result.h"
#include "erlang/beam/beam_file.h"

namespace ravel::erlang {

// Messages begin with the given name.
Status check_frames(const BeamFile& file, std::string_view name_for_messages);

}  // namespace ravel::erlang
