// Questions to servers of OTP, and their answers, without what carries them.
//
// gen_server and gen_statem are asked by {'$gen_call', {Pid, Tag}, Request}, gen_event by
// {Pid, {Pid, Tag}, Request}; all answer by {Tag, Reply}. The texts of terms are looked at, because that is
// what stories have; a text that is cut, or of another form, is left as it is.
#pragma once

#include <string>
#include <utility>

namespace ravel::erlang {

std::pair<std::string, std::string> say_call(const std::string& question, const std::string& answer);

// "sends the call {deposit,10} to <P.1>" for what sends {'$gen_call', {Pid, Tag}, {deposit,10}}: what a step
// says, or a message by itself. What is no call, cast or answer by an alias stays as it is.
std::string say_step(const std::string& text);

}  // namespace ravel::erlang
