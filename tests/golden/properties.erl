%% Ready-made properties of what processes show, and of names.
%% options: --property mutual_exclusion(holds) --property at_most_one(leader) --property never_gone(server)
%% expect: properties:two_labels dpor pass schedules=2
%% expect: properties:two_labels_and_more dpor pass schedules=2
%% expect: properties:no_lock dfs bug property
%% expect: properties:a_lock dfs pass
%% expect: properties:two_readers dfs pass
%% expect: properties:a_reader_and_a_writer dfs bug property
%% expect: properties:two_resources dfs pass
%% expect: properties:a_shared_resource dfs pass
%% expect: properties:one_of_several dfs bug property
%% expect: properties:given_back_too_late dfs bug property
%% expect: properties:gone_with_its_process dfs pass
%% expect: properties:two_leaders dfs bug property
%% expect: properties:a_new_leader dfs pass
%% expect: properties:unregistered dfs bug property
%% expect: properties:ended dfs bug property
-module(properties).
-export([two_labels/0, two_labels_and_more/0, no_lock/0, a_lock/0, two_readers/0, a_reader_and_a_writer/0, two_resources/0,
         a_shared_resource/0, one_of_several/0, given_back_too_late/0, gone_with_its_process/0, two_leaders/0, a_new_leader/0,
         unregistered/0, ended/0]).

%% What a property observes has an order: that of the labels. Nothing else has one.
two_labels() ->
    [spawn(fun() -> ravel:label(I) end) || I <- [1, 2]].

two_labels_and_more() ->
    [spawn(fun() -> erlang:yield(), ravel:label(I), erlang:yield() end) || I <- [1, 2]].

%% Each of two processes shows this for a while.
both(Values) ->
    [spawn(fun() -> ravel:probe(holds, Value), ravel:probe(holds, undefined) end) || Value <- Values].

no_lock() -> both([true, true]).

two_readers() -> both([shared, shared]).

a_reader_and_a_writer() -> both([shared, exclusive]).

two_resources() -> both([a, {exclusive, b}]).

a_shared_resource() -> both([[{shared, a}, b], [{shared, a}, c]]).

one_of_several() -> both([[a, b], [{shared, b}, c]]).

a_lock() ->
    Lock = spawn(fun() -> lock(2) end),
    [spawn(fun() ->
                   Lock ! {take, self()},
                   receive taken -> ok end,
                   ravel:probe(holds, true),
                   ravel:probe(holds, false),
                   Lock ! give_back
           end) || _ <- [1, 2]].

lock(0) -> ok;
lock(N) ->
    receive {take, Pid} -> Pid ! taken end,
    receive give_back -> lock(N - 1) end.

given_back_too_late() ->
    Other = spawn(fun() -> receive now -> ravel:probe(holds, true) end end),
    ravel:probe(holds, true),
    Other ! now,
    ravel:probe(holds, false).

gone_with_its_process() ->
    {Pid, Monitor} = spawn_monitor(fun() -> ravel:probe(holds, true) end),
    receive {'DOWN', Monitor, _, Pid, normal} -> ravel:probe(holds, true) end.

two_leaders() ->
    [spawn(fun() -> ravel:probe(leader, I), ravel:probe(leader, undefined) end) || I <- [1, 2]].

a_new_leader() ->
    {Pid, Monitor} = spawn_monitor(fun() -> ravel:probe(leader, 1) end),
    receive {'DOWN', Monitor, _, Pid, normal} -> ravel:probe(leader, 2) end.

unregistered() ->
    register(server, self()),
    unregister(server).

ended() ->
    spawn(fun() -> register(server, self()) end).
