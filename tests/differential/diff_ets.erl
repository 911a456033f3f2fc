%% Tables: random sequences of operations on a table of each type, right and wrong. What comes in the order of a hash
%% table is sorted; rows with one key keep their order.
-module(diff_ets).
-export([main/0, main/2]).
-import(diff_support, [rnd/1, range/2, pick/1, chance/1, list/2, sort/1, wrong/0, evaluate/1]).
-include_lib("stdlib/include/ms_transform.hrl").

main() -> main(1, 3000).

main(Seed, Count) -> diff_support:run(Seed, Count, fun test/0).

test() ->
    Type = pick([set, ordered_set, bag, duplicate_bag]),
    Position = pick([1, 1, 1, 2]),
    Options = [Type, {keypos, Position} | options()],
    Operations = list(pick([6, 15, 15, 60]), fun() -> operation(Type, Position) end),
    {{Options, Operations},
     fun() ->
             Table = ets:new(table, Options),
             Results = [evaluate(fun() -> perform(Type, Table, O) end) || O <- Operations],
             Rest = ordered(Type, ets:tab2list(Table)),
             Gone = ets:delete(Table),
             {Results, Rest, Gone, evaluate(fun() -> perform(Type, Table, operation(Type, Position)) end)}
     end}.

options() ->
    pick([[], [], [], [public], [private], [compressed], [{read_concurrency, true}], [{write_concurrency, true}],
          [{write_concurrency, auto}], [{write_concurrency, false}, {decentralized_counters, true}],
          [{heir, none}], [public, {read_concurrency, true}, {write_concurrency, true}, {decentralized_counters, false}]]).

