%% Tables of several processes with one possible outcome: protection, owners that end, heirs, gifts, names, and who has
%% fixed a table. The parent waits for everything that it compares.
-module(diff_ets_processes).
-export([main/0, main/2]).
-import(diff_support, [rnd/1, pick/1, evaluate/1, sort/1]).

main() -> main(1, 700).

main(Seed, Count) -> diff_support:run(Seed, Count, fun test/0).

test() ->
    Type = pick([set, ordered_set, bag, duplicate_bag]),
    Protection = pick([public, protected, private]),
    Named = pick([[], [named_table]]),
    Options = [Type, Protection | Named],
    Way = pick([protection, owner_ends, owner_is_killed, heir, heirs_in_order, dead_heir, own_heir, heir_by_option, heir_gone_later,
                give_away, give_to_dead, give_twice, given_table_dies_with_new_owner, rename, two_names, name_is_free_again,
                all_tables, whereis, deleted_by_other, fixed_by_other, fixer_ends, deleted_while_fixed, traversal_of_deleted,
                transfer_of_named, options_of_other, insert_from_other, in_dictionary_of_heir, continuation_after_delete]),
    {{Way, Options}, fun() ->
                             Result = evaluate(fun() -> do(Way, Options) end),
                             {Result, rest()}
                     end}.

%% Whatever is left in the mailbox is part of the result.
rest() -> receive Any -> [Any | rest()] after 0 -> [] end.

%% Runs in a process of its own and waits for its end.
other(Fun) ->
    Self = self(),
    {Pid, Ref} = spawn_monitor(fun() -> Self ! {result, self(), evaluate(Fun)} end),
    Result = receive {result, Pid, R} -> R end,
    receive {'DOWN', Ref, process, Pid, normal} -> Result end.

%% A process that owns a table of its own with two rows; it ends when it is told how.
owner(Options) ->
    Self = self(),
    {Pid, Ref} = spawn_monitor(fun() ->
                                       Table = ets:new(owned, Options),
                                       ets:insert(Table, [{1, a}, {2, b}]),
                                       Self ! {table, self(), Table},
                                       own()
                               end),
    receive {table, Pid, Table} -> {Pid, Ref, Table} end.

own() ->
    receive
        {run, From, Fun} -> From ! {done, self(), evaluate(Fun)}, own();
        {stop, Reason} -> exit(Reason)
    end.

run(Pid, Fun) ->
    Pid ! {run, self(), Fun},
    receive {done, Pid, Result} -> Result end.

stop({Pid, Ref, _}, Reason) ->
    Pid ! {stop, Reason},
    receive {'DOWN', Ref, process, Pid, Why} -> Why end.

state(Table) -> {ets:info(Table, size), ets:info(Table, owner) =:= self(), evaluate(fun() -> sort(ets:tab2list(Table)) end)}.

dead() ->
    {Pid, Ref} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Ref, process, Pid, normal} -> Pid end.

do(protection, Options) ->
    {_, _, Table} = Owner = owner(Options),
    Results = [evaluate(Fun) || Fun <- [fun() -> ets:lookup(Table, 1) end, fun() -> ets:insert(Table, {3, c}) end,
                                        fun() -> ets:first(Table), ok end, fun() -> ets:delete(Table, 1) end,
                                        fun() -> sort(ets:match_object(Table, '_')) end, fun() -> ets:info(Table, protection) end,
                                        fun() -> ets:safe_fixtable(Table, true) end, fun() -> ets:take(Table, 2) end,
                                        fun() -> ets:insert(Table, [{4, d}, {5, e}]) end, fun() -> ets:insert(Table, [{4, d}, x]) end,
                                        fun() -> ets:insert_new(Table, {4, x}) end, fun() -> ets:rename(Table, 1) end,
                                        fun() -> ets:setopts(Table, {heir, none}) end, fun() -> ets:give_away(Table, self(), x) end,
                                        fun() -> ets:select_delete(Table, [{'_', [], [true]}]) end,
                                        fun() -> ets:delete_all_objects(Table) end, fun() -> ets:delete(Table) end]],
    {Results, stop(Owner, normal), ets:info(Table)};
do(owner_ends, Options) ->
    {_, _, Table} = Owner = owner(Options),
    {state(Table), stop(Owner, pick([normal, shutdown, crash])), ets:info(Table, size), evaluate(fun() -> ets:lookup(Table, 1) end)};
do(owner_is_killed, Options) ->
    {Pid, Ref, Table} = owner(Options),
    exit(Pid, kill),
    {receive {'DOWN', Ref, process, Pid, Why} -> Why end, ets:info(Table, size), evaluate(fun() -> ets:insert(Table, {1}) end)};
do(heir, Options) ->
    {Pid, _, Table} = Owner = owner([{heir, self(), {gift, 1}} | Options]),
    Heir = ets:info(Table, heir) =:= self(),
    Why = stop(Owner, pick([normal, crash])),
    Message = receive {'ETS-TRANSFER', Table, Pid, Data} -> Data after 0 -> none end,
    {Heir, Why, Message, state(Table), ets:delete(Table)};
