%% Exceptions of every class and reason, with their stack traces: in tail calls, funs, comprehensions, nested try and
%% after, raised again, and as deep as the machine keeps them.
-module(diff_exceptions).
-export([main/0, main/2, fail/3, deep/4, reasons/0]).
-import(diff_support, [rnd/1, range/2, pick/1, list/2, small_integer/0, wrong/0, term/1, map/0, evaluate/1]).

-record(point, {x, y}).

main() -> main(1, 3000).

main(Seed, Count) -> diff_support:run(Seed, Count, fun test/0).

value() -> pick([small_integer(), wrong(), term(1), map(), {ok, 1}, {error, a}, [1, 2, 3], #point{x = 1}]).

test() ->
    Reason = pick(reasons()), A = value(), B = value(),
    case rnd(8) of
        0 -> {{Reason, A, B}, fun() -> fail(Reason, A, B) end};
        1 -> {{tail, Reason, A, B}, fun() -> tail_call(Reason, A, B) end};
        2 -> Depth = rnd(15), {{deep, Depth, Reason, A, B}, fun() -> deep(Depth, Reason, A, B) end};
        3 -> Way = pick(wrappers()), {{Way, Reason, A, B}, fun() -> wrap(Way, Reason, A, B) end};
        4 -> Way = pick(wrappers()), Other = pick(wrappers()),
             {{Way, Other, Reason, A, B}, fun() -> wrap(Way, fun() -> wrap(Other, Reason, A, B) end) end};
        5 -> Way = pick(handlers()), {{Way, Reason, A, B}, fun() -> handle(Way, Reason, A, B) end};
        6 -> Way = pick(raises()), {{Way, Reason, A, B}, fun() -> raise(Way, Reason, A, B) end};
        7 -> Way = pick(library()), {{Way, A, B}, fun() -> library(Way, A, B) end}
    end.

reasons() ->
    [badmatch, case_clause, if_clause, try_clause, function_clause, badarith, badarith_bif, badarg_bif, badarity, badfun, badkey, badkey_bif, badmap,
     undef, undef_module, undef_fun, badrecord, record_update, throw, exit, error, error2, error3, error_none, exit_normal, bin_match, bin_build,
     bad_generator, bad_filter, bad_bin_generator, bad_boolean, apply_undef, apply_bad, send, hd, guard_bif, list_clause, map_update, fun_clause, arg_list].

fail(badmatch, A, _) -> {ok, X} = A, X;
fail(case_clause, A, _) -> case A of {ok, X, y} -> X; none -> none end;
fail(if_clause, A, B) -> if A =:= B -> same; is_pid(A) -> pid end;
fail(try_clause, A, _) -> try A of {never, _} -> never catch _ -> caught end;
fail(function_clause, A, B) -> no_clause(A, B);
fail(badarith, A, B) -> A + B * 2;
fail(badarith_bif, A, _) -> {A div 0};
fail(badarg_bif, A, B) -> {list_to_integer(A), atom_to_list(B)};
fail(badarity, A, B) -> F = fun(X) -> X end, F(A, B);
fail(badfun, A, B) -> A(B);
fail(badkey, A, B) -> (#{A => 1})#{B := 2};
fail(badkey_bif, A, B) -> map_get(B, #{A => 1});
fail(badmap, A, B) -> A#{B => 1};
fail(undef, A, B) -> ?MODULE:no_such_function(A, B);
fail(undef_module, A, _) -> no_such_module:f(A);
fail(undef_fun, A, _) -> F = fun no_such_module:f/1, F(A);
fail(badrecord, A, _) -> A#point.x;
fail(record_update, A, B) -> A#point{y = B};
fail(throw, A, _) -> throw({thrown, A});
fail(exit, A, _) -> exit({left, A});
fail(error, A, _) -> error({my_error, A});
fail(error2, A, B) -> error({my_error, A}, [A, B]);
fail(error3, A, B) -> error(badarg, [A, B], [{error_info, #{cause => A, module => ?MODULE}}]);
fail(error_none, A, _) -> error({my_error, A}, none);
fail(exit_normal, _, _) -> exit(normal);
fail(bin_match, A, _) -> <<X:16, _/binary>> = A, X;
fail(bin_build, A, B) -> <<A/binary, B:8>>;
fail(bad_generator, A, B) -> [{X, B} || X <- A, X > 1];
fail(bad_filter, A, B) -> [X || X <- [1, 2], begin A end, B =:= B];
fail(bad_bin_generator, A, _) -> << <<X>> || <<X>> <= A >>;
fail(bad_boolean, A, B) -> A andalso B;
fail(apply_undef, A, B) -> apply(?MODULE, missing, [A, B]);
fail(apply_bad, A, B) -> apply(lists, A, B);
fail(send, {_, _}, _) -> other_nodes_are_not_compared;
fail(send, A, B) -> A ! B;
fail(hd, A, _) -> [hd(A), tl(A)];
fail(guard_bif, A, B) -> {element(A, B), tuple_size(B)};
fail(list_clause, A, B) -> lists:nth(A, B);
fail(map_update, A, B) -> maps:update(A, 1, B);
fail(fun_clause, A, _) -> F = fun(x) -> 1; ([y]) -> 2 end, {F(A)};
fail(arg_list, A, B) -> lists:map(fun(X) -> X + B end, A).

no_clause(1, only) -> ok;
no_clause({_, _}, [_ | only]) -> ok.

tail_call(Reason, A, B) -> tail_2(Reason, A, B).
tail_2(Reason, A, B) -> fail(Reason, A, B).

deep(0, Reason, A, B) -> fail(Reason, A, B);
deep(N, Reason, A, B) when N rem 2 =:= 0 -> [deep(N - 1, Reason, A, B)];
deep(N, Reason, A, B) -> {N, deeper(N - 1, Reason, A, B)}.

deeper(N, Reason, A, B) ->
    X = deep(N, Reason, A, B),
    {X}.

wrappers() -> ['fun', map, fold, comprehension, binary_comprehension, 'catch', try_after, try_of, nested_after, 'case', sort, maps_fold, tail_fun, apply].

wrap(Way, Reason, A, B) -> wrap(Way, fun() -> fail(Reason, A, B) end).

wrap('fun', F) -> G = fun() -> {F()} end, G();
wrap(map, F) -> lists:map(fun(_) -> F() end, [1, 2]);
wrap(fold, F) -> lists:foldl(fun(_, Acc) -> [F() | Acc] end, [], [1]);
wrap(comprehension, F) -> [F() || _ <- [1], true];
wrap(binary_comprehension, F) -> << <<(F())>> || <<_>> <= <<1, 2>> >>;
wrap('catch', F) -> strip(catch F());
wrap(try_after, F) -> put(trace, []), try F() after put(trace, [done | get(trace)]) end;
wrap(try_of, F) -> try F() of X -> {value, X} catch throw:{thrown, X} -> {caught, X}; exit:normal -> normal end;
wrap(nested_after, F) ->
    erase(order),
    R = evaluate(fun() -> try try F() after note(inner) end after note(outer) end end),
    {R, erase(order)};
wrap('case', F) -> case F() of X -> {X} end;
wrap(sort, F) -> lists:sort(fun(_, _) -> F() end, [2, 1]);
wrap(maps_fold, F) -> maps:fold(fun(_, V, Acc) -> F() + V + Acc end, 0, #{a => 1});
wrap(tail_fun, F) -> F();
wrap(apply, F) -> apply(F, []).

note(What) -> put(order, [What | case get(order) of undefined -> []; L -> L end]).

%% What catch makes of an error has its stack trace inside.
strip({'EXIT', {Reason, Stack}}) when is_list(Stack) ->
    {'EXIT', {Reason, lists:takewhile(fun(Frame) -> not is_tuple(Frame) orelse element(1, Frame) =/= diff_support end, Stack)}};
strip(Other) -> Other.

handlers() -> [by_class, by_reason, twice, in_handler, after_throws, of_throws, return, guard_in_catch, nested, catch_catch].

handle(by_class, R, A, B) -> try fail(R, A, B) catch error:E -> {error_caught, E}; exit:E -> {exit_caught, E}; throw:E -> {throw_caught, E} end;
handle(by_reason, R, A, B) -> try fail(R, A, B) catch error:badarg -> badarg; error:{badmatch, X} -> {match, X}; _:{Tag, _} -> {tag, Tag} end;
handle(twice, R, A, B) -> try try fail(R, A, B) catch throw:X -> {first, X} end catch C:Y -> {second, C, Y} end;
handle(in_handler, R, A, B) -> try fail(R, A, B) catch _:_ -> fail(badmatch, A, B) end;
handle(after_throws, R, A, B) -> try fail(R, A, B) after throw(from_after) end;
handle(of_throws, _, A, B) -> try A of X -> fail(case_clause, X, B) catch _:_ -> never end;
handle(return, R, A, B) -> X = (catch fail(R, A, B)), is_tuple(strip(X));
handle(guard_in_catch, R, A, B) -> try fail(R, A, B) catch _:E when is_atom(E) -> {atom, E}; _:E when tuple_size(E) =:= 2 -> {pair, element(1, E)} end;
handle(nested, R, A, B) ->
    try
        try fail(R, A, B) catch error:E1:S1 -> erlang:raise(exit, {converted, E1}, S1) end
    catch
        exit:{converted, E2}:S2 -> {E2, length(S2) > 0}
    end;
handle(catch_catch, R, A, B) -> strip(catch (catch throw(strip(catch fail(R, A, B))))).

raises() -> [same, other_class, empty_stack, own_stack, bad_class, bad_stack, reraise_in_after, raise_in_fun].

raise(same, R, A, B) -> try fail(R, A, B) catch C:E:S -> erlang:raise(C, E, S) end;
raise(other_class, R, A, B) -> try fail(R, A, B) catch _:E:S -> erlang:raise(throw, {again, E}, S) end;
raise(empty_stack, R, A, B) -> try fail(R, A, B) catch C:E -> erlang:raise(C, E, []) end;
raise(own_stack, _, A, B) -> erlang:raise(error, A, [{m, f, 2, []}, {m, g, [A, B], [{file, "x.erl"}, {line, 3}]}]);
raise(bad_class, _, A, B) -> {erlang:raise(A, B, [])};
raise(bad_stack, _, A, B) -> {erlang:raise(error, A, B)};
raise(reraise_in_after, R, A, B) -> try try fail(R, A, B) catch C:E:S -> erlang:raise(C, {E}, S) end after ok end;
raise(raise_in_fun, R, A, B) -> lists:foreach(fun(_) -> try fail(R, A, B) catch C:E:S -> erlang:raise(C, E, S) end end, [1]).

library() -> [lists_nth, keyfind, dict, proplists, string, maps, gb_trees, io_lib, binary, foldl, integer, register, link, list_to_tuple, spawn, process_flag,
              setelement, send_name, monitor, whereis, unregister, float].

library(lists_nth, A, B) -> lists:nth(A, [B]);
library(keyfind, A, B) -> lists:keyfind(a, A, B);
library(dict, A, _) -> dict:fetch(A, dict:new());
library(proplists, A, B) -> proplists:get_value(A, B);
library(string, A, B) -> string:pad(A, B);
library(maps, A, B) -> maps:fold(A, B, B);
library(gb_trees, A, B) -> gb_trees:get(A, B);
library(io_lib, A, B) -> io_lib:format(A, B);
library(binary, A, B) -> binary:split(A, B);
library(foldl, A, B) -> lists:foldl(fun(X, Acc) -> X + Acc end, A, B);
library(integer, A, B) -> {integer_to_list(A, 10), B band 1};
library(register, A, B) -> register(A, B);
library(link, A, _) -> link(A);
library(list_to_tuple, A, B) -> list_to_tuple([A | B]);
library(spawn, A, B) -> spawn(A, B);
library(process_flag, A, B) -> process_flag(A, B);
library(setelement, A, B) -> setelement(A, B, x);
library(send_name, A, _) -> erlang:send(no_such_name, A);
library(monitor, A, B) -> monitor(A, B);
library(whereis, A, _) -> whereis(A);
library(unregister, A, _) -> unregister(A);
library(float, A, B) -> float_to_list(A, B).
