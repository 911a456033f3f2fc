%% Aliases: an address that can be withdrawn.
-module(aliases).
-include_lib("eunit/include/eunit.hrl").
-export([active/0, withdrawn/0, race/0, reply_once/0, call_pattern/0]).

%% expect: aliases:active dfs pass schedules=1
active() ->
    Alias = erlang:alias(),
    Alias ! hello,
    receive hello -> ok end.

%% expect: aliases:withdrawn dfs pass schedules=1
withdrawn() ->
    Alias = erlang:alias(),
    true = erlang:unalias(Alias),
    Alias ! hello,
    receive hello -> error(dropped_message) after 0 -> ok end,
    false = erlang:unalias(Alias).

%% The message comes before the withdrawal, or never.
%% expect: aliases:race dfs bug assertion
race() ->
    Alias = erlang:alias(),
    {Pid, Ref} = spawn_monitor(fun() -> Alias ! hello end),
    erlang:unalias(Alias),
    receive {'DOWN', Ref, process, Pid, normal} -> ok end,
    Came = receive hello -> true after 0 -> false end,
    ?assert(Came).

%% expect: aliases:reply_once dfs pass schedules=1
reply_once() ->
    Alias = erlang:alias([reply]),
    Alias ! first,
    Alias ! second,
    receive first -> ok end,
    receive second -> error(second_reply) after 0 -> ok end.

%% What gen_server:call does: no late reply can stay behind.
%% expect: aliases:call_pattern dfs pass
call_pattern() ->
    Server = spawn(fun() -> receive {Alias, question} -> Alias ! {Alias, answer} end end),
    Ref = erlang:monitor(process, Server, [{alias, reply_demonitor}]),
    Server ! {Ref, question},
    receive
        {Ref, answer} -> ok;
        {'DOWN', Ref, process, Server, _} -> ok
    after 100 ->
        erlang:demonitor(Ref, [flush]),
        receive {Ref, answer} -> ok after 0 -> ok end
    end,
    Ref2 = monitor(process, Server),
    receive {'DOWN', Ref2, process, Server, _} -> ok end,
    receive Any -> error({left_behind, Any}) after 0 -> ok end.
