%% The module binary, the conversions of binaries, and base64.
-module(diff_binary).
-export([main/0, main/2]).
-import(diff_support, [rnd/1, range/2, pick/1, chance/1, list/2, small_integer/0, wrong/0, bitstring/0, string/0, integer/0]).

main() -> main(1, 4000).

main(Seed, Count) -> diff_support:run(Seed, Count, fun test/0).

%% Few letters, so that searches find something.
text() -> list_to_binary(list(25, fun() -> pick("aaabbc,;") end)).

any_binary() ->
    case rnd(20) of
        0 -> wrong();
        1 -> bitstring();
        N when N < 6 -> diff_support:binary();
        _ -> text()
    end.

pattern() ->
    case rnd(16) of
        0 -> [text(), text()];
        1 -> [<<"a">>, <<"ab">>, <<"abc">>, <<",">>];
        4 -> [<<"b">>, <<"aab">>, <<",a">>, <<";;">>, <<"aa">>];
        2 -> wrong();
        3 -> <<>>;
        _ -> list_to_binary([pick("abc,;") || _ <- lists:seq(1, range(1, 3))])
    end.

position() -> pick([range(0, 12), range(0, 5), range(0, 25), small_integer(), wrong()]).

part() -> pick([{range(0, 8), range(0, 6)}, {range(6, 12), range(-6, 0)}, {range(-2, 20), range(-5, 10)}]).

scope() -> [{scope, part()}].

test() ->
    case rnd(10) of
        0 ->
            {F, A} = pick([{at, [any_binary(), position()]}, {first, [any_binary()]}, {last, [any_binary()]},
                           {bin_to_list, [any_binary()]}, {bin_to_list, [any_binary(), part()]},
                           {bin_to_list, [any_binary(), position(), position()]},
                           {list_to_bin, [list(6, fun() -> pick([rnd(256), "ab", <<"x">>, [1, [2]]]) end)]},
                           {copy, [any_binary()]}, {copy, [any_binary(), pick([0, 1, 3, -1, a])]}]),
            {binary, F, A};
        1 ->
            {F, A} = pick([{part, [any_binary(), part()]}, {part, [any_binary(), position(), position()]},
                           {decode_unsigned, [any_binary()]}, {decode_unsigned, [any_binary(), pick([big, little, middle])]},
                           {encode_unsigned, [pick([integer(), abs(integer())])]},
                           {encode_unsigned, [abs(integer()), pick([big, little])]},
                           {encode_hex, [any_binary()]}, {decode_hex, [pick([<<"00ffAb">>, <<"abc">>, <<"zz">>, any_binary()])]},
                           {longest_common_prefix, [[text(), text()]]}, {longest_common_suffix, [[text(), text(), text()]]},
                           {longest_common_prefix, [[]]}]),
            {binary, F, A};
        2 -> {binary, pick([match, matches]), [any_binary(), pattern()]};
        3 -> {binary, pick([match, matches]), [any_binary(), pattern(), pick([scope(), [], [bad]])]};
        4 -> {binary, split, [any_binary(), pattern()]};
        5 -> {binary, split, [any_binary(), pattern(),
                              pick([[global], [trim], [trim_all, global], [global, trim], scope(), [global | scope()], [bad]])]};
        6 -> {binary, replace, [any_binary(), pattern(), pick([<<"X">>, <<>>, text()])]};
        7 -> {binary, replace, [any_binary(), pattern(), pick([<<"[]">>, <<"XYZ">>]),
                                pick([[global], [], [{insert_replaced, 1}], [global, {insert_replaced, 1}],
                                      [global, {insert_replaced, [1, 1]}], scope(), [bad]])]};
        8 ->
            {F, A} = pick([{binary_to_list, [any_binary()]}, {binary_to_list, [any_binary(), position(), position()]},
                           {split_binary, [any_binary(), position()]}, {byte_size, [any_binary()]}, {bit_size, [any_binary()]},
                           {binary_part, [any_binary(), part()]}, {binary_part, [any_binary(), position(), position()]},
                           {bitstring_to_list, [any_binary()]}, {is_binary, [any_binary()]}, {is_bitstring, [any_binary()]},
                           {size, [any_binary()]}, {list_to_binary, [iolist(3)]}, {iolist_to_binary, [iolist(3)]}, {iolist_size, [iolist(3)]},
                           {list_to_bitstring, [[any_binary(), iolist(2)]]}, {iolist_to_iovec, [iolist(2)]}]),
            {erlang, F, A};
        9 ->
            {F, A} = pick([{encode, [any_binary()]}, {encode, [string()]}, {encode_to_string, [any_binary()]},
                           {decode, [base64:encode(text())]}, {decode, [noisy()]}, {mime_decode, [noisy()]},
                           {decode_to_string, [base64:encode(text())]}, {mime_decode_to_string, [noisy()]}]),
            {base64, F, A}
    end.

noisy() ->
    Text = base64:encode(text()),
    pick([Text, <<Text/binary, "=">>, <<"  ", Text/binary, "\n">>, <<"*", Text/binary>>, binary_to_list(Text), <<"a">>, <<"ab">>, <<"abc">>]).

iolist(0) -> pick([rnd(256), text(), string(), wrong()]);
iolist(Depth) ->
    case rnd(5) of
        0 -> iolist(0);
        1 -> [rnd(256) | text()];
        _ -> list(4, fun() -> case rnd(3) of 0 -> rnd(256); 1 -> text(); 2 -> iolist_part(Depth - 1) end end)
    end.

iolist_part(0) -> string();
iolist_part(Depth) -> case iolist(Depth) of L when is_list(L) -> L; B when is_binary(B) -> B; Other -> [Other] end.
