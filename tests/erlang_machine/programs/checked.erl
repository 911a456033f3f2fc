%% A program without the instructions that trust the kinds of their operands (get_tuple_element, get_list, matching of
%% binaries, ...): whatever is changed in its code, the machine either refuses it or stays sound.
-module(checked).
-export([main/0, child/2]).

main() ->
    Self = self(),
    Pids = [spawn(?MODULE, child, [Self, 1]), spawn(?MODULE, child, [Self, 2])],
    put(pids, Pids),
    A = work(5, id(<<"text">>)),
    B = wait(2, []),
    C = try risky(id(0)) catch error:R -> {caught, R} end,
    D = (catch throw(id({thrown, A}))),
    E = nested(id(3)),
    F = (select(id(7)))(id(2)),
    G = apply(erlang, id(length), [[1, 2]]),
    {A, B, C, D, E, F, G, long(1, 2, 3, 4, 5, 6), map(id(#{a => 1}))}.

id(X) -> X.

child(Parent, N) ->
    Parent ! {N, work(N, id([]))},
    receive stop -> ok after 10 -> Parent ! N end.

work(N, Acc) when N > 0 ->
    T = {N, Acc, N * id(1.5)},
    S = element(1, id(T)) + tuple_size(id(T)),
    [T, S | work(N - 1, <<S, N:16/little>>)];
work(0, Acc) -> Acc.

wait(0, Acc) -> lists_reverse(Acc, []);
wait(N, Acc) ->
    receive
        X when is_tuple(X), element(1, X) > 0 -> wait(N - 1, [X | Acc]);
        X when is_atom(X) -> wait(N, Acc)
    after 100 -> wait(N - 1, [late | Acc])
    end.

lists_reverse(L, Acc) ->
    case id(L) =:= [] of
        true -> Acc;
        false -> lists_reverse(tl(id(L)), [hd(id(L)) | Acc])
    end.

risky(N) ->
    try
        X = id(N), Y = 1 div id(X), {X, Y}
    catch
        error:badarith:Stack -> erlang:raise(error, {again, id(length(Stack) > 0)}, Stack)
    after
        put(key, N)
    end.

nested(0) -> exit_of(id(done));
nested(N) ->
    A = id(N),
    B = try nested(N - 1) catch exit:R -> {R, A}; throw:T -> T end,
    C = id(B),
    [A, B, C, get(key)].

exit_of(X) -> exit(X).

select(X) ->
    F = case X of
            1 -> a; 2 -> b; 3 -> c; 4 -> d; 5 -> e; 7 -> seven; big -> f; _ -> none
        end,
    Y = id(F),
    fun(Z) -> if is_atom(Y), Z > 1 -> {X, Y, Z}; is_float(Z) -> Y; true -> [X | Z] end end.

long(A, B, C, D, E, F) ->
    X = id({A, B}), Y = id([C, D]), Z = id(E - F),
    U = id({X, Y}), V = id([Z | Y]),
    {id(U), id(V), X, Y, Z, A bsl 70, B bxor (F bsl 65)}.

map(M) ->
    N = (id(M))#{b => 2},
    O = try (id(N))#{missing := 1} catch error:E -> E end,
    {N, O, is_map_key(a, id(N)), map_size(N)}.
