%% Funs of every kind and the ways to call them: closures, external funs, apply/2,3, wrong arities, things that are no funs.
-module(diff_apply).
-export([main/0, main/2, exported/1, exported/2, own/0]).
-import(diff_support, [rnd/1, range/2, pick/1, list/2, small_integer/0, wrong/0, key/0]).

main() -> main(1, 2500).

main(Seed, Count) -> diff_support:run(Seed, Count, fun test/0).

exported(X) -> {one, X}.
exported(X, Y) -> {two, X, Y}.
own() -> ?MODULE.

arguments() -> list(4, fun() -> small_integer() end).

test() ->
    case rnd(5) of
        0 ->
            Which = rnd(14), A = arguments(), X = small_integer(), Y = key(),
            {{fun_call, Which, X, Y, A}, fun() -> apply(a_fun(Which, X, Y), A) end};
        1 ->
            Which = rnd(14), X = small_integer(), Y = key(),
            {{direct, Which, X, Y}, fun() -> F = a_fun(Which, X, Y), [direct(F, N) || N <- [0, 1, 2, 3]] end};
        2 ->
            M = pick([?MODULE, ?MODULE, lists, erlang, no_such_module, wrong()]),
            F = pick([exported, own, reverse, length, no_such_function, wrong()]),
            A = pick([arguments(), [arguments()], wrong(), [[1, 2, 3]]]),
            {{mfa, M, F, A}, fun() -> [diff_support:evaluate(fun() -> apply(M, F, A) end),
                                       diff_support:evaluate(fun() -> one(M, F) end)] end};
        3 ->
            Which = rnd(14), X = small_integer(), Y = key(),
            {{info, Which, X, Y}, fun() ->
                                          F = a_fun(Which, X, Y),
                                          {arity, N} = erlang:fun_info(F, arity),
                                          {module, M} = erlang:fun_info(F, module),
                                          {type, T} = erlang:fun_info(F, type),
                                          {is_function(F), is_function(F, 1), N, M, T, element(2, erlang:fun_info(F, env)) =:= [],
                                           F =:= a_fun(Which, X, Y), F == a_fun(Which, X + 1, Y), F < [], F > a}
                                  end};
        4 ->
            X = small_integer(), L = list(8, fun() -> small_integer() end), Way = pick([compose, curry, recursive, in_data, y, capture, shadow, exported]),
            {{Way, X, L}, fun() -> higher(Way, X, L) end}
    end.

a_fun(0, X, _) -> fun() -> X end;
a_fun(1, X, _) -> fun(A) -> A + X end;
a_fun(2, X, Y) -> fun(A, B) -> {A, B, X, Y} end;
a_fun(3, X, _) -> fun(A) when A > X -> greater; (A) when A < X -> less end;
a_fun(4, _, _) -> fun exported/1;
a_fun(5, _, _) -> fun ?MODULE:exported/2;
a_fun(6, _, _) -> fun lists:reverse/1;
a_fun(7, _, _) -> fun erlang:'+'/2;
a_fun(8, _, Y) -> fun(Y1) when Y1 =:= Y -> same; (_) -> other end;
a_fun(9, _, _) -> fun no_such_module:no_such_function/1;
a_fun(10, _, _) -> fun ?MODULE:no_such_function/0;
a_fun(11, X, _) -> fun F(0) -> X; F(N) when is_integer(N), N > 0, N < 50 -> F(N - 1) + 1 end;
a_fun(12, X, Y) -> fun(A) -> fun(B) -> {X, Y, A, B} end end;
a_fun(13, X, Y) -> fun({A, _}) -> {A, X}; ([A | _]) -> {Y, A}; (5) -> five end.

direct(F, 0) -> diff_support:evaluate(fun() -> F() end);
direct(F, 1) -> diff_support:evaluate(fun() -> F(5) end);
direct(F, 2) -> diff_support:evaluate(fun() -> F(1, 2) end);
direct(F, 3) -> diff_support:evaluate(fun() -> [F(1, 2, 3)] end).

one(M, F) -> {M:F(1)}.

higher(compose, X, L) ->
    Compose = fun(F, G) -> fun(A) -> F(G(A)) end end,
    lists:map(Compose(fun(A) -> A * X end, fun(A) -> A + 1 end), L);
higher(curry, X, L) -> Add = fun(A) -> fun(B) -> A + B end end, [(Add(X))(E) || E <- L];
higher(recursive, X, L) -> Sum = fun S([]) -> X; S([H | T]) -> H + S(T) end, Sum(L);
higher(in_data, X, L) -> #{f := F} = #{f => fun(A) -> [A, X] end}, {G} = {fun lists:sum/1}, {F(1), G(L)};
higher(y, X, _) ->
    Y = fun(F) -> (fun(Z) -> Z(Z) end)(fun(Z) -> F(fun(A) -> (Z(Z))(A) end) end) end,
    (Y(fun(Self) -> fun(N) when N =< 0 -> 1; (N) -> N * Self(N - 1) end end))(X);
higher(capture, X, L) -> Funs = [fun(B) -> {A, B, X} end || A <- L], [F(N) || {N, F} <- lists:zip(lists:seq(1, length(L)), Funs)];
higher(shadow, X, L) -> F = fun(Element) -> Element - X end, lists:foldl(fun(A, Acc) -> Acc + F(A) end, 0, L);
higher(exported, X, L) -> {lists:map(fun exported/1, L), lists:zipwith(fun ?MODULE:exported/2, L, [X || _ <- L]), (fun own/0)()}.