do(heirs_in_order, Options) ->
    Type = hd(Options), Self = self(),
    {Pid, Ref} = spawn_monitor(fun() -> [ets:new(N, [Type, {heir, Self, N}]) || N <- [one, two, three]] end),
    receive {'DOWN', Ref, process, Pid, _} -> ok end,
    Transfers = rest(),
    [{Data, ets:info(Table, name), ets:delete(Table)} || {'ETS-TRANSFER', Table, From, Data} <- Transfers, From =:= Pid];
do(dead_heir, Options) ->
    {_, _, Table} = Owner = owner([{heir, dead(), x} | Options]),
    {ets:info(Table, heir), stop(Owner, normal), ets:info(Table, size)};
do(own_heir, Options) ->
    Self = self(),
    {Pid, Ref} = spawn_monitor(fun() -> Self ! {table, ets:new(t, [{heir, self(), x} | Options])} end),
    Table = receive {table, T} -> T end,
    receive {'DOWN', Ref, process, Pid, _} -> ok end,
    ets:info(Table);
do(heir_by_option, Options) ->
    {Pid, _, Table} = Owner = owner(Options),
    Self = self(),
    Set = [run(Pid, fun() -> ets:setopts(Table, O) end)
           || O <- [{heir, none}, [{heir, Self, first}], {heir, Self, second}, [{heir, Self}], {heir, x, y}]],
    Why = stop(Owner, normal),
    {Set, Why, [Data || {'ETS-TRANSFER', _, _, Data} <- rest()], state(Table), ets:delete(Table)};
do(heir_gone_later, Options) ->
    Heir = spawn(fun() -> receive stop -> ok end end),
    {_, _, Table} = Owner = owner([{heir, Heir, x} | Options]),
    Ref = monitor(process, Heir),
    Heir ! stop,
    receive {'DOWN', Ref, process, Heir, _} -> ok end,
    {ets:info(Table, heir) =:= Heir, stop(Owner, normal), ets:info(Table, size)};
do(give_away, Options) ->
    {Pid, _, Table} = Owner = owner(Options),
    Self = self(),
    Given = run(Pid, fun() -> ets:give_away(Table, Self, {data, "x"}) end),
    Message = receive {'ETS-TRANSFER', Table, Pid, Data} -> Data after 0 -> none end,
    Why = stop(Owner, normal),
    {Given, Message, Why, state(Table), evaluate(fun() -> ets:give_away(Table, Self, x) end), ets:delete(Table)};
do(give_to_dead, Options) ->
    Table = ets:new(mine, Options),
    Results = [evaluate(fun() -> ets:give_away(Table, To, x) end) || To <- [dead(), x, self(), make_ref()]],
    {Results, state(Table), ets:delete(Table), evaluate(fun() -> ets:give_away(Table, self(), x) end)};
do(give_twice, Options) ->
    {Pid, _, Table} = Owner = owner(Options),
    Self = self(),
    First = run(Pid, fun() -> ets:give_away(Table, Self, 1) end),
    Again = run(Pid, fun() -> ets:give_away(Table, Self, 2) end),
    Back = ets:give_away(Table, Pid, 3),
    Received = run(Pid, fun rest/0),
    {First, Again, Back, Received, stop(Owner, normal), ets:info(Table, size)};
do(given_table_dies_with_new_owner, Options) ->
    {Pid, _, _} = Owner = owner([set]),
    Table = ets:new(mine, Options),
    ets:give_away(Table, Pid, x),
    {ets:info(Table, owner) =:= Pid, stop(Owner, crash), ets:info(Table, size)};
do(rename, Options) ->
    Table = ets:new(mine, Options),
    Renamed = ets:rename(Table, yours),
    Results = [ets:info(Renamed, name), ets:info(Renamed, named_table), evaluate(fun() -> ets:info(mine, name) end),
               ets:whereis(mine), is_reference(ets:whereis(yours)), evaluate(fun() -> ets:rename(Renamed, yours) end)],
    {Results, ets:delete(Renamed), ets:whereis(yours)};
do(two_names, Options) ->
    Table = ets:new(same, [named_table | Options]),
    {evaluate(fun() -> ets:new(same, [named_table]) end), other(fun() -> ets:new(same, [named_table]) end),
     is_reference(ets:new(same, [set])), evaluate(fun() -> ets:rename(ets:new(another, [named_table]), same) end),
     ets:delete(another), ets:delete(Table)};
do(name_is_free_again, Options) ->
    Name = name,
    Name = other(fun() -> ets:new(name, [named_table | Options]) end),
    {ets:whereis(name), ets:new(name, [named_table | Options]), ets:delete(name)};
do(all_tables, Options) ->
    Before = ets:all(),
    Tables = [ets:new(N, Options) || N <- pick([[a], [a, b], [a, b, c]])],
    New = ets:all() -- Before,
    {length(New), sort(New) =:= sort(Tables), [ets:delete(T) || T <- Tables], ets:all() -- Before};
