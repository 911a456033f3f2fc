%% Bit syntax: building and matching segments of every type, size, unit, endianness and sign, and comprehensions.
-module(diff_bits).
-export([main/0, main/2]).
-import(diff_support, [rnd/1, range/2, pick/1, chance/1, list/2, integer/0, float/0, small_integer/0, wrong/0, binary/0,
                       bitstring/0]).

main() -> main(1, 4000).

main(Seed, Count) -> diff_support:run(Seed, Count, fun test/0).

size() ->
    case rnd(20) of
        0 -> wrong();
        1 -> -range(1, 5);
        2 -> range(100, 300);
        _ -> range(0, 70)
    end.

value() ->
    case rnd(20) of
        0 -> wrong();
        1 -> float();
        _ -> integer()
    end.

any_bits() ->
    case rnd(15) of
        0 -> wrong();
        N when N < 6 -> bitstring();
        N when N < 8 -> float_bits();
        N when N < 10 -> unicode:characters_to_binary(diff_support:unicode_string());
        _ -> binary()
    end.

float_bits() ->
    F = float(),
    pick([<<F/float>>, <<F/float-little>>, <<1:3, F/float, 7>>]).

test() ->
    case rnd(10) of
        0 ->
            Kind = pick(build_kinds()), V = value(), W = value(), N = size(),
            {{build, Kind, V, W, N}, fun() -> build(Kind, V, W, N) end};
        1 ->
            Kind = pick(float_kinds()), V = pick([float(), integer(), wrong()]), N = pick([16, 32, 64, 64, 0, 8, 33]),
            {{float, Kind, V, N}, fun() -> build_float(Kind, V, N) end};
        2 ->
            Kind = pick(binary_kinds()), B = any_bits(), N = size(),
            {{binary, Kind, B, N}, fun() -> build_binary(Kind, B, N) end};
        3 ->
            Kind = pick([utf8, utf16, utf16l, utf32, utf32l]), C = code_point(),
            {{Kind, C}, fun() -> build_utf(Kind, C) end};
        4 ->
            B = any_bits(), N = size(), Kind = pick(match_kinds()),
            {{match, Kind, B, N}, fun() -> match(Kind, B, N) end};
        5 ->
            B = any_bits(), N = pick([0, 1, 2, 3, 4, 8, 16]), Kind = pick([rest, bytes, bits, tail_unit, left, skip, literal, signed, string]),
            {{match2, Kind, B, N}, fun() -> match2(Kind, B, N) end};
        6 ->
            B = any_bits(), Kind = pick([utf8, utf16, utf16l, utf32, utf32l]),
            {{decode, Kind, B}, fun() -> decode(Kind, B, []) end};
        7 ->
            B = any_bits(), Kind = pick([bytes, nibbles, threes, filter, pairs, from_list, nested, floats]),
            {{comprehension, Kind, B}, fun() -> comprehension(Kind, B) end};
        8 ->
            Parts = list(12, fun() -> pick([binary(), bitstring(), small_integer()]) end),
            {{append, Parts}, fun() -> append(Parts, <<>>) end};
        9 ->
            V = integer(), N = range(1, 130),
            {{round_trip, V, N}, fun() ->
                                         <<A:N/signed>> = <<V:N>>,
                                         <<B:N/unsigned-little>> = <<V:N/little>>,
                                         <<C:N/signed-little>> = <<V:N/little>>,
                                         <<D:N>> = <<V:N>>,
                                         {A, B, C, D, A =:= C, B =:= D}
                                 end}
    end.

build_kinds() -> [plain, little, signed, native, unit8, unit3, two, odd, bytes16, mixed, string].

