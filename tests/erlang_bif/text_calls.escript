#!/usr/bin/env escript
%% Calls built-ins of binaries, unicode and re on random arguments and writes what came out, for text_calls.h.
%% Usage: text_calls.escript FAMILY SEED COUNT FILE
%%
%% A record is its size in four bytes, and term_to_binary({Module, Function, Arguments, {ok | error, Term}}).
%% Two functions are not built-ins, because compiled patterns look different in every machine:
%% binary:via_pattern(Function, [Subject, Pattern, Options...]) and re:via_compile(Subject, Pattern, Options,
%% RunOptions).
-mode(compile).

main([Family, Seed, Count, File]) ->
    logger:set_primary_config(level, none),
    rand:seed(exsss, list_to_integer(Seed)),
    Make = case Family of
               "binary" -> fun binary_call/0;
               "unicode" -> fun unicode_call/0;
               "re" -> fun re_call/0
           end,
    ok = file:write_file(File, [record(Make()) || _ <- lists:seq(1, list_to_integer(Count))]).

record({M, F, A}) ->
    Term = term_to_binary({M, F, A, outcome(M, F, A)}),
    [<<(byte_size(Term)):32>>, Term].

outcome(M, F, A) ->
    Evaluate = fun() -> try {ok, call(M, F, A)} catch error:Reason -> {error, Reason} end end,
    case M of
        re ->  % an internal error of re ends a process, whatever it catches
            {_, Monitor} = spawn_monitor(fun() -> exit({outcome, Evaluate()}) end),
            receive
                {'DOWN', Monitor, _, _, {outcome, Outcome}} -> Outcome;
                {'DOWN', Monitor, _, _, {internal_error, _}} -> {error, internal_error}
            end;
        _ -> Evaluate()
    end.

call(binary, via_pattern, [F, [Subject, Pattern | Rest]]) ->
    apply(binary, F, [Subject, binary:compile_pattern(Pattern) | Rest]);
call(re, via_compile, [Subject, Pattern, Options, RunOptions]) ->
    case re:compile(Pattern, Options) of
        {ok, Compiled} ->
            {re_pattern, Groups, IsUnicode, UsesCrlf, _} = Compiled,
            {Groups, IsUnicode, UsesCrlf, re:inspect(Compiled, namelist), re:run(Subject, Compiled, RunOptions)};
        Error -> Error
    end;
call(M, F, A) -> apply(M, F, A).

pick(L) -> lists:nth(rand:uniform(length(L)), L).
below(N) -> rand:uniform(N) - 1.
chance(A, B) -> below(B) < A.
some(Max, F) -> [F() || _ <- lists:seq(1, below(Max + 1))].

