%% The behaviour of a delaying explorer: it says who moves, and what a delay changes in that.
%% docs/guide/explorers.md explains it.
%%
%% Copy this file into a project whose explorers are compiled by other tools. Ravel needs no copy.
-module(ravel_explorer).
-export([name/1, open/1, call/3, next/3]).
-export_type([actor/0]).

%% Who can move by itself: a process, a timer, the way from one process to another with messages
%% on it, and the time that passes.
-type actor() :: pid() | {timer, pid(), pos_integer()} | {channel, pid(), pos_integer()} | time.
-type state() :: term().

%% At the beginning of an execution.
-callback init() -> state().
%% The actor can move now, and could not before the step of By, or before the first step.
-callback enabled(state(), actor(), By :: actor() | undefined) -> state().
%% The actor cannot move any more, or has ended. At one step these come before those who can move now.
-callback blocked(state(), actor()) -> state().
%% Who moves: one of these, all who can, in the order of their names.
-callback next(state(), [actor(), ...]) -> actor().
%% One delay: next/2 is to name another one of these.
-callback delay(state(), [actor(), ...]) -> state().
%% A process has told this by ravel:explorer/1 in the last step. These come last of a step.
-callback message(state(), pid(), Message :: term()) -> state().
-optional_callbacks([message/3]).

%% How a process is registered, or else what stories call it: "P.1".
-spec name(pid()) -> atom() | string().
name(_Pid) -> erlang:nif_error(undefined).

%% ---- Called by Ravel (src/erlang/system/erlang_explorer.cc); each ends by give/1

%% The explorer of this name: {ok, Module, TakesMessages, State, Checksum} or {error, Text}.
open(Text) ->
    Module = module_named(Text),
    ravel_property:give(
        try Module:module_info(exports) of
            Exports ->
                Callbacks = [{init, 0}, {enabled, 3}, {blocked, 2}, {next, 2}, {delay, 2}],
                case [[atom_to_list(Name), $/, integer_to_list(Arity)] || {Name, Arity} = One <- Callbacks, not lists:member(One, Exports)] of
                    [] -> begun(Module, lists:member({message, 3}, Exports));
                    Missing ->
                        {error, lists:flatten(["the module ", Text, " is no explorer: it does not export ", lists:join(", ", Missing)])}
                end
        catch error:undef ->
                {error, lists:flatten(["there is no explorer ", Text, ", and no module of that name; choose one of rr, rtc and prr, "
                                       "with ses also preemptions, or a library, FILE.so; for a module, name its file, or add its folder with --pa"])}
        end).

begun(Module, TakesMessages) ->
    <<Checksum:56, _/bits>> = Module:module_info(md5),
    try {ok, Module, TakesMessages, Module:init(), Checksum} catch Class:Reason:Trace -> {crashed, Class, Reason, Trace} end.

module_named([First | _] = Name) when First >= $A, First =< $Z ->
    list_to_atom(case Name of "Elixir." ++ _ -> Name; _ -> "Elixir." ++ Name end);
module_named(Name) -> list_to_atom(Name).

%% {ok, State} of a callback.
call(Module, Function, Arguments) ->
    ravel_property:give(try {ok, apply(Module, Function, Arguments)} catch Class:Reason:Trace -> {crashed, Class, Reason, Trace} end).

%% {ok, Place} of the actor that is named, from 1; 0: it is none of these.
next(Module, State, Actors) ->
    ravel_property:give(
        try Module:next(State, Actors) of
            Actor -> {ok, place(Actor, Actors, 1)}
        catch Class:Reason:Trace -> {crashed, Class, Reason, Trace}
        end).

place(Actor, [Actor | _], Place) -> Place;
place(Actor, [_ | Others], Place) -> place(Actor, Others, Place + 1);
place(_, [], _) -> 0.
