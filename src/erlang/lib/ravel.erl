%% What a test can tell Ravel. On plain erl all of it works as well: a choice is random there, and
%% what a process shows of itself is shown to nobody.
%%
%% Copy this file into a project's tests. Ravel itself needs no copy.
-module(ravel).
-export([choose/1, assert/1, assert/2, probe/2, label/1, progress/0, explorer/1]).

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

%% What the calling process shows of itself to properties (src/erlang/bif/probes.cc): from now on
%% this probe has this value, until another one takes its place, or the process ends; the value
%% undefined takes the probe away.
-spec probe(Name :: term(), Value :: term()) -> ok.
probe(_Name, _Value) -> ok.

%% An event, for properties.
-spec label(Name :: term()) -> ok.
label(_Name) -> ok.

%% Something of what the program is for has been done.
-spec progress() -> ok.
progress() -> label(progress).

%% Tells a delaying explorer something, which may go by it when it says who moves. The program is the
%% same without it.
-spec explorer(Message :: term()) -> ok.
explorer(_Message) -> ok.

%% Ravel decides here (src/erlang/bif/choices.cc).
number(Count) -> rand:uniform(Count).