wrong() -> pick([foo, -1, 1.5, {1, 2}, [], <<1:3>>, {}, 1 bsl 70, [a], [256], #{}]).
arg(F) -> case chance(1, 25) of true -> wrong(); false -> F() end.

%% ---- binary

bytes() -> bytes(12).
bytes(Max) -> list_to_binary(some(Max, fun() -> pick([$a, $b, $c, 0, 255]) end)).
bits() -> B = bytes(), Rest = below(8), <<B/binary, (below(256)):Rest>>.
bytes_or_bits() -> case chance(1, 4) of true -> bits(); false -> bytes() end.
position() -> pick([0, 1, 2, 3, 4, 5, 8, 12, -1, -2, -5]).
pattern() -> pick([bytes(3), [bytes(3) || _ <- [1, 2, 3]], [<<"ab">>], [<<"a">>, <<"abc">>, <<"b">>], <<"a">>]).
scope() -> {scope, {position(), position()}}.
iodata() -> iodata(3).
iodata(0) -> bytes(30);
iodata(Depth) ->
    Elements = some(5, fun() -> pick([below(256), bytes(300), iodata(Depth - 1), bytes()]) end),
    case Elements =/= [] andalso chance(1, 4) of
        true -> Elements ++ bytes();
        false -> Elements
    end.
bit_list() -> some(5, fun() -> pick([below(256), bits(), bytes(), [bits(), 7 | bits()]]) end).
endian() -> pick([big, little, native]).

binary_call() ->
    B = fun() -> arg(fun bytes_or_bits/0) end,
    P = fun() -> arg(fun position/0) end,
    case below(22) of
        0 -> {binary, at, [B(), P()]};
        1 -> {binary, pick([first, last, referenced_byte_size, copy]), [arg(fun bytes/0)]};
        2 -> {binary, copy, [B(), pick([0, 1, 2, 5, wrong()])]};
        3 -> pick([{binary, decode_unsigned, [B()]}, {binary, decode_unsigned, [B(), endian()]}]);
        4 -> I = pick([below(300), below(1 bsl 62), below(1 bsl 64), below(1 bsl 200), wrong()]),
             pick([{binary, encode_unsigned, [I]}, {binary, encode_unsigned, [I, endian()]}]);
        5 -> {binary, pick([longest_common_prefix, longest_common_suffix]),
              [arg(fun() -> some(3, fun() -> X = bytes(), pick([<<"ab", X/binary>>, <<X/binary, "ab">>, B()]) end) end)]};
        6 -> {M, F} = pick([{binary, part}, {erlang, binary_part}]),
             {M, F, pick([[B(), P(), P()], [B(), arg(fun() -> {P(), P()} end)]])};
        7 -> {binary, pick([match, matches, split]), [B(), arg(fun pattern/0)]};
        8 -> {binary, pick([match, matches]), [B(), arg(fun pattern/0), arg(fun() -> some(2, fun scope/0) end)]};
        9 -> {binary, split, [B(), arg(fun pattern/0),
                              arg(fun() -> some(3, fun() -> pick([global, trim, trim_all, scope()]) end) end)]};
        10 -> {binary, via_pattern, [pick([match, matches, split]), [B(), arg(fun pattern/0)]]};
        11 -> {binary, split, [bytes(40), pattern(), pick([[global], [global, trim], [global, trim_all], [trim_all], [trim]])]};
        12 -> {erlang, binary_to_list, [B()]};
        13 -> {erlang, binary_to_list, [B(), P(), P()]};
        14 -> {erlang, bitstring_to_list, [B()]};
        15 -> {erlang, split_binary, [B(), P()]};
        16 -> {erlang, pick([byte_size, bit_size, size]), [pick([bits(), bytes(), {}, {1, 2}, wrong()])]};
        17 -> {erlang, pick([iolist_size, iolist_to_binary, list_to_binary]), [arg(fun iodata/0)]};
        18 -> {erlang, pick([iolist_size, iolist_to_binary, list_to_binary, list_to_bitstring]), [arg(fun bit_list/0)]};
        19 -> {erlang, iolist_to_iovec, [arg(fun iodata/0)]};
        20 -> {binary, list_to_bin, [arg(fun iodata/0)]};
        21 -> {erlang, iolist_to_iovec, [some(20, fun() -> pick([bytes(20), bytes(700), bytes(300), binary:copy(<<7>>, below(3000)), 3]) end)]}
    end.

%% ---- unicode

code_point() -> pick([below(128), below(256), below(16#800), below(16#10000), below(16#110000), below(16#120000)]).
utf8() -> unicode:characters_to_binary(some(4, fun() -> pick([$a, 16#E9, 16#20AC, 16#1F600]) end)).
fragment() ->
    B = utf8(),
    case below(4) of
        0 -> binary:part(B, 0, below(byte_size(B) + 1));
        1 -> N = below(byte_size(B) + 1), binary:part(B, N, byte_size(B) - N);
        2 -> B;
        3 -> pick([B, <<(below(256))>>, <<(below(256)), (below(256))>>, <<B/binary, (below(256))>>, <<1:3>>])
    end.
split_character() ->
    B = unicode:characters_to_binary([pick([16#E9, 16#20AC, 16#1F600])]),
    N = below(byte_size(B)),
    {X, Y} = split_binary(B, N),
    pick([[X, Y], [X, [Y]], [[X], [[], Y | <<"x">>]], [X | Y], [X, <<>>, Y, $a], [X, $a, Y], [X, [[binary:first(Y)]]]]).
chardata(0) -> fragment();
chardata(Depth) ->
    Elements = some(4, fun() ->
                               case below(8) of
                                   0 -> chardata(Depth - 1);
                                   1 -> fragment();
                                   2 -> split_character();
                                   3 -> pick([code_point(), wrong()]);
                                   4 -> [];
                                   _ -> pick([$a, 16#E9, 16#20AC, utf8()])
                               end
                       end),
    case Elements =/= [] andalso chance(1, 5) of
        true -> Elements ++ pick([fragment(), utf8(), $a]);
        false -> Elements
    end.

unicode_call() ->
    Data = case below(6) of 0 -> fragment(); 1 -> wrong(); 2 -> split_character(); _ -> chardata(3) end,
    case below(10) of
        0 -> {unicode, bin_is_7bit, [Data]};
        N -> {unicode, pick([characters_to_binary, characters_to_list]),
              [Data, case N of 1 -> latin1; _ -> pick([unicode, utf8, latin1, unicode]) end]}
    end.

%% ---- re

expression() ->
    pick(["a", "b+", "(a)(b)?(c)", "(?<first>a)|(?<second>b)", "^a", "c$", "\\w+", "\\d+", "[[:alpha:]]+", "[[:punct:]]",
          "(?i)A(B)", ".", ".*", "a.c", "\\s", "(?<n>a)|(?<n>b)", "(a|ab)(c|bcd)(d*)", "x*", "(?=a)", "\\bab\\b", "(a)|(b)|(c)",
          "\\R", "a\nb", "(?m)^b", "[^a]", "(", "a)", "[a", "*a", "(?<1>a)", "\\", "a{2}", "a{2,1}", "(?:ab)+?", "(a+)+$", "",
          [226, 130, 172], <<"[[:upper:]]">>, <<"\\x{20ac}">>, <<"(*UTF8)a">>, <<"\\p{Lu}">>, "(*CRLF)^b", "\\Ka", "a\\Kb",
          <<195, 169>>, "(a)\\1",  "[[:^space:]]+", "\\N", "\\C", "(?<a>.)(?<b>.)", [$a, 0, $b], wrong()]).
%% Patterns put together of parts, most of them wrong: what is told of these, too.
parts() -> lists:append(some(4, fun() -> pick(part_list()) end)).
part_list() ->
    ["a", "b", "1", "A", "^", "$", ".", "|", "(", ")", "(", ")", "[", "]", "*", "+", "?", "{2}", "{,2}", "{2,1}", "{", "\\d", "\\b", "\\Q", "\\E",
     "\\1", "\\8", "\\10", "\\07", "\\400", "\\x41", "\\x{41}", "\\x{", "\\x{100}", "\\o{101}", "\\c", "\\cA", "\\j", "\\i", "\\u", "\\p{L}",
     "\\pN", "\\P{^Lu}", "\\p{Greek}", "\\p{Foo}", "\\", "(?:", "(?=", "(?!", "(?>", "(?|", "(?i)", "(?i:", "(?x)", "(?J)", "(?X)", "(?n)", "(?z)",
     "(?", "(?#c)", "(?C1)",  "(?1)", "(?-1)", "(?+1)", "(?&n)", "(?P>n)", "(?P=n)", "\\k<n>", "\\k", "\\g1", "\\g{-1}", "\\g<1>", "(?<n>",
     "(?P<n>", "(?'n'", "(?<1>", "(?<", "(?P", "(?(1)", "(?(n)", "(?(R)", "(?(DEFINE)", "(?(", "(*FAIL)", "(*ACCEPT:x)", "(*FOO)", "(*", "(*pla:",
     "[:alpha:]", "[[:upper:]]", "[[:foo:]]", "[.a.]", "[[:<:]]", "[a-\\d]", "[\\d-a]", "[\\B]", "[\\N]", "[c-a]", "[]a]", "#", "(a|ab)(?1)*c"].
closed(Pattern) ->
    Open = length([C || C <- Pattern, C =:= $(]) - length([C || C <- Pattern, C =:= $)]),
    Pattern ++ lists:duplicate(max(0, Open), $)).

subject() ->
    pick(["", "a", "b", "ab", "abc", "abcd", "xaby", "aaa", "a\nb", "a\r\nb", "AB", "foo bar", [233, $a], "a1b22", "  ", "aaaaaaaaaaab",
          <<"abc">>, <<>>, <<"a", 233, "b">>, <<"\x{e9}a"/utf8>>, <<"\x{20ac}"/utf8>>, ["a", <<"b">>, [$c | <<"d">>]],
          list_to_binary(some(8, fun() -> pick("abc\n") end)), [16#20AC], wrong()]).
compile_option() ->
    pick([anchored, caseless, dollar_endonly, dotall, extended, firstline, multiline, no_auto_capture, dupnames, ungreedy,
          {newline, pick([cr, crlf, lf, anycrlf, any])}, bsr_anycrlf, bsr_unicode, no_start_optimize, ucp, never_utf]).
run_option() ->
    pick([anchored, notbol, noteol, notempty, notempty_atstart, report_errors, {offset, below(5)}, {offset, 0}, {match_limit, pick([200, 1_000_000])},
          {match_limit_recursion, 1_000_000}, {newline, pick([cr, crlf, lf, anycrlf, any])}, bsr_anycrlf, bsr_unicode,
          {capture, capture()}, {capture, capture(), capture_type()}, {capture, capture(), capture_type()}]).
%% (How much a match takes is counted otherwise by PCRE2 than by PCRE 8: the limits are far from that.)
capture_type() -> pick([index, binary, list, foo]).
capture() ->
    pick([all, all_but_first, all_names, first, none, [], [0], [1, 2, 3], [7], [first, "second", <<"n">>], [n], ["nobody"], [-1], foo, [1 | 2],
          [a, 0, b]]).
wrong_option() -> pick([foo, {offset, -1}, {newline, x}, {capture}, {a, b, c}, {match_limit, a}, 1, {offset, 1 bsl 40}]).
options(F) ->
    case below(20) of
        0 -> wrong();
        1 -> some(2, F) ++ [wrong_option()];
        _ -> some(3, F)
    end.
%% Lists of code points are up to the module re.
re_call() ->
    Subject = subject(),
    Pattern = case below(4) of 0 -> parts(); 1 -> closed(parts()); _ -> expression() end,
    case below(6) of
        0 -> {re, via_compile, [<<>>, pick(["(?R)", "(", "a)", "[a", "*a", "a{2,1}", "(?<1>a)", "\\", "[[:x:]]", "(?z)", "a**", foo, [a]]), options(fun compile_option/0), []]};  % PCRE2 takes some of them
        1 -> {re, run, [Subject, Pattern]};
        2 when is_binary(Subject), is_binary(Pattern) ->
            {re, run, [Subject, Pattern, [unicode, {capture, capture(), pick([index, binary])} | some(2, fun compile_option/0)]]};
        3 -> {re, via_compile, [Subject, Pattern, options(fun compile_option/0), options(fun run_option/0)]};
        _ -> {re, run, [Subject, Pattern,
                        options(fun() -> case chance(1, 2) of true -> compile_option(); false -> run_option() end end)]}
    end.
