%% io_lib: every control sequence with random widths, precisions and paddings, nested terms, bad formats.
-module(diff_format).
-export([main/0, main/2]).
-import(diff_support, [rnd/1, range/2, pick/1, chance/1, list/2, small_integer/0, integer/0, float/0, wrong/0, string/0,
                       unicode_string/0, term/0, term/1, atom/0]).

main() -> main(1, 3000).

main(Seed, Count) -> diff_support:run(Seed, Count, fun test/0).

test() ->
    case rnd(8) of
        0 ->
            T = pick([term(), term(), wide(), long()]), F = pick([write, print, nested, deep, 'p widths', 'limits', record]),
            {{F, T}, fun() -> term_format(F, T) end};
        7 ->
            T = term(1),
            {F, A} = pick([{write, [T]}, {write, [T, rnd(6)]}, {print, [T]}, {print, [T, range(1, 10), range(10, 60), rnd(8)]},
                           {write_atom, [atom()]}, {write_string, [string()]}, {write_char, [rnd(256)]},
                           {write_latin1_string, [string()]}, {write_string_as_latin1, [unicode_string()]},
                           {char_list, [string()]}, {printable_list, [unicode_string()]}, {printable_unicode_list, [unicode_string()]},
                           {nl, []}, {indentation, [string(), 3]}, {fwrite, ["~s ~w~n", [string(), T]]},
                           {fread, ["~d ~s ~f", "12 abc 3.5 rest"]}, {fread, [pick(["~d", "~s", "~a", "~16u", "~c", "~2d~3d"]), string()]},
                           {fread, [pick(["~d", "~d ~d", "~f", "~16u", "~#", "~3d"]), pick(["12 34", "1.5e3", "ff", "16#ff", "-7", "+8", "12345"])]},
                           {scan_format, ["~10.3.*f ~p", [float(), T]]}, {quote_atom, [atom(), []]}, {limit_term, [term(), rnd(5)]}]),
            {{F, A}, fun() -> flat(apply(io_lib, F, A)) end};
        _ ->
            Parts = [part() || _ <- lists:seq(1, range(1, 3))],
            Format = lists:append(["<" ++ F ++ ">" || {F, _} <- Parts]) ++ pick(["", "~n", "~~", "text"]),
            Arguments0 = lists:append([A || {_, A} <- Parts]),
            Arguments = case rnd(50) of 0 -> [extra | Arguments0]; 1 -> lists:sublist(Arguments0, 1); _ -> Arguments0 end,
            {{format, Format, Arguments}, fun() -> flat(io_lib:format(Format, Arguments)) end}
    end.

flat(L) when is_list(L) -> try lists:flatten(L) catch error:_ -> L end;
flat(Other) -> Other.

%% {Text of one control sequence, its arguments}
part() ->
    Width = pick(["", "", "", number_text(-12, 25)]),
    Precision = pick(["", "", "." ++ number_text(0, 12)]),
    Pad = case Precision of "" -> ""; _ -> pick(["", "", ". ", ".0", ".x"]) end,
    {Star, StarArgument} = case rnd(20) of 0 -> {"*", [range(0, 15)]}; _ -> {Width, []} end,
    {Modifier, Control, Argument} = control(),
    {"~" ++ Star ++ Precision ++ Pad ++ Modifier ++ Control, StarArgument ++ Argument}.

number_text(Low, High) -> integer_to_list(range(Low, High)).

control() ->
    case rnd(16) of
        0 -> {pick(["", "t", "0", "l"]), "p", [pick([term(2), long(), string()])]};
        1 -> {pick(["", "t", "k", "0"]), "w", [term(2)]};
        2 -> {"", "s", [pick([string(), atom(), list_to_binary(string()), [string(), $x, <<"y">>], rarely_wrong()])]};
        3 -> {"t", "s", [pick([unicode_string(), unicode:characters_to_binary(unicode_string()), atom(), <<255, 254>>])]};
        4 -> {"", "c", [pick([range(32, 126), range(32, 126), range(32, 126), 300])]};
        5 -> {"t", "c", [pick([range(32, 126), 16#20ac])]};
        6 -> {"", "f", [number_or_wrong()]};
        7 -> {"", "e", [number_or_wrong()]};
        8 -> {"", "g", [number_or_wrong()]};
        9 -> {"", pick(["b", "B"]), [pick([integer(), rarely_wrong()])]};
        10 -> {"", pick(["x", "X"]), [integer(), pick(["0x", abc, "", rarely_wrong()])]};
        11 -> {"", pick(["#", "+"]), [integer()]};
        12 -> {"", "i", [term(1)]};
        13 -> {"", pick(["W", "P"]), [term(3), rnd(8)]};
        14 -> {"", pick(["n", "~"]), []};
        15 -> {"", pick(["p", "w", "tp", "s"]), [term(1)]}
    end.

number_or_wrong() -> pick([float(), float(), float(), range(-1000, 1000) / 16, range(-1000, 1000) / 16, integer(), rarely_wrong()]).

rarely_wrong() -> case rnd(4) of 0 -> wrong(); _ -> 42 end.

%% Terms that need more than one line.
long() -> list(30, fun() -> pick([integer(), atom(), string(), {atom(), small_integer()}]) end).

wide() -> {wide, [{atom(), string(), long()} || _ <- [1, 2, 3]], #{list => long(), string() => {atom(), float()}}}.

term_format(write, T) -> flat(io_lib:format("~w", [T]));
term_format(print, T) -> flat(io_lib:format("~p", [T]));
term_format(nested, T) -> flat(io_lib:format("head ~p, ~tp tail", [{T, [T]}, #{T => T}]));
term_format(deep, T) -> flat(io_lib:format("~P|~W", [T, 12, [T], 9]));
term_format('p widths', T) -> [flat(io_lib:format(F, [T])) || F <- ["~20p", "~40.5p", "~1p", "~120p", "~lp", "~0p"]];
term_format(limits, T) -> flat(io_lib:format("~p ~w", [T, T], [{chars_limit, 30}]));
term_format(record, T) -> flat(io_lib_pretty:print({point, T, 2}, fun(point, 2) -> [x, y]; (_, _) -> no end)).
