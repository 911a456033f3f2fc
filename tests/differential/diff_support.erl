%% What the corpora of the differential test share: a generator of numbers of their own, generators of
%% values, and the loop that evaluates and prints the cases.
%%
%% A case depends only on the seed and its number, so that a wrong result never changes another case. A line is
%% `Number: what was evaluated = result`; an exception is the result {class, reason, stack trace}. What must differ
%% between two machines is replaced (see canonical/1).
-module(diff_support).

-export([run/3, evaluate/1, canonical/1, sort/1]).
-export([seed/1, rnd/1, range/2, pick/1, chance/1, list/2, list_of/2]).
-export([integer/0, small_integer/0, float/0, number/0, atom/0, string/0, unicode_string/0, binary/0,
         bitstring/0, term/0, term/1, key/0, map/0, large_map/0, wrong/0]).

%% Evaluates cases 1 to Count. Make() returns {Label, Fun}, or {Module, Function, Arguments} to be applied.
run(Seed, Count, Make) ->
    lists:foreach(
      fun(Number) ->
              seed(Seed * 7919 + Number * 104729),
              {Label, Result} =
                  case Make() of
                      {Module, Function, Arguments} ->
                          {{call, Module, Function, Arguments},
                           evaluate(fun() -> apply(Module, Function, Arguments) end)};
                      {Name, Fun} ->
                          {Name, evaluate(Fun)}
                  end,
              io:put_chars(ascii(line(Number, canonical(Label), canonical(Result))))
      end, lists:seq(1, Count)),
    ok.

line(Number, {call, Module, Function, Arguments}, Result) ->
    io_lib:format("~w: ~w:~w~0p = ~0p~n", [Number, Module, Function, Arguments, Result]);
line(Number, Label, Result) ->
    io_lib:format("~w: ~0p = ~0p~n", [Number, Label, Result]).

%% What a terminal makes of other characters depends on its encoding.
ascii(Line) ->
    lists:map(fun(Char) when Char > 126 -> io_lib:format("\\x{~.16b}", [Char]);
                 (Char) -> Char
              end, lists:flatten(Line)).

%% The value, or class, reason and stack trace of the exception.
evaluate(Fun) ->
    try
        Fun()
    catch
        Class:Reason:Stack -> {Class, Reason, own_frames(Stack)}
    end.

%% What lies below the evaluation differs with the way a machine starts a program.
own_frames(Stack) ->
    lists:takewhile(fun(Frame) -> element(1, Frame) =/= ?MODULE end, Stack).

%% Replaces what has no fixed representation: pids, references, ports, funs, and the order of large maps.
canonical(Term) when is_pid(Term) -> '<pid>';
canonical(Term) when is_reference(Term) -> '<reference>';
canonical(Term) when is_port(Term) -> '<port>';
canonical(Term) when is_function(Term) ->
    {arity, Arity} = erlang:fun_info(Term, arity),
    {'<fun>', Arity};
canonical([Head | Tail]) -> [canonical(Head) | canonical(Tail)];
canonical(Term) when is_tuple(Term) -> list_to_tuple(canonical(tuple_to_list(Term)));
canonical(Term) when is_map(Term), map_size(Term) > 32 ->
    {'<large map>', canonical(sort(maps:to_list(Term)))};
canonical(Term) when is_map(Term) ->
    case has_ordered_maps() of
        true -> maps:from_list(canonical(maps:to_list(Term)));
        false -> {'<map>', canonical(sort(maps:to_list(Term)))}
    end;
canonical(Term) -> Term.

%% Up to OTP 25 a small map has its keys in order; since then, atoms among them as the emulator happens to have numbered them.
has_ordered_maps() -> list_to_integer(erlang:system_info(otp_release)) < 26.

%% Sorts, with a fixed order of what is equal but not the same (1 and 1.0).
sort(List) ->
    lists:sort(fun(A, B) -> A < B orelse (A == B andalso term_to_binary(A) =< term_to_binary(B)) end, List).

%% Numbers: the minimal standard generator of Park and Miller (1988), which needs no big integers.

seed(Number) ->
    put(diff_seed, Number rem 2147483646 + 1),
    rnd(2), rnd(2), rnd(2),
    ok.

%% 0 .. N - 1
rnd(N) ->
    Next = get(diff_seed) * 16807 rem 2147483647,
    put(diff_seed, Next),
    (Next bsr 3) rem N.

range(Low, High) -> Low + rnd(High - Low + 1).

chance(Percent) -> rnd(100) < Percent.

pick(List) when is_list(List) -> lists:nth(rnd(length(List)) + 1, List);
pick(Tuple) -> element(rnd(tuple_size(Tuple)) + 1, Tuple).

list(Max, Make) -> list_of(rnd(Max + 1), Make).

list_of(0, _Make) -> [];
list_of(N, Make) ->
    Head = Make(),
    [Head | list_of(N - 1, Make)].

