%% Source text: generated expressions and forms go through erl_scan, erl_parse, erl_pp and erl_eval. The expressions contain
%% funs, comprehensions, try and catch, maps, binaries and pattern matching, but no receive.
-module(diff_source).
-export([main/0, main/2]).
-import(diff_support, [rnd/1, range/2, pick/1, chance/1, list/2, list_of/2, sort/1]).

main() -> main(1, 900).

main(Seed, Count) -> diff_support:run(Seed, Count, fun test/0).

test() ->
    case rnd(10) of
        0 -> Text = text(), {{scan, Text}, fun() -> scan(erl_scan:string(Text)) end};
        1 -> Text = damaged(text()), {{scan_damaged, Text}, fun() -> scan(erl_scan:string(Text)) end};
        2 -> Text = damaged(text()), {{parse_damaged, Text}, fun() -> parse(Text) end};
        3 -> Text = form(), {{form, Text}, fun() -> form(Text) end};
        4 -> Text = text(), {{pretty, Text}, fun() -> {ok, Forms} = parse(Text), lists:flatten(erl_pp:exprs(Forms)) end};
        5 -> Text = literal(3), {{term, Text}, fun() -> term(Text) end};
        6 -> Text = tokens(), {{tokens, Text}, fun() -> erl_scan:string(Text, {3, 5}, [return]) end};
        _ -> Text = text(), {{evaluate, Text}, fun() -> evaluate(Text) end}
    end.

scan({ok, Tokens, End}) -> {Tokens, End};
scan(Error) -> Error.

parse(Text) ->
    case erl_scan:string(Text) of
        {ok, Tokens, _} ->
            case erl_parse:parse_exprs(Tokens) of
                {ok, Forms} -> {ok, Forms};
                {error, {Line, Module, What}} -> {error, Line, lists:flatten(Module:format_error(What))}
            end;
        {error, {Line, Module, What}, _} -> {error, Line, lists:flatten(Module:format_error(What))}
    end.

form(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text),
    case erl_parse:parse_form(Tokens) of
        {ok, Form} -> {Form, lists:flatten(erl_pp:form(Form))};
        {error, {Line, Module, What}} -> {Line, lists:flatten(Module:format_error(What))}
    end.

term(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text ++ "."),
    {ok, Term} = erl_parse:parse_term(Tokens),
    {Term, erl_parse:normalise(erl_parse:abstract(Term)) =:= Term}.

%% The frames of erl_eval itself are part of a stack trace here: the same code runs on both machines.
evaluate(Text) ->
    {ok, Forms} = parse(Text),
    {value, Value, Bindings} = erl_eval:exprs(Forms, [{'X', 5}, {'Y', 2}]),
    {Value, sort(Bindings)}.

%% Text that is no longer right in one place.
damaged(Text) ->
    N = length(Text), K = rnd(max(N, 1)), {H, T} = lists:split(K, Text),
    case rnd(4) of
        0 -> H;
        1 -> H ++ pick(["(", ")", "]", "end", "'", "\"", "$", ",,", "->", "#", "1.", "~", "`", " \x{e9} ", "?", ";"]) ++ T;
        2 -> H ++ tl(T ++ "x");
        3 -> H ++ ".\n" ++ T
    end.

tokens() ->
    lists:append(list(12, fun() ->
                                  pick(["foo ", "'a b' ", "Var ", "_ ", "12 ", "16#fF ", "1.5e-3 ", "$a ", "$\\n ", "\"str\\x{41}\\\"\" ", "% comment\n", "-> ", "=:= ",
                                        "<<", ">> ", "#{", "}", ":= ", "=> ", "|| ", "<= ", "begin ", "\n", "  ", "1_000 ", "2#101 ", "++ ", "?MACRO ", "\t", "... ", "\"\" ", "3 . ",
                                        "andalso ", "maybe ", "36#Zz ", "1.0 ", "$\\^A ", "$\\x41 "])
                          end)).

text() ->
    Parts = list_of(range(1, 3), fun() -> pick([expression(3), expression(2), pattern_match()]) end),
    lists:append(lists:join(", ", Parts)) ++ ".".

pattern_match() ->
    case rnd(6) of
        0 -> "Z = " ++ expression(2);
        1 -> "{A, [B | C]} = {" ++ expression(1) ++ ", [" ++ expression(1) ++ ", 2]}";
        2 -> "#{k := M} = #{k => " ++ expression(1) ++ "}";
        3 -> "<<P:4, Q/bits>> = <<" ++ integer() ++ ">>";
        4 -> "F = fun(N) -> N * " ++ integer() ++ " end, F(" ++ expression(1) ++ ")";
        5 -> "[H | _] = " ++ list_text(1)
    end.

integer() -> integer_to_list(range(-3, 40)).

natural() -> integer_to_list(range(1, 9)).

literal(0) -> pick([integer(), "a", "'B c'", "\"text\"", "3.25", "[]", "{}", "$x", "<<1,2>>", "16#ff", "#{}"]);
literal(N) ->
    case rnd(5) of
        0 -> "[" ++ join(list(4, fun() -> literal(N - 1) end)) ++ "]";
        1 -> "{" ++ join(list(4, fun() -> literal(N - 1) end)) ++ "}";
        2 -> "#{" ++ literal(0) ++ " => " ++ literal(N - 1) ++ "}";
        3 -> "[" ++ literal(N - 1) ++ " | " ++ literal(N - 1) ++ "]";
        4 -> literal(0)
    end.

