%% Where signals travel, priority messages arrive in the order in which they were sent, and go ahead in the
%% mailbox then.
%% since: 28
%% options: --delivery channels
-module(priority_channels).
-include_lib("eunit/include/eunit.hrl").
-export([one_sender/0, two_senders/0, selective/0, withdrawn/0, down/0]).

send_first(Alias, Message) -> erlang:send(Alias, Message, [priority]).
take() -> receive Message -> Message end.

%% The ordinary message arrives first, so it may be received first.
%% expect: priority_channels:one_sender dpor pass schedules=2
%% expect: priority_channels:one_sender dfs pass
one_sender() ->
    Self = self(),
    Alias = alias([priority]),
    spawn(fun() -> Self ! one, send_first(Alias, two) end),
    _ = take(),
    _ = take().

%% expect: priority_channels:two_senders dpor pass schedules=2
%% expect: priority_channels:two_senders dfs pass
two_senders() ->
    Self = self(),
    Alias = alias([priority]),
    spawn(fun() -> Self ! one end),
    spawn(fun() -> send_first(Alias, two) end),
    _ = take(),
    _ = take().

%% expect: priority_channels:selective dpor pass schedules=1
selective() ->
    Self = self(),
    Alias = alias([priority]),
    spawn(fun() -> Self ! one, send_first(Alias, two) end),
    receive one -> ok end,
    receive two -> ok end.

%% An alias counts when the message arrives.
%% expect: priority_channels:withdrawn dfs bug assertion
withdrawn() ->
    Alias = alias([priority]),
    {Pid, Ref} = spawn_monitor(fun() -> send_first(Alias, first) end),
    unalias(Alias),
    receive {'DOWN', Ref, process, Pid, normal} -> ok end,
    ?assertEqual(first, receive first -> first after 0 -> none end).

%% expect: priority_channels:down dfs pass
down() ->
    {Pid, Ref} = spawn_opt(fun() -> ok end, [{monitor, [priority]}]),
    receive {'DOWN', Ref, process, Pid, normal} -> ok end.