build(plain, V, _, N) -> <<V:N>>;
build(little, V, _, N) -> <<V:N/little>>;
build(signed, V, _, N) -> <<V:N/signed>>;
build(native, V, _, N) -> <<V:N/native>>;
build(unit8, V, _, N) -> <<V:N/unit:8>>;
build(unit3, V, _, N) -> <<V:N/little-unit:3>>;
build(two, V, W, N) -> <<V:N, W:N/little>>;
build(odd, V, W, N) -> <<1:1, V:N/little, W:7, 0:2>>;
build(bytes16, V, W, _) -> <<V:16, W:16/little, V:32, W:64/little, V:13/little, W:24>>;
build(mixed, V, W, N) -> <<V, (<<W:N>>)/bitstring, V:4>>;
build(string, V, _, N) -> <<"head", V:N, "tail":16/little>>.

float_kinds() -> [plain, little, native, after_bit].

build_float(plain, V, N) -> <<V:N/float>>;
build_float(little, V, N) -> <<V:N/float-little>>;
build_float(native, V, N) -> <<V:N/float-native>>;
build_float(after_bit, V, N) -> <<1:1, V:N/float, 0:7>>.

binary_kinds() -> [whole, sized, bits, sized_bits, unit4, twice, after_bit].

build_binary(whole, B, _) -> <<B/binary>>;
build_binary(sized, B, N) -> <<B:N/binary>>;
build_binary(bits, B, _) -> <<B/bitstring>>;
build_binary(sized_bits, B, N) -> <<B:N/bitstring>>;
build_binary(unit4, B, N) -> <<B:N/binary-unit:4>>;
build_binary(twice, B, _) -> <<B/bitstring, B/bitstring>>;
build_binary(after_bit, B, _) -> <<1:1, B/binary, 3:2>>.