join(Texts) -> lists:append(lists:join(", ", Texts)).

list_text(N) ->
    case rnd(5) of
        0 -> "lists:seq(1, " ++ natural() ++ ")";
        1 -> "[E * 2 || E <- [1, 2, 3], E > " ++ integer() ++ "]";
        2 -> "[{E, G} || E <- [1, 2], G <- [a, b], E =/= " ++ integer() ++ "]";
        3 -> "lists:map(fun(E) -> E + 1 end, [1, 2, " ++ integer() ++ "])";
        4 -> "[" ++ join(list(3, fun() -> expression(N - 1) end)) ++ "]"
    end.

expression(N) when N =< 0 -> pick(["X", "Y", integer(), integer(), "a", "ok", "[1, 2]", "{a, 1}", "\"s\"", "2.5", "#{a => 1}", "<<5>>", "true"]);
expression(N) ->
    E = fun() -> expression(N - 1) end,
    case rnd(24) of
        0 -> "(" ++ E() ++ pick([" + ", " - ", " * ", " div ", " rem ", " / ", " band ", " bsl "]) ++ E() ++ ")";
        1 -> "(" ++ E() ++ pick([" < ", " =< ", " == ", " =:= ", " > ", " /= "]) ++ E() ++ ")";
        2 -> "(" ++ E() ++ pick([" andalso ", " orelse ", " and ", " xor "]) ++ E() ++ ")";
        3 -> "case " ++ E() ++ " of {a, V} -> V; [V | _] when V > 1 -> V; V when is_integer(V), V > 3 -> -V; _ -> " ++ E() ++ " end";
        4 -> "if X > " ++ integer() ++ " -> " ++ E() ++ "; Y =:= 2 -> " ++ E() ++ " end";
        5 -> "try " ++ E() ++ " catch error:badarith -> arith; error:{badmatch, V} -> {match, V}; _:R -> {caught, R} end";
        6 -> "try " ++ E() ++ " of V when is_list(V) -> length(V); V -> V catch throw:T -> T after put(done, 1) end";
        7 -> "(fun(A, B) -> {B, A} end)(" ++ E() ++ ", " ++ E() ++ ")";
        8 -> "(fun Fact(0) -> 1; Fact(K) when K > 0 -> K * Fact(K - 1) end)(" ++ natural() ++ ")";
        9 -> list_text(N);
        10 -> "{" ++ join(list(3, E)) ++ "}";
        11 -> "#{" ++ join(["k" ++ integer_to_list(I) ++ " => " ++ E() || I <- lists:seq(1, rnd(4))]) ++ "}";
        12 -> "(#{a => " ++ E() ++ "})#{" ++ pick(["a := ", "b => ", "b := "]) ++ E() ++ "}";
        13 -> "<<" ++ integer() ++ ":" ++ integer_to_list(range(1, 20)) ++ "/" ++ pick(["little", "big", "signed", "integer-unit:2"]) ++ ">>";
        14 -> "<< <<(V + 1)>> || <<V>> <= <<1, 2, " ++ natural() ++ ">>, V > 1 >>";
        15 -> "lists:foldl(fun(V, Acc) -> V + Acc end, " ++ E() ++ ", " ++ list_text(N) ++ ")";
        16 -> "(catch " ++ pick(["throw(", "abs(", "hd(", "length("]) ++ E() ++ "))";
        17 -> "begin " ++ E() ++ ", " ++ E() ++ " end";
        18 -> pick(["length(", "is_atom(", "abs(", "tuple_size(", "float(", "not ("]) ++ E() ++ ")";
        19 -> "(" ++ list_text(N) ++ pick([" ++ ", " -- "]) ++ list_text(N) ++ ")";
        20 -> "element(" ++ natural() ++ ", " ++ E() ++ ")";
        21 -> pick(["throw(", "error(", "exit("]) ++ E() ++ ")";
        22 -> "maps:get(a, " ++ E() ++ ", " ++ E() ++ ")";
        23 -> "string:uppercase(\"abc" ++ natural() ++ "\")"
    end.

form() ->
    pick(["f(0) -> " ++ expression(2) ++ "; f(N) when N > " ++ integer() ++ ", is_integer(N) -> " ++ expression(2) ++ ".",
          "-record(r, {a, b = " ++ expression(1) ++ ", c :: integer() | atom()}).",
          "-spec f(" ++ pick(["integer()", "[atom()]", "#{a => b}", "1..5", "fun((A) -> A)"]) ++ ") -> " ++ pick(["ok", "{ok, term()} | error", "<<_:8, _:_*8>>", "X when X :: list()"]) ++ ".",
          "-type t(A) :: {A, [A, ...], #r{a :: A}}.", "-export([f/1, g/2]).", "-define(X, 1).", "-module(m).",
          "f(#r{a = A} = R, [H | T]) -> R#r{b = " ++ expression(1) ++ "}, A, H, T.",
          "f() -> receive {a, X} when X > 1 -> X; b -> ok after " ++ natural() ++ " -> timeout end.",
          "f(X) -> " ++ expression(3) ++ "."]).
