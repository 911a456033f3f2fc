%% The classes of exceptions, uncaught.
-module(uncaught).
-include_lib("eunit/include/eunit.hrl").
-export([error/0, throw/0, exit/0, exit_normal/0, in_child/0, caught/0, assertion/0, assertion_in_child/0, match/0, before_a_halt/0]).

%% expect: uncaught:error dfs bug abnormal_exit schedules=1
error() -> erlang:error(boom).

%% expect: uncaught:throw dfs bug abnormal_exit schedules=1
throw() -> erlang:throw(ball).

%% expect: uncaught:exit dfs bug abnormal_exit schedules=1
exit() -> erlang:exit(boom).

%% expect: uncaught:exit_normal dfs pass schedules=1
exit_normal() -> erlang:exit(normal).

%% expect: uncaught:in_child dfs bug abnormal_exit
in_child() ->
    spawn(fun() -> erlang:error(boom) end),
    ok.

%% expect: uncaught:caught dfs pass schedules=1
caught() ->
    {'EXIT', {boom, _}} = (catch erlang:error(boom)),
    ball = (catch erlang:throw(ball)),
    {'EXIT', boom} = (catch erlang:exit(boom)),
    ok.

%% expect: uncaught:assertion dfs bug assertion schedules=1
assertion() -> ?assertEqual(1, lists:sum([])).

%% expect: uncaught:assertion_in_child dfs bug assertion
assertion_in_child() ->
    spawn(fun() -> ?assert(is_atom("string")) end),
    ok.

%% expect: uncaught:match dfs bug abnormal_exit schedules=1
match() -> [_ | _] = lists:filter(fun is_atom/1, [1]).

%% A halt does not take back what failed before.
%% expect: uncaught:before_a_halt dpor bug abnormal_exit
before_a_halt() ->
    spawn(fun() -> erlang:error(boom) end),
    halt(0).