%% Values.

small_integer() -> range(-10, 20).

%% Small ones, those around a power of two (where a machine changes its representation), and long ones.
integer() ->
    case rnd(10) of
        N when N < 3 -> small_integer();
        N when N < 4 -> range(-1000000, 1000000);
        N when N < 7 -> sign() * ((1 bsl pick({7, 8, 15, 16, 24, 27, 28, 31, 32, 53, 58, 59, 60, 61, 62, 63, 64, 65,
                                              96, 127, 128, 129, 192, 256})) + range(-2, 2));
        7 -> sign() * bits(range(1, 64));
        8 -> sign() * bits(range(30, 200));
        9 -> sign() * bits(range(100, 900))
    end.

sign() -> pick({1, -1}).

bits(N) -> bits(N, 0).

bits(N, Value) when N =< 0 -> Value;
bits(N, Value) -> bits(N - 24, (Value bsl 24) bor rnd(1 bsl 24)).

float() ->
    case rnd(8) of
        0 -> pick({0.0, -0.0, 1.0, -1.0, 0.1, 0.5, 1.5, 2.5, -2.5, 1.0e10, 1.0e22, 1.0e23, 9007199254740992.0,
                   9007199254740993.0, 1.7976931348623157e308, 2.2250738585072014e-308, 5.0e-324, 4.35, 0.3,
                   123456789.12345678, 1.0e-5, 1.0e16, 1.0e21, 18446744073709551616.0});
        1 -> range(-1000, 1000) / 1.0;
        2 -> range(-100000, 100000) / 100;
        3 -> range(-1000000, 1000000) / 1000000;
        4 -> range(1, 1000000) * math:pow(10.0, range(-30, 30));
        5 -> float_of_bits();
        6 -> float_of_bits();
        7 -> float(bits(range(20, 70)))
    end.

float_of_bits() ->
    case <<(bits(64)):64>> of
        <<Value:64/float>> -> Value;
        _ -> 0.25
    end.

number() ->
    case rnd(2) of
        0 -> integer();
        1 -> float()
    end.

atom() ->
    pick({a, b, c, ok, error, true, false, undefined, 'with space', 'Upper', '', abc, abd, 'a@b', 'it\'s', '\n',
          'end', x1, aa, zz}).

string() -> list(12, fun() -> range(32, 126) end).

unicode_string() ->
    list(10, fun() ->
                     case rnd(8) of
                         0 -> range(16#a0, 16#17f);
                         1 -> range(16#370, 16#3ff);
                         2 -> range(16#400, 16#4ff);
                         3 -> pick({16#300, 16#301, 16#308, 16#200d, 16#1f600, 16#1f468, 16#4e2d, 16#ac00, 16#fb01,
                                    16#df, 16#130, 16#131, 16#1e9e, $\r, $\n, $\t, 16#a0, 16#2028});
                         _ -> range(32, 126)
                     end
             end).

binary() -> list_to_binary(list(20, fun() -> rnd(256) end)).

bitstring() ->
    Size = rnd(70),
    <<(bits(Size)):Size>>.

key() ->
    case rnd(4) of
        0 -> atom();
        1 -> small_integer();
        2 -> pick({1, 1.0, 2, 2.0, 0, 0.0, a, "a", <<"a">>, {a}, [], {}});
        3 -> term(1)
    end.

map() -> maps:from_list(list(8, fun() -> {key(), small_integer()} end)).

large_map() ->
    Size = range(30, 70),
    maps:from_list([{case rnd(3) of 0 -> N; 1 -> {N, key()}; 2 -> integer_to_list(N) end, rnd(100)}
                    || N <- lists:seq(1, Size)]).

term() -> term(3).

term(Depth) when Depth =< 0 ->
    case rnd(9) of
        0 -> integer();
        1 -> small_integer();
        2 -> small_integer();
        3 -> float();
        4 -> atom();
        5 -> atom();
        6 -> [];
        7 -> pick({<<>>, <<1, 2, 3>>, <<5:3>>, {}, "ab", #{}});
        8 -> pick({1.0, 2.0, 1, 2, -1, 1 bsl 64, float(1 bsl 64)})
    end;
term(Depth) ->
    case rnd(12) of
        0 -> list(5, fun() -> term(Depth - 1) end);
        1 -> list_to_tuple(list(5, fun() -> term(Depth - 1) end));
        2 -> maps:from_list(list(4, fun() -> {term(Depth - 1), term(Depth - 1)} end));
        3 -> binary();
        4 -> bitstring();
        5 -> [term(Depth - 1) | term(Depth - 1)];
        6 -> string();
        7 -> float();
        8 -> integer();
        _ -> term(0)
    end.

%% Something of a type that is unlikely to be the right one.
wrong() -> pick({a, 1, -1, 1.5, "x", [], {}, {a, 1}, <<>>, <<1:3>>, #{}, [a | b], 1 bsl 70, undefined}).
