%% Tables against the life of their owner.
-module(tables).
-export([owner_dies/0, named_twice/0, insert_new/0, heir/0]).

%% A table goes with its owner.
%% expect: tables:owner_dies dfs bug abnormal_exit
owner_dies() ->
    Self = self(),
    spawn(fun() ->
                  Table = ets:new(shared, [public]),
                  Self ! Table
          end),
    receive Table -> ets:insert(Table, {key, value}) end.

%% Two processes want a table of one name.
%% expect: tables:named_twice dfs bug abnormal_exit
named_twice() ->
    Make = fun() -> ets:new(only_one, [named_table]), receive stop -> ok end end,
    Pids = [spawn(Make), spawn(Make)],
    [Pid ! stop || Pid <- Pids],
    ok.

%% Only one of two insert_new/2 succeeds.
%% Of the twenty orders of three operations here and three there, ten have the message before its receive.
%% expect: tables:insert_new dfs pass schedules=10
insert_new() ->
    Self = self(),
    Table = ets:new(shared, [public]),
    spawn(fun() -> Self ! ets:insert_new(Table, {key, 1}) end),
    Mine = ets:insert_new(Table, {key, 2}),
    Theirs = receive Result -> Result end,
    true = Mine xor Theirs.

%% The heir gets the table and a message.
%% expect: tables:heir dfs pass schedules=1
heir() ->
    Self = self(),
    Pid = spawn(fun() ->
                        Table = ets:new(shared, [{heir, Self, gift}]),
                        ets:insert(Table, {key, value})
                end),
    receive
        {'ETS-TRANSFER', Table, Pid, gift} -> [{key, value}] = ets:lookup(Table, key)
    end.
