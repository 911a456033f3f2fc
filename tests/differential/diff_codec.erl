%% Hashes, checksums and the external term format, byte for byte.
-module(diff_codec).
-export([main/0, main/2]).
-import(diff_support, [rnd/1, range/2, pick/1, chance/1, list/2, integer/0, float/0, wrong/0, binary/0, term/0, term/1, map/0,
                       string/0, unicode_string/0, bitstring/0]).

main() -> main(1, 4000).

main(Seed, Count) -> diff_support:run(Seed, Count, fun test/0).

any_term() -> portable(a_term()).

%% The bytes of a map have the order of its keys, which is that of the emulator's indices for atoms since OTP 26: one atom at most.
portable(M) when is_map(M) ->
    Atoms = lists:sort([K || K <- maps:keys(M), is_atom(K)]),
    maps:map(fun(_, V) -> portable(V) end, maps:without(lists:nthtail(min(1, length(Atoms)), Atoms), M));
portable([H | T]) -> [portable(H) | portable(T)];
portable(T) when is_tuple(T) -> list_to_tuple(portable(tuple_to_list(T)));
portable(T) -> T.

a_term() -> pick([term(), term(), term(2), integer(), float(), map(), string(), bitstring(), {a, [b | c]}]).

test() ->
    case rnd(9) of
        0 -> {erlang, phash2, [any_term()]};
        1 -> {erlang, phash2, [any_term(), pick([1, 2, 10, 1000, 1 bsl 27, 1 bsl 32, range(1, 100000), wrong()])]};
        2 -> {erlang, phash, [any_term(), pick([1, 100, 1 bsl 27, 1 bsl 32, range(1, 100000), wrong()])]};
        3 ->
            {F, A} = pick([{crc32, [data()]}, {crc32, [range(0, 1 bsl 24), data()]}, {adler32, [data()]}, {adler32, [range(0, 1 bsl 24), data()]},
                           {crc32_combine, [range(0, 1 bsl 24), range(0, 1 bsl 24), range(0, 1000)]},
                           {adler32_combine, [range(1, 60000), range(1, 60000), range(0, 1000)]}, {md5, [data()]}]),
            {erlang, F, A};
        4 ->
            T = any_term(), Options = pick([[], [{minor_version, 1}], [{minor_version, 2}], [{minor_version, 0}], [deterministic], [bad]]),
            {{encode, T, Options}, fun() -> hex(term_to_binary(T, tl([x | Options]))) end};
        5 ->
            T = any_term(),
            {{round_trip, T}, fun() ->
                                      B = term_to_binary(T),
                                      {binary_to_term(B) =:= T, binary_to_term(B, [used]), byte_size(B), erlang:external_size(T)}
                              end};
        6 ->
            B = damage(term_to_binary(any_term())),
            {{decode, B}, fun() -> binary_to_term(B) end};
        7 ->
            Parts = [good_data(), good_data(), good_data()],
            {{incremental, Parts}, fun() ->
                                           Context = lists:foldl(fun(P, C) -> erlang:md5_update(C, P) end, erlang:md5_init(), Parts),
                                           {hex(erlang:md5_final(Context)), hex(erlang:md5(Parts)),
                                            lists:foldl(fun(P, C) -> erlang:crc32(C, P) end, 0, Parts), erlang:crc32(Parts)}
                                   end};
        8 ->
            B = pick(handmade()),
            {{handmade, B}, fun() -> {binary_to_term(B), try binary_to_term(B, [safe]) catch error:E -> E end} end}
    end.

%% The context of md5_update/2 holds unused memory, which the arguments of an error would show.
good_data() -> pick([binary(), [binary(), 1, "ab", [binary()]], string()]).

data() -> pick([binary(), [binary(), 1, "ab", [binary()]], string(), wrong(), <<>>]).

hex(B) -> [io_lib:format("~2.16.0b", [X]) || <<X>> <= B].

damage(B) ->
    N = byte_size(B), K = rnd(N),
    case rnd(5) of
        0 -> binary:part(B, 0, K);
        1 -> <<H:K/binary, _, T/binary>> = B, <<H/binary, (rnd(256)), T/binary>>;
        2 -> <<B/binary, 1>>;
        _ -> B
    end.

%% Old and unusual tags.
handmade() ->
    [<<131, 97, 7>>, <<131, 98, 255, 255, 255, 254>>, <<131, 99, "1.50000000000000000000e+00", 0, 0, 0, 0, 0>>, <<131, 70, 63, 248, 0:48>>,
     <<131, 100, 0, 2, "ok">>, <<131, 115, 2, "ok">>, <<131, 118, 0, 2, "ok">>, <<131, 119, 2, "ok">>, <<131, 104, 2, 97, 1, 97, 2>>,
     <<131, 105, 0, 0, 0, 1, 97, 1>>, <<131, 106>>, <<131, 107, 0, 3, "abc">>, <<131, 108, 0, 0, 0, 1, 97, 1, 106>>,
     <<131, 108, 0, 0, 0, 1, 97, 1, 97, 2>>, <<131, 109, 0, 0, 0, 1, 65>>, <<131, 77, 0, 0, 0, 1, 3, 160>>, <<131, 110, 1, 1, 5>>,
     <<131, 110, 8, 0, 0, 0, 0, 0, 0, 0, 0, 128>>, <<131, 110, 3, 0, 1, 0, 0>>, <<131, 111, 0, 0, 0, 2, 1, 1, 1>>,
     <<131, 116, 0, 0, 0, 1, 97, 1, 97, 2>>, <<131, 116, 0, 0, 0, 2, 97, 1, 97, 2, 97, 1, 97, 3>>, <<131, 70, 127, 240, 0:48>>,
     <<131, 70, 128, 0, 0:48>>, <<131>>, <<>>, <<130, 97, 1>>, <<131, 80, 0, 0, 0, 2, 120, 156, 75, 100, 2, 0, 0, 196, 0, 99>>, <<131, 255>>,
     <<131, 119, 4, 195, 169, 195, 169>>, <<131, 119, 1, 195>>, <<131, 107, 255, 255>>].
