%% Operations in the middle of everything: each call of op/1 is a place where the process rests, so that what
%% surrounds it (deep stacks, open catches, binaries that are half read, funs, floats, messages not taken) is
%% saved and comes back. Prints the same on every machine.
-module(suspended).
-export([main/0, op/1]).

main() ->
    show(deep, catch deep(30)),
    show(body, body([1, 2, 3, a, 5])),
    show(binary, binary(<<1, 2, 3, 4:4, 5:12/little, "rest">>)),
    show(bits, bits(<<1:3, 5:7, 2:1, 9:5, 3:2>>)),
    show(utf, utf(<<"aé€😀"/utf8>>)),
    show(appended, appended(5, <<>>)),
    show(comprehension, [op(X) * 2 || X <- [1, 2, 3], op(X) > 1]),
    show(binary_comprehension, << <<(op(X)):3>> || <<X:2>> <= <<27, 228>> >>),
    show(nested, nested()),
    show(again, again()),
    show('after', with_after()),
    show(throws, [(catch thrower(K)) || K <- [ok, throw, exit, exit_tuple]]),
    show(stack, stack()),
    show(funs, funs()),
    show(maps, maps()),
    show(floats, floats(1.5, 3)),
    show(big, big(25)),
    show(selective, selective()),
    show(dictionary, dictionary()),
    show(tuples, tuples(list_to_tuple(lists:seq(1, 40)))),
    show(shared, shared()),
    show(sorted, lists:sort(fun(A, B) -> op(A) =< op(B) end, [3, 1, 2, 5, 4])),
    show(folded, lists:foldl(fun(X, Acc) -> [op(X) | Acc] end, [], "abc")),
    show(mapped, lists:sort(maps:to_list(maps:map(fun(_, V) -> op(V) + 1 end, #{a => 1, b => 2.5, "c" => 1 bsl 70})))),
    show(applied, apply(?MODULE, op, [op(7)])),
    show(children, children()),
    show(references, references()).

show(Name, Value) -> io:format("~p: ~w~n", [Name, Value]).

%% Two operations: a send and a receive.
op(X) ->
    self() ! {op, X},
    receive {op, Y} -> Y end.

deep(0) -> op(bottom);
deep(N) when N rem 3 =:= 0 -> {N, deep(N - 1)};
deep(N) when N rem 3 =:= 1 -> [N, "text", deep(N - 1), op(N * 1.5)];
deep(N) ->
    A = {N, op(N)}, B = [A], C = <<N:16>>,
    #{a => A, B => deep(N - 1), C => op(C)}.

body([]) -> [];
body([H | T]) when is_integer(H) -> [op(H) | body(T)];
body([H | T]) -> R = body(T), op(R), [H | R].

binary(<<A, Rest/binary>>) ->
    B = op(A),
    case Rest of
        <<C:16, D:4, E:12/little, Tail/binary>> when B =:= 1 -> {B, C, D, op(E), op(Tail), op(Rest)}
    end.

bits(<<A:3, B/bits>>) -> [{op(A), bit_size(op(B))} | bits(B)];
bits(Rest) -> op(Rest).

utf(<<C/utf8, Rest/binary>>) -> [op(C) | utf(Rest)];
utf(<<>>) -> op([]).

appended(0, Acc) -> op(Acc);
appended(N, Acc) ->
    M = op(N),
    More = <<Acc/binary, M, (op(M + 1)):16>>,
    appended(N - 1, More).

nested() ->
    try
        try op(1) + op(a)
        catch error:badarith -> op(caught), throw({again, op(2)})
        after self() ! {op, 'after'}, receive {op, _} -> ok end
        end
    of
        V -> {value, V}
    catch
        throw:{again, X} ->
            {'EXIT', {Reason, _}} = (catch op(X) / 0),
            {X, Reason, catch exit(op(bye))}
    end.

again() ->
    try
        try erlang:error(op(first)) catch C:R:S -> op(S), erlang:raise(C, {R, op(second)}, S) end
    catch C2:R2:S2 -> {op(C2), op(R2), length(S2) > 0, is_list(op(S2))}
    end.

with_after() ->
    R = try op(1) of 1 -> op(one) after put(cleaned, op(yes)) end,
    {R, erase(cleaned)}.

thrower(ok) -> op(fine);
thrower(throw) -> throw(op(thrown));
thrower(exit) -> exit(op(gone));
thrower(exit_tuple) -> exit({op(gone), op(<<"b">>)}).

stack() ->
    try lists:map(fun(X) -> op(X), X + op(a) end, [1])
    catch error:badarith:S -> [{M, F} || {M, F, _, _} <- S, M =:= ?MODULE orelse M =:= lists]
    end.

funs() ->
    A = op(1), B = op(<<"b">>),
    F = fun(X) -> {A, op(B), X} end,
    G = fun Loop(0) -> op(A); Loop(N) -> [N | Loop(op(N - 1))] end,
    H = fun lists:reverse/1, op(F), op(G),
    {F(op(2)), G(3), H(op([1, 2])), (op(F))(op(x))}.

maps() ->
    M = #{op(a) => op(1), op("k") => op(2)},
    #{a := V} = op(M),
    N = M#{a := op(V + 1), new => op([])},
    L = lists:foldl(fun(I, Acc) -> Acc#{op(I) => I} end, #{}, lists:seq(1, 40)),
    {lists:sort(maps:to_list(op(N))), maps:size(op(L)), maps:get(op(40), L), lists:sort(maps:keys(L)) =:= lists:seq(1, 40)}.

floats(X, 0) -> X;
floats(X, N) ->
    Y = X * 2.5 + op(N),
    Z = Y / op(1.25) - X,
    floats(op(Z), N - 1).

big(0) -> 1;
big(N) -> op(N * 1000003) * big(N - 1) - op(N).

%% Messages that stay in the mailbox while others are taken.
selective() ->
    [self() ! {later, N} || N <- [1, 2, 3]],
    A = op(first),
    self() ! {urgent, op(A)},
    U = receive {urgent, X} -> op(X) end,
    L = receive {later, 2} -> op(two) end,
    T = receive {never, _} -> never after 0 -> op(timeout) end,
    Rest = flush(),
    {U, L, T, op(Rest)}.

flush() -> receive M -> [M | flush()] after 0 -> [] end.

dictionary() ->
    put(key, op({1, 2})),
    put(op(other), [op(x)]),
    Old = put(key, get(other)),
    R = {Old, op(get(key)), lists:sort(get_keys())},
    erase(key), erase(other),
    R.

tuples(T) ->
    U = setelement(op(3), T, op(three)),
    V = erlang:append_element(op(U), op(last)),
    {element(op(3), V), tuple_size(op(V)), op(element(41, V))}.

%% A term that is reached twice stays equal to itself.
shared() ->
    L = lists:seq(1, 10), T = {L, L, op(L)},
    {A, B, C} = op(T),
    op(A) =:= B andalso B =:= op(C).

children() ->
    Self = self(),
    Pids = [spawn_link(fun() -> Self ! {N, deep(N)}, op(N) end) || N <- [1, 2, 3]],
    Results = [receive {N, R} -> op(R) end || {N, _} <- lists:zip([1, 2, 3], Pids)],
    length(Results).

references() ->
    R = make_ref(),
    self() ! {make_ref(), wrong},
    self() ! {R, right},
    V = receive {R, W} -> op(W) end,
    receive {_, wrong} -> op(V) end.