do(whereis, Options) ->
    Table = ets:new(here, Options),
    Id = ets:whereis(here),
    Results = {is_reference(Id), evaluate(fun() -> ets:whereis(Table) end), evaluate(fun() -> ets:whereis(1) end),
               Id =:= undefined orelse ets:info(Id, id) =:= Id,
               Id =:= undefined orelse ets:insert(Id, {1, 2})},
    ets:delete(Table),
    {Results, evaluate(fun() -> ets:lookup(Id, 1) end)};
do(deleted_by_other, Options) ->
    {_, _, Table} = Owner = owner(Options),
    {other(fun() -> ets:delete(Table) end), ets:info(Table, size), stop(Owner, normal)};
do(fixed_by_other, Options) ->
    {Pid, _, Table} = Owner = owner(Options),
    Fixed = [run(Pid, fun() -> ets:safe_fixtable(Table, true) end) || _ <- [1, 2]],
    {_, Who} = ets:info(Table, safe_fixed),
    Count = [N || {P, N} <- Who, P =:= Pid],
    Mine = evaluate(fun() -> ets:safe_fixtable(Table, false) end),
    Left = run(Pid, fun() -> ets:safe_fixtable(Table, false) end),
    Still = ets:info(Table, fixed),
    Last = run(Pid, fun() -> ets:safe_fixtable(Table, false) end),
    {Fixed, Count, Mine, Left, Still, Last, ets:info(Table, safe_fixed), stop(Owner, normal)};
do(fixer_ends, Options) ->
    Table = ets:new(mine, [public | Options]),
    ets:insert(Table, {1, a}),
    Deleted = other(fun() -> ets:safe_fixtable(Table, true), ets:delete(Table, 1), evaluate(fun() -> ets:next(Table, 1) end) end),
    {Deleted, ets:info(Table, fixed), evaluate(fun() -> ets:next(Table, 1) end), ets:delete(Table)};
do(deleted_while_fixed, Options) ->
    Table = ets:new(mine, Options),
    ets:insert(Table, {1, a}),
    ets:safe_fixtable(Table, true),
    Results = [ets:delete(Table, 1), ets:lookup(Table, 1), ets:member(Table, 1), evaluate(fun() -> ets:next(Table, 1) end),
               evaluate(fun() -> ets:next(Table, 2) end), ets:insert(Table, {1, b}), ets:lookup(Table, 1), ets:take(Table, 1),
               evaluate(fun() -> ets:next(Table, 1) end), ets:safe_fixtable(Table, false), evaluate(fun() -> ets:next(Table, 1) end)],
    {Results, ets:delete(Table)};
do(traversal_of_deleted, Options) ->
    Table = ets:new(mine, Options),
    ets:insert(Table, [{N, N} || N <- lists:seq(1, 50)]),
    ets:safe_fixtable(Table, true),
    Keys = empty(Table, ets:first(Table)),
    {sort(Keys), ets:info(Table, size), ets:safe_fixtable(Table, false), ets:delete(Table)};
do(transfer_of_named, Options) ->
    {Pid, _, Table} = Owner = owner([named_table, {heir, self(), data} | Options]),
    Why = stop(Owner, normal),
    {Why, receive {'ETS-TRANSFER', T, Pid, D} -> {T, D} after 0 -> none end, ets:info(owned, size), ets:delete(Table)};
do(options_of_other, Options) ->
    {_, _, Table} = Owner = owner(Options),
    {[evaluate(fun() -> ets:setopts(Table, O) end) || O <- [{heir, none}, [{protection, public}], x, []]], stop(Owner, normal)};
do(insert_from_other, Options) ->
    Table = ets:new(mine, Options),
    R = other(fun() -> ets:insert(Table, [{N, x} || N <- [1, 2, 3]]) end),
    {R, state(Table), ets:delete(Table)};
do(in_dictionary_of_heir, Options) ->
    {Pid, _, Table} = owner([{heir, self(), <<"binary">>} | Options]),
    exit(Pid, kill),
    receive {'ETS-TRANSFER', Table, Pid, Data} -> {Data, state(Table), ets:delete(Table)} end;
do(continuation_after_delete, Options) ->
    Table = ets:new(mine, Options),
    ets:insert(Table, [{N, N} || N <- lists:seq(1, 20)]),
    {First, Continuation} = ets:match_object(Table, '_', 5),
    ets:delete_all_objects(Table),
    Then = case ets:match_object(Continuation) of
               '$end_of_table' -> none;
               {Rows, _} -> Rows
           end,
    ets:delete(Table),
    {length(First), Then, evaluate(fun() -> ets:match_object(Continuation), ok end) =/= ok}.

empty(_, '$end_of_table') -> [];
empty(Table, Key) ->
    ets:delete(Table, Key),
    [Key | empty(Table, ets:next(Table, Key))].
