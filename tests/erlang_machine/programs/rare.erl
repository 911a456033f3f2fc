%% Instructions that few programs need. Compiled for OTP 22 (erlc +r22) it uses what compilers wrote then.
-module(rare).
-export([main/0, woken/2, answer/0]).
-on_load(loaded/0).
-nifs([native/1]).

main() ->
    Values = [1, 1.5, a, true, self(), make_ref(), hd([fun answer/0]), {a, 1}, {a}, {b, 2}, "l", [], #{a => 1},
              <<1>>, <<1:1>>, 1 bsl 70, fun lists:map/2],
    show(slots, [{N, after_call(V)} || {N, V} <- lists:zip(lists:seq(1, length(Values)), Values)]),
    show(records, [try record(V) catch error:R -> R end || V <- Values, not is_pid(V), not is_reference(V), not is_function(V)]),
    show(floats, [floats(A, B) || A <- [1.5, -2.0, 3], B <- [0.25, 7]]),
    show(bad_floats, [try floats(A, B) catch error:R -> R end || {A, B} <- [{a, 1.0}, {1.0, 0}, {1.0e308, 1.0e308}]]),
    show(bytes, bytes(258, <<"abc">>, 3.25, $é)),
    show(bad_bytes, [try bytes(A, B, C, D) catch error:R -> R end
                     || {A, B, C, D} <- [{a, <<>>, 1.0, 65}, {1, a, 1.0, 65}, {1, <<>>, a, 65}, {1, <<>>, 1.0, -1}]]),
    show(sized, [try sized(N, 3, <<"abcdef">>) catch error:R -> R end || N <- [0, 1, 5, 6, 7, -1, a, 1 bsl 70]]),
    show(utf, utf(<<"aé€😀"/utf8>>, <<"aé€😀b"/utf16-little, 1>>, <<"aé€😀b"/utf32, 2>>)),
    show(appended, lists:foldl(fun(N, Acc) -> <<Acc/binary, N:16/little, "-">> end, <<>>, lists:seq(1, 20))),
    show(appended_bits, lists:foldl(fun(N, Acc) -> <<Acc/bitstring, N:3>> end, <<>>, lists:seq(1, 30))),
    show(comprehended, << <<(X + 1), Y:4>> || <<X, Y:4>> <= <<"abcdefg">> >>),
    show(replaced, [replaced(T) || T <- [{1, 2, 3}, {a, b}, [1], {x, y, z}]]),
    show(small_select, [small(N) || N <- [-1, 0, 1, 5, 9, 10, 1.0, a, 1 bsl 60]]),
    show(sparse_select, [sparse(N) || N <- [1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 7]]),
    show(atom_select, [atom(N) || N <- [a, b, c, d, e, f, g, h, i, 1]]),
    show(big_select, [big(N) || N <- [1 bsl 64, 1 bsl 65, -1 bsl 64, 1.0, 2.0, 3]]),
    show(size_select, [size_of(N) || N <- [{}, {1}, {1, 2}, {1, 2, 3}, x]]),
    show(hibernated, hibernated()),
    show(replies, replies()),
    show(exact, [try lists:sort(maps:to_list(exact(M))) catch error:R -> R end || M <- [#{a => 1, b => 2}, #{a => 1}, x]]),
    show(update, [try update(R) catch error:E -> E end || R <- [{r, 1, 2, 3}, {r, 1}, x]]),
    show(swapped, swapped(1, 2, 20)),
    show(long_moves, moves(1, 2, 3, 4)),
    show(bifs, bifs([1, 2], {a, b}, #{k => v})),
    show(raised, [catch_class(K) || K <- [error, exit, throw, bad]]),
    show(caught, [(catch K()) || K <- [fun() -> throw(t) end, fun() -> exit(e) end, fun() -> ok end]]),
    show(in_order, timeouts()),
    show(marked, {loaded(), native(1)}).

show(Name, Value) -> io:format("~p: ~w~n", [Name, Value]).

answer() -> 42.

%% What native code may replace, and nothing does here.
native(X) -> {not_native, X}.
loaded() ->
    case id(no) of
        no -> ok;
        native -> erlang:load_nif("native", 0)
    end.
id(X) -> X.

%% The argument lives in a stack slot.
after_call(V) ->
    id(V),
    T = if is_integer(V) -> integer; is_float(V) -> float; is_boolean(V) -> boolean; is_atom(V) -> atom;
           is_pid(V) -> pid; is_reference(V) -> reference; is_function(V, 0) -> fun0; is_function(V) -> function;
           is_port(V) -> port; is_binary(V) -> binary; is_bitstring(V) -> bitstring; is_map(V) -> map;
           is_tuple(V) -> tuple; is_list(V), V =/= [] -> list; is_number(V) -> number; true -> none end,
    id(V),
    P = case V of {a, _} -> pair; {a} -> single; [_ | _] -> cons; [] -> nil; {_, _} -> other; _ -> none end,
    id(P),
    Q = V =:= a orelse V =/= {b, 2} andalso V < 5,
    id(Q),
    {T, P, Q, is_number(V)}.

record(V) ->
    id(V),
    case V of {a, X} -> X; {b, X} -> {b, X}; {_} -> one end.

floats(A, B) when is_number(A), is_number(B) ->
    X = A * 1.5 + B, Y = X - B / 2.0, Z = -Y * X,
    {X + Y, Y - Z, Z / (X * X + 1.0)};
floats(A, B) -> A + B * 2.0.

bytes(A, B, C, D) -> <<A:16, B/binary, C/float, D/utf8, C:32/float-little, D/utf16, D/utf32-little, "end", A:24/little>>.

sized(N, M, B) -> <<1:M, B:N/binary, M:N, 0:(8 - M)>>.

utf(<<_/utf8, _/utf8, A/utf8, _/binary>>, <<_/utf16-little, _/utf16-little, _/utf16-little, B/utf16-little, _/utf16-little, C>>,
    <<_/utf32, _/utf32, _/utf32, D/utf32, _/utf32, E>>) -> {A, B, C, D, E}.

small(0) -> zero; small(1) -> one; small(2) -> two; small(3) -> three; small(5) -> five; small(9) -> nine; small(_) -> other.

sparse(1) -> a; sparse(10) -> b; sparse(100) -> c; sparse(1000) -> d; sparse(10000) -> e; sparse(100000) -> f;
sparse(1000000) -> g; sparse(10000000) -> h; sparse(_) -> none.

atom(a) -> 1; atom(b) -> 2; atom(c) -> 3; atom(d) -> 4; atom(e) -> 5; atom(f) -> 6; atom(g) -> 7; atom(h) -> 8; atom(_) -> 0.

big(1.0) -> float; big(2.0) -> float2; big(18446744073709551616) -> big; big(-18446744073709551616) -> negative; big(_) -> other.

size_of({}) -> 0; size_of({_}) -> 1; size_of({_, _}) -> 2; size_of({_, _, _}) -> 3; size_of(_) -> none.

hibernated() ->
    Self = self(),
    Pid = spawn(fun() -> put(key, value), erlang:hibernate(?MODULE, woken, [Self, kept]) end),
    Pid ! wake,
    receive {woken, Value} -> Value end.

woken(Parent, Kept) ->
    receive wake -> Parent ! {woken, {Kept, get(key)}} end.

%% Receives that wait for a new reference skip what came before it.
replies() ->
    Self = self(),
    [self() ! {noise, N} || N <- lists:seq(1, 5)],
    Server = spawn(fun Loop() -> receive {Ref, From, X} -> From ! {Ref, X + 1}, Loop(); stop -> ok end end),
    Replies = [begin
                   Ref = make_ref(), Server ! {Ref, Self, N},
                   receive {Ref, Reply} -> Reply end
               end || N <- [1, 2, 3]],
    Monitor = monitor(process, Server),
    Server ! stop,
    Down = receive {'DOWN', Monitor, process, _, Reason} -> Reason after infinity -> late end,
    {Replies, Down, [receive {noise, N} -> N end || N <- [5, 4, 3, 2, 1]]}.

exact(M) -> M#{a := 2, b := 3}.

update(R) when element(1, R) =:= r, tuple_size(R) =:= 4 -> setelement(4, setelement(2, R, x), z);
update(R) -> setelement(3, R, y).

swapped(A, B, 0) -> {A, B};
swapped(A, B, N) -> swapped(B, A, N - 1).

moves(A, B, C, D) ->
    X = id(A), Y = id(B), Z = id(C), W = id(D),
    {id([X, Y]), id([Z, W]), four(W, Z, Y, X), four(X, Y, Z, W)}.

four(A, B, C, D) -> [D, C, B, A].

bifs(L, T, M) ->
    {length(L), hd(L), tl(L), element(2, T), tuple_size(T), map_size(M), is_map_key(k, M), map_get(k, M),
     abs(-length(L)), round(1.5 * length(L)), min(L, T), max(L, T), binary_part(<<"abc">>, 1, length(L)), node(),
     bnot length(L), length(L) bsl 3, length(L) bsr 1, length(L) band 3, 5 bxor length(L), 7 rem length(L)}.

%% Elements that are replaced one after the other: the later ones in place.
replaced(T) when tuple_size(T) =:= 3 -> {setelement(1, setelement(2, setelement(3, T, c), b), id(a)), T};
replaced(T) -> T.

catch_class(K) ->
    try erlang:raise(K, reason, []) catch C:R:S -> {C, R, S =:= []} end.

timeouts() ->
    Self = self(),
    spawn(fun() -> Self ! first end),
    receive first -> ok after infinity -> late end,
    A = receive nothing -> x after 0 -> none end,
    B = receive nothing -> x after 1 -> waited end,
    T = id(1),
    C = receive after T -> slept end,
    D = try receive nothing -> x after id(wrong) -> y end catch error:E -> E end,
    self() ! last,
    E2 = receive last -> got after infinity -> never end,
    {A, B, C, D, E2}.