key() ->
    pick([1, 2, 3, 4, 1.0, 2.0, 3.5, a, b, c, "k", <<"b">>, {a, 1}, {a, 2}, {a, 1.0}, {b, 1}, [], [1], [1, 2], [1 | 2], {a, 1, 2}, 0.0, 1 bsl 70,
          1180591620717411303424.0, #{a => 1}, #{a => 1, b => 2}, key]).

value() -> pick([0, 1, 2, 5, 10, -3, 1 bsl 64, x, y, "v", {a, 1}, 1.5, #{a => 1}]).

row(1) ->
    case rnd(12) of
        0 -> {key()};
        1 -> {key(), value(), value()};
        _ -> {key(), value()}
    end;
row(2) ->
    case rnd(12) of
        0 -> {value(), key(), value()};
        _ -> {value(), key()}
    end.

rows(Position) -> list(pick([2, 3, 20]), fun() -> row(Position) end).

operation(Type, Position) ->
    case rnd(49) of
        N when N < 6 -> {insert, [row(Position)]};
        N when N < 9 -> {insert, [rows(Position)]};
        9 -> {insert, [pick([[], {}, [row(Position), wrong()], [row(Position) | x], wrong(), [wrong()]])]};
        10 -> {insert_new, [row(Position)]};
        11 -> {insert_new, [rows(Position)]};
        12 -> {insert_new, [pick([[], {}, [row(Position), x], [{} | x]])]};
        N when N < 16 -> {lookup, [key()]};
        16 -> {lookup_element, [key(), pick([1, 2, 2, 3, 0, x])]};
        17 -> {member, [key()]};
        N when N < 20 -> {delete, [key()]};
        20 -> {delete_object, [pick([row(Position), row(Position), wrong(), {}])]};
        21 -> {take, [key()]};
        N when N < 25 -> {update_counter, [key(), counter_operation()]};
        25 -> {update_counter, [key(), counter_operation(), pick([row(Position), {x, 1, 1}, {1, 1}, x])]};
        26 -> {update_element, [key(), pick([{2, v}, {1, v}, [{2, v}, {3, w}], [], [{2, v} | x], {0, v}, {x, 1}, x, [{1, 1}, x]])]};
        27 -> {update_counter, [key(), pick([[{2, 1}, {2, 10}], [], [{2, 1} | x], [{2, 1}, x]]), {x, 5, 5}]};
        28 -> {select, [specification(Position)]};
        29 -> {select_reverse, [specification(Position)]};
        30 -> {select_count, [specification(Position)]};
        31 -> {select_delete, [specification(Position)]};
        32 -> {select_replace, [replacement(Position)]};
        33 -> {pick([match, match_object, match_delete]), [pattern(Position)]};
        34 -> {portions, pick([select, match, match_object, select_reverse]), pick([1, 2, 3, 7]), pattern(Position), specification(Position)};
        35 -> pick([walk, walk_back, all_slots, fold, fold_back, tab2list]);
        36 -> {delete_during_walk, pick([none, key()]), row(Position)};
        37 -> {pick([next, prev]), [pick([key(), '$end_of_table'])]};
        38 -> {info, [pick([size, type, keypos, name, protection, named_table, compressed, heir, node, fixed, safe_fixed,
                            read_concurrency, write_concurrency, decentralized_counters, nothing, 1])]};
        39 -> {slot, [pick([0, 1, 2, -1, x])]};
        40 -> {rename, [pick([other, 1])]};
        41 -> {delete_all_objects, []};
        42 -> {setopts, [pick([[], {heir, none}, {protection, public}, [{protection, private}], {heir, x}, [{heir, none}, {heir, none}],
                               x, [{protection, public} | x], {protection, x}])]};
        43 -> {safe_fixtable, [pick([true, true, false, false, x])]};
        44 -> {wrong_table, pick([nothing, 1, self, ref]),
               pick([{insert, [{1}]}, {insert, [[{1}, {2}]]}, {lookup, [1]}, {delete, [1]}, {info, []}, {info, [size]}, {whereis, []},
                     {select, [[]]}, {first, []}, {member, [1]}, {tab2list, []}, {delete, []}, {update_counter, [1, 1]},
                     {rename, [x]}, {give_away, [x, y]}, {setopts, [[]]}, {slot, [0]}])};
        45 -> {pick([select, match, match_object, select_reverse]), [pattern(Position), pick([0, x, -1])]};
        46 -> {fun2ms, rnd(4)};
        48 -> {go_on_without, pick([deleted, made_again, renamed, same])};
        47 when Type =:= ordered_set -> {pick([first, last]), []};
        47 -> {test_ms, [row(Position), specification(Position)]}
    end.

counter_operation() ->
    pick([1, 1, -1, 5, 1 bsl 64, {2, 1}, {2, 3, 4, 0}, {2, -3, -4, 100}, {1, 1}, {3, 1}, {0, 1}, {2, x}, {2, 1, x, 0}, {2, 1, 1}, x,
          {x, 1}, 1.0, [{2, 1}, {2, -1}], [{2, 1}, {1, 1}], {2, 1 bsl 70}]).

pattern(Position) ->
    A = pick([key(), key(), '_', '$1', '$2', {a, '$1'}, {'$1', 1}, '$1', '_', #{a => '$1'}, [1 | '$1'], ['_', 2], {a, '_', 2}, {1, '_'}]),
    B = pick([value(), '_', '$2', '$1', '$3', '_', #{a => '_'}]),
    case rnd(15) of
        0 -> '_';
        1 -> '$1';
        2 -> pick([{}, x, [A], {A, B, '_'}, wrong()]);
        _ when Position =:= 1 -> {A, B};
        _ -> {B, A}
    end.

specification(Position) ->
    case rnd(12) of
        0 -> pick([[], x, [x], [{'_', [], []}], [{'_', x, [true]}], [{'_', [], ['$1']}], [{'_', [{no, 1}], [true]}], [{{'_', '_'}, []}],
                   [{'_', [], [true]} | x]]);
        1 -> [clause(Position), clause(Position)];
        _ -> [clause(Position)]
    end.

clause(Position) ->
    Guards = pick([[], [], [{is_integer, {element, Position, '$_'}}], [{'>', {element, 1, '$_'}, 1}], [{is_atom, {element, 2, '$_'}}],
                   [{'orelse', {'==', {element, 1, '$_'}, a}, {'<', {size, '$_'}, 3}}], [false]]),
    Body = pick([['$_'], ['$$'], [true], [true], [{{{element, 1, '$_'}, x}}], [{element, 3, '$_'}], [1, true], [{const, '$1'}], [self_free]]),
    {pattern(Position), Guards, Body}.

replacement(Position) ->
    Same = case Position of 1 -> {{'$1', {const, new}}}; 2 -> {{{const, new}, '$1'}} end,
    Head = case Position of 1 -> {'$1', '_'}; 2 -> {'_', '$1'} end,
    Guard = pick([[], [{is_integer, '$1'}], [{is_atom, '$1'}]]),
    pick([[{Head, Guard, [Same]}], [{Head, Guard, ['$_']}], [{'_', [], [{{'$1', 1}}]}], [{Head, [], [{{new, new}}]}], specification(Position),
          [{Head, Guard, [{{{element, Position, '$_'}, {element, Position, '$_'}}}]}],
          [{{key, '$1'}, [], [{{key, '$1', '$1'}}]}], [{{{a, '$1'}, '$2'}, [], [{{{{a, '$1'}}, [new]}}]}],
          [{{key, '$1'}, [], [{const, {key, 2}}]}]]).

perform(Type, _, {wrong_table, What, {Function, Arguments}}) ->
    Wrong = case What of ref -> make_ref(); self -> self(); _ -> What end,
    perform(Type, Wrong, {Function, Arguments});
perform(_, _, {test_ms, Arguments}) -> apply(ets, test_ms, Arguments);
perform(Type, Table, {fun2ms, N}) ->
    Specification = case N of
                        0 -> ets:fun2ms(fun({A, B}) when A > 1 -> {B, A} end);
                        1 -> ets:fun2ms(fun({a, B} = Row) when is_integer(B) -> Row end);
                        2 -> ets:fun2ms(fun(Row) -> element(1, Row) end);
                        3 -> ets:fun2ms(fun({A, #{a := B}}) -> [A, B] end)
                    end,
    {Specification, ordered(Type, ets:select(Table, Specification))};
%% A selection goes on in a table that is no longer there, or another one.
perform(Type, Table, {go_on_without, Change}) ->
    Options = [named_table, Type],
    Rows = [{1, a}, {2, b}, {3, c}],
    diff_named = ets:new(diff_named, Options),
    ets:insert(diff_named, Rows),
    {[b], Continuation} = ets:select(diff_named, [{{'$1', '$2'}, [{'=:=', '$1', 2}], ['$2']}], 1),
    case Change of
        deleted -> ets:delete(diff_named);
        made_again -> ets:delete(diff_named), ets:new(diff_named, Options);
        renamed -> ets:rename(diff_named, diff_other);
        same -> Table
    end,
    Result = case evaluate(fun() -> ets:select(Continuation) end) of
                 {error, Reason, _} -> {error, Reason};
                 Other -> Other
             end,
    [ets:delete(T) || T <- [diff_named, diff_other], ets:whereis(T) =/= undefined],
    Result;
perform(Type, Table, {portions, Function, Limit, Pattern, Specification}) ->
    What = case Function of
               match -> Pattern;
               match_object -> Pattern;
               _ -> Specification
           end,
    Portions = portions(Function, ets:Function(Table, What, Limit)),
    Together = ordered(Type, lists:append(Portions)),
    case Type of
        ordered_set -> Portions;
        _ -> {Together, Together =:= [] orelse lists:all(fun(P) -> length(P) =:= Limit end, lists:droplast(Portions))}
    end;
perform(Type, Table, walk) -> ordered(Type, walk(Table, ets:first(Table)));
perform(ordered_set, Table, walk_back) -> walk_back(Table, ets:last(Table));
perform(_, Table, walk_back) -> sort(walk_back(Table, ets:last(Table)));
perform(ordered_set, Table, all_slots) -> slots(Table, 0);
perform(Type, Table, all_slots) -> ordered(Type, lists:append(slots(Table, 0)));
perform(Type, Table, fold) -> ordered(Type, ets:foldl(fun(Row, Sum) -> [Row | Sum] end, [], Table));
perform(Type, Table, fold_back) -> ordered(Type, ets:foldr(fun(Row, Sum) -> [Row | Sum] end, [], Table));
perform(Type, Table, tab2list) -> ordered(Type, ets:tab2list(Table));
perform(_, Table, {delete_during_walk, Key, Row}) ->
    ets:safe_fixtable(Table, true),
    Before = ets:info(Table, safe_fixed),
    Keys = walk_and_delete(Table, ets:first(Table), Key),
    ets:insert(Table, Row),
    ets:safe_fixtable(Table, false),
    {sort([K || K <- Keys, K =/= Key]), is_tuple(Before), ets:info(Table, size)};  % the other key may come or not
perform(_, Table, {info, [safe_fixed]}) ->
    case ets:info(Table, safe_fixed) of
        {_, Processes} -> Processes;
        Other -> Other
    end;
perform(Type, Table, {slot, [N]}) when Type =/= ordered_set, is_integer(N), N >= 0 -> is_list(ets:slot(Table, N));
perform(Type, Table, {Function, [Key]}) when Type =/= ordered_set, Function =:= next orelse Function =:= prev ->
    _ = ets:Function(Table, Key),
    there_is_one;
perform(Type, Table, {first, []}) when Type =/= ordered_set -> _ = ets:first(Table), there_is_one;
perform(Type, Table, {tab2list, []}) -> ordered(Type, ets:tab2list(Table));
perform(Type, Table, {Function, Arguments}) ->
    Result = apply(ets, Function, [Table | Arguments]),
    case lists:member(Function, [select, select_reverse, match, match_object]) of
        true -> ordered(Type, Result);
        false -> Result
    end.

%% Keys of an ordered_set come in their order; other tables have one of their own.
ordered(ordered_set, List) -> List;
ordered(_, List) when is_list(List) -> sort(List);
ordered(_, Other) -> Other.

portions(_, '$end_of_table') -> [];
portions(Function, {List, Continuation}) -> [List | portions(Function, ets:Function(Continuation))].

walk(_, '$end_of_table') -> [];
walk(Table, Key) -> [Key | walk(Table, ets:next(Table, Key))].

walk_back(_, '$end_of_table') -> [];
walk_back(Table, Key) -> [Key | walk_back(Table, ets:prev(Table, Key))].

walk_and_delete(_, '$end_of_table', _) -> [];
walk_and_delete(Table, Key, Other) ->
    ets:delete(Table, Key),
    ets:delete(Table, Other),
    [Key | walk_and_delete(Table, ets:next(Table, Key), Other)].

slots(Table, N) ->
    case ets:slot(Table, N) of
        '$end_of_table' -> [];
        Rows -> [Rows | slots(Table, N + 1)]
    end.