code_point() ->
    case rnd(8) of
        0 -> pick([16#d800, 16#dfff, 16#110000, -1, a, 1.0, 16#ffff, 16#10ffff, 16#fffe, 0, 127, 128, 2047, 2048, 65535, 65536]);
        N when N < 4 -> range(0, 255);
        N when N < 6 -> range(256, 70000);
        _ -> range(70000, 16#10ffff)
    end.

build_utf(utf8, C) -> <<C/utf8>>;
build_utf(utf16, C) -> <<C/utf16>>;
build_utf(utf16l, C) -> <<1:1, C/utf16-little>>;
build_utf(utf32, C) -> <<C/utf32>>;
build_utf(utf32l, C) -> <<C/utf32-little>>.

match_kinds() -> [plain, little, signed, signed_little, float, float_little, two, sized_by_head, unit, odd, equal].

match(plain, B, N) -> case B of <<V:N, R/bitstring>> -> {V, R}; _ -> no end;
match(little, B, N) -> case B of <<V:N/little, R/bitstring>> -> {V, R}; _ -> no end;
match(signed, B, N) -> case B of <<V:N/signed, R/bits>> -> {V, R}; _ -> no end;
match(signed_little, B, N) -> case B of <<_:3, V:N/signed-little, R/bits>> -> {V, R}; _ -> no end;
match(float, B, _) -> case B of <<V/float, R/bits>> -> {V, R}; <<V:32/float, R/bits>> -> {single, V, R}; _ -> no end;
match(float_little, B, N) -> case B of <<V:N/float-little, R/bits>> -> {V, R}; _ -> no end;
match(two, B, N) -> case B of <<V:N, W:N/little, R/bits>> -> {V, W, R}; <<V:N, R/bits>> -> {V, R}; _ -> no end;
match(sized_by_head, B, _) -> case B of <<L:4, V:L/bits, W:L, R/bits>> -> {L, V, W, R}; <<L, R/binary>> -> {L, R}; _ -> no end;
match(unit, B, N) -> case B of <<V:N/unit:3, R/bits>> -> {V, R}; _ -> no end;
match(odd, B, _) -> case B of <<1:1, V:17/little-signed, R/bits>> -> {one, V, R}; <<0:1, V:9, R/bits>> -> {zero, V, R}; _ -> no end;
match(equal, B, N) -> case B of <<V:8, V:8, R/bits>> -> {same, V, R}; <<N:8, R/bits>> -> {n, R}; _ -> no end.

match2(rest, B, N) -> case B of <<A:N/binary, R/binary>> -> {A, R}; _ -> no end;
match2(bytes, B, _) -> case B of <<A, C, R/binary>> when A > C -> {more, A, C, R}; <<A, _, _/binary>> -> {A}; <<>> -> empty; _ -> no end;
match2(bits, B, N) -> case B of <<A:N/bits, R/bits>> -> {A, R, bit_size(A), byte_size(R)}; _ -> no end;
match2(tail_unit, B, _) -> case B of <<_:8, R/binary-unit:16>> -> {even, R}; <<_:8, R/binary-unit:8>> -> {odd, R}; _ -> no end;
match2(skip, B, N) -> case B of <<_:N/binary, 0:1, R/bits>> -> {zero, R}; <<_:N, R/bits>> -> {one, R}; _ -> no end;
match2(left, B, N) -> case B of
                          <<_:N/bits, R/bits>> when byte_size(R) > 2, bit_size(R) rem 3 > 0 -> {left, byte_size(R), bit_size(R), R};
                          <<_:3, R/bits>> when bit_size(R) < 20 -> {few, bit_size(R)};
                          <<_:N, R/bits>> -> {byte_size(R), byte_size(B)};
                          _ -> no
                      end;
match2(literal, B, _) -> case B of <<"abc", R/bits>> -> R; <<16#80:8, _/bits>> -> high; <<0:4, R/bits>> -> {low, R}; _ -> no end;
match2(signed, B, _) -> case B of <<A/signed, C:16/signed-little, D:24/signed, R/bits>> -> {A, C, D, R}; <<A:5/signed, R/bits>> -> {A, R}; _ -> no end;
match2(string, B, _) -> loop(B, 0, []).

loop(<<C, R/binary>>, N, Acc) when C >= 128 -> loop(R, N + 1, [C | Acc]);
loop(<<C:8, R/bits>>, N, Acc) -> loop(R, N + C, Acc);
loop(<<R/bits>>, N, Acc) -> {N, Acc, R}.

decode(utf8, <<C/utf8, R/bits>>, Acc) -> decode(utf8, R, [C | Acc]);
decode(utf16, <<C/utf16, R/bits>>, Acc) -> decode(utf16, R, [C | Acc]);
decode(utf16l, <<C/utf16-little, R/bits>>, Acc) -> decode(utf16l, R, [C | Acc]);
decode(utf32, <<C/utf32, R/bits>>, Acc) -> decode(utf32, R, [C | Acc]);
decode(utf32l, <<C/utf32-little, R/bits>>, Acc) -> decode(utf32l, R, [C | Acc]);
decode(utf8, <<_/utf8>>, Acc) -> {never, Acc};
decode(_, Rest, Acc) -> {lists:reverse(Acc), Rest}.

comprehension(bytes, B) -> [X || <<X>> <= B];
comprehension(nibbles, B) -> << <<X:4>> || <<X:8>> <= B >>;
comprehension(threes, B) -> [X || <<X:3>> <= B];
comprehension(filter, B) -> << <<(X + 1)>> || <<X>> <= B, X rem 2 =:= 0 >>;
comprehension(pairs, B) -> [{X, Y} || <<X:5, Y:3/signed>> <= B, X > 3];
comprehension(from_list, B) -> << <<X:N/little>> || {X, N} <- [{1, 3}, {257, 16}, {-1, 9}], is_bitstring(B) >>;
comprehension(nested, B) -> [{X, Y} || <<X:2, _:6>> <= B, Y <- lists:seq(1, X)];
comprehension(floats, B) -> [X || <<X/float>> <= B].

append([], Acc) -> Acc;
append([N | Rest], Acc) when is_integer(N) -> append(Rest, <<Acc/bitstring, N:11>>);
append([B | Rest], Acc) -> append(Rest, <<Acc/bitstring, B/bitstring>>).
