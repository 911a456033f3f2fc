%% Tables between processes: what one step does, and what can come between two.
-module(table_races).
-export([list_is_one_step/0, walk/0, walk_while_fixed/0, name_too_early/0, killed_owner/0, gift_to_the_dying/0, heir_ends_first/0,
         take_is_one_step/0, update_with_default/0, rename_under_a_reader/0]).

%% A list is inserted in one step: a reader sees all of it or nothing. Ten orders, as two times three operations have
%% them whose message must come before its receive.
%% expect: table_races:list_is_one_step dfs pass schedules=10
list_is_one_step() ->
    Self = self(),
    Table = ets:new(table, [public]),
    spawn(fun() -> ets:insert(Table, [{a, 1}, {b, 1}]), Self ! done end),
    Seen = ets:tab2list(Table),
    receive done -> ok end,
    true = length(Seen) =/= 1.

%% A key that is deleted under a traversal has no next one.
%% expect: table_races:walk dfs bug abnormal_exit
walk() ->
    Table = filled(),
    {_, Ref} = spawn_monitor(fun() -> ets:delete(Table, a), ets:delete(Table, b) end),
    ets:next(Table, ets:first(Table)),
    receive {'DOWN', Ref, _, _, _} -> ok end.

%% Unless the table is fixed, as ets:foldl/3 does it; rows that stay are seen once.
%% expect: table_races:walk_while_fixed dfs pass
walk_while_fixed() ->
    Table = filled(),
    {_, Ref} = spawn_monitor(fun() -> ets:delete(Table, a), ets:insert(Table, {c, 3}) end),
    Keys = ets:foldl(fun({Key, _}, Keys) -> [Key | Keys] end, [], Table),
    receive {'DOWN', Ref, _, _, _} -> ok end,
    [b] = [Key || Key <- Keys, Key =:= b].

filled() ->
    Table = ets:new(table, [public]),
    ets:insert(Table, [{a, 1}, {b, 2}]),
    Table.

%% The name may not be there yet.
%% expect: table_races:name_too_early dfs bug abnormal_exit
name_too_early() ->
    spawn(fun() -> ets:new(table, [named_table, public]), receive stop -> ok end end),
    ets:insert(table, {a, 1}).

%% A table outlives the kill of its owner until the owner's end.
%% expect: table_races:killed_owner dfs bug abnormal_exit
killed_owner() ->
    Self = self(),
    Pid = spawn(fun() -> Self ! ets:new(table, []), receive stop -> ok end end),
    Table = receive T -> T end,
    exit(Pid, kill),
    0 = ets:info(Table, size).

%% expect: table_races:gift_to_the_dying dfs bug abnormal_exit
gift_to_the_dying() ->
    Pid = spawn(fun() -> ok end),
    ets:give_away(ets:new(table, []), Pid, gift).

%% An heir that ends first inherits nothing; one that ends later takes the table with it. Either way it is gone.
%% expect: table_races:heir_ends_first dfs pass
heir_ends_first() ->
    Self = self(),
    Heir = spawn(fun() -> ok end),
    Owner = spawn(fun() -> Self ! ets:new(table, [{heir, Heir, x}]) end),
    Table = receive T -> T end,
    [receive {'DOWN', Ref, _, _, _} -> ok end || Ref <- [monitor(process, Heir), monitor(process, Owner)]],
    undefined = ets:info(Table).

%% One of two takers gets the row.
%% expect: table_races:take_is_one_step dfs pass schedules=10
take_is_one_step() ->
    Self = self(),
    Table = ets:new(table, [public]),
    ets:insert(Table, {a, 1}),
    spawn(fun() -> Self ! ets:take(Table, a) end),
    Mine = ets:take(Table, a),
    Theirs = receive Rows -> Rows end,
    [{a, 1}] = Mine ++ Theirs.

%% expect: table_races:update_with_default dfs pass schedules=10
update_with_default() ->
    Self = self(),
    Table = ets:new(table, [public, ordered_set]),
    spawn(fun() -> Self ! ets:update_counter(Table, n, 1, {n, 0}) end),
    Mine = ets:update_counter(Table, n, 1, {n, 0}),
    Theirs = receive N -> N end,
    [1, 2] = lists:sort([Mine, Theirs]).

%% The old name is gone in the step in which the new one comes.
%% expect: table_races:rename_under_a_reader dfs pass
rename_under_a_reader() ->
    ets:new(old, [named_table]),
    Self = self(),
    spawn(fun() -> Self ! {ets:whereis(old), ets:whereis(new)} end),
    ets:rename(old, new),
    receive {undefined, Id} -> Id; {Id, _} -> Id end.
