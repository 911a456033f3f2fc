%% The modules string and unicode, with plain and Unicode text, lists, binaries and bad data.
-module(diff_strings).
-export([main/0, main/2]).
-import(diff_support, [rnd/1, range/2, pick/1, chance/1, list/2, small_integer/0, wrong/0, string/0, unicode_string/0]).

main() -> main(1, 2500).

main(Seed, Count) -> diff_support:run(Seed, Count, fun test/0).

few() -> list(15, fun() -> pick("aabbcAB  ,.x") end).

text() ->
    case rnd(25) of
        0 -> wrong();
        N when N < 8 -> few();
        N when N < 12 -> string();
        N when N < 18 -> unicode_string();
        N when N < 21 -> unicode:characters_to_binary(unicode_string());
        N when N < 24 -> [few(), unicode:characters_to_binary(unicode_string()), [few()]];
        _ -> <<"abc", 255, "d">>
    end.

flat() -> pick([few(), few(), string(), unicode_string()]).

short() -> pick([few(), "a", "b", " ", "ab", "", ",", [16#e9], <<"a">>, <<"ab">>]).

direction() -> pick([leading, trailing, both, wrong]).

count() -> pick([0, 1, 2, 3, 5, 8, 20, small_integer(), infinity]).

test() ->
    case rnd(8) of
        0 ->
            {F, A} = pick([{length, [text()]}, {is_empty, [text()]}, {lowercase, [text()]}, {uppercase, [text()]},
                           {titlecase, [text()]}, {casefold, [text()]}, {reverse, [text()]}, {to_graphemes, [text()]},
                           {next_codepoint, [text()]}, {next_grapheme, [text()]}, {trim, [text()]}, {chomp, [text()]}]),
            {string, F, A};
        1 ->
            {F, A} = pick([{equal, [text(), text()]}, {equal, [flat(), flat(), true]}, {equal, [flat(), flat(), true, pick([nfc, nfd, nfkc, none])]},
                           {find, [text(), short()]}, {find, [text(), short(), direction()]},
                           {prefix, [text(), short()]}, {split, [text(), short()]},
                           {split, [text(), short(), pick([leading, trailing, all])]},
                           {replace, [text(), short(), "X"]}, {replace, [text(), short(), <<"XY">>, pick([leading, trailing, all])]}]),
            {string, F, A};
        2 ->
            {F, A} = pick([{slice, [text(), count()]}, {slice, [text(), count(), count()]}, {pad, [text(), count()]},
                           {pad, [text(), count(), direction()]}, {pad, [text(), count(), direction(), $*]},
                           {trim, [text(), direction()]}, {trim, [text(), direction(), "ab "]},
                           {take, [text(), "ab"]}, {take, [text(), "ab", true]}, {take, [text(), "ab ", false, direction()]},
                           {lexemes, [text(), ", "]}, {nth_lexeme, [text(), count(), " ,"]},
                           {jaro_similarity, [flat(), flat()]}]),
            {string, F, A};
        3 ->
            {F, A} = pick([{chr, [few(), $a]}, {rchr, [few(), $b]}, {str, [few(), short()]}, {rstr, [few(), short()]},
                           {span, [few(), "ab"]}, {cspan, [few(), ","]}, {substr, [few(), range(1, 5)]},
                           {substr, [few(), range(0, 5), range(0, 6)]}, {tokens, [few(), " ,"]}, {chars, [$x, range(0, 9)]},
                           {chars, [$x, 3, "tail"]}, {copies, [few(), 3]}, {words, [few()]}, {words, [few(), $,]},
                           {strip, [few()]}, {strip, [few(), left]}, {strip, [few(), both, $a]}, {left, [few(), 8]},
                           {right, [few(), 8, $.]}, {centre, [few(), 9]}, {sub_word, [few(), 2]}, {sub_string, [few(), 2]},
                           {to_upper, [few()]}, {to_lower, [few()]}, {join, [[few(), few()], ", "]}, {concat, [few(), few()]}]),
            {string, F, A};
        4 ->
            {F, A} = pick([{characters_to_list, [text()]}, {characters_to_binary, [text()]},
                           {characters_to_list, [text(), encoding()]}, {characters_to_binary, [text(), encoding()]},
                           {characters_to_binary, [text(), encoding(), encoding()]}]),
            {unicode, F, A};
        5 ->
            {F, A} = pick([{characters_to_nfc_list, [text()]}, {characters_to_nfd_list, [text()]}, {characters_to_nfkc_list, [text()]},
                           {characters_to_nfkd_list, [text()]}, {characters_to_nfc_binary, [text()]},
                           {characters_to_nfkd_binary, [text()]}]),
            {unicode, F, A};
        6 ->
            T = unicode_string(), E = encoding(),
            {{recode, T, E}, fun() ->
                                     B = unicode:characters_to_binary(T, unicode, E),
                                     {B, unicode:characters_to_list(B, E), unicode:bom_to_encoding(<<16#fe, 16#ff, 1>>),
                                      unicode:encoding_to_bom(E)}
                             end};
        7 ->
            {F, A} = pick([{characters_to_list, [[damaged(), few()]]}, {characters_to_binary, [damaged()]},
                           {characters_to_list, [damaged(), encoding()]}, {characters_to_binary, [[few() | damaged()], utf8, encoding()]}]),
            {unicode, F, A}
    end.

encoding() -> pick([latin1, unicode, utf8, utf16, {utf16, little}, {utf16, big}, utf32, {utf32, little}, bad]).

%% UTF-8 that is cut off or wrong in one byte.
damaged() ->
    B = unicode:characters_to_binary(unicode_string()),
    case {rnd(3), byte_size(B)} of
        {_, 0} -> <<195>>;
        {0, N} -> binary:part(B, 0, N - 1);
        {1, N} -> K = rnd(N), <<H:K/binary, _, T/binary>> = B, <<H/binary, (rnd(256)), T/binary>>;
        {2, _} -> <<B/binary, (pick([16#e2, 16#c0, 16#f5, 16#80])), 16#82>>
    end.
