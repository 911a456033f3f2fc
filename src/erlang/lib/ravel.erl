%% What a test can tell Ravel. On plain erl all of it works as well: a choice is random there.
%%
%% Copy this file into a project's tests. Ravel itself needs no copy.
-module(ravel).
-export([choose/1, assert/1, assert/2]).

%% One of 1 to Count, or one of a list's elements. Ravel tries them all.
-spec choose(pos_integer()) -> pos_integer();
            (nonempty_list(Element)) -> Element.
choose(Count) when is_integer(Count), Count >= 1 -> number(Count);
choose([_ | _] = Elements) -> lists:nth(number(length(Elements)), Elements).

%% Ends the calling process with an error, which is a bug, unless the condition is true.
-spec assert(boolean()) -> ok.
assert(Condition) -> assert(Condition, assertion_failed).

-spec assert(boolean(), Reason :: term()) -> ok.
assert(true, _) -> ok;
assert(false, Reason) -> error(Reason).

%% Ravel decides here (src/erlang/bif/choices.cc).
number(Count) -> rand:uniform(Count).
