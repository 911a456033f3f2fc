%% crypto: hashes, codes, ciphers, right and wrong. Of an error its class and tag count: the rest names lines of OTP's sources in C.
-module(diff_crypto).
-export([main/0, main/2]).
-import(diff_support, [pick/1, rnd/1, range/2, chance/1]).

main() -> main(31, 3000).

main(Seed, Count) ->
    diff_support:run(Seed, Count, fun() -> Case = made(rnd(14)), {element(1, Case), fun() -> plainly(element(2, Case)) end} end).

%% {badarg, {File, Line}, Text} and the like.
plainly(Call) ->
    try Call()
    catch
        error:{Tag, {_File, _Line}, _Text} -> {error, Tag};
        error:Reason -> {error, Reason}
    end.

bytes(Size) -> list_to_binary([rnd(256) || _ <- lists:seq(1, Size)]).
data() -> pick([<<>>, bytes(range(1, 5)), bytes(16), bytes(range(17, 80)), [bytes(3), [bytes(2)], 65]]).
hash() -> pick([sha, sha224, sha256, sha384, sha512, sha3_224, sha3_256, sha3_384, sha3_512, blake2b, blake2s, ripemd160, md5, md4]).
%% Keys of a wrong size; what OTP says of those of the older ciphers, or does with them, depends on its release.
key(Cipher, Size) ->
    case lists:prefix("aes", atom_to_list(Cipher)) of
        true -> bytes(maybe_bad(Size, Size + 1));
        false -> bytes(Size)
    end.
maybe_bad(Good, Bad) -> case chance(6) of true -> Bad; false -> Good end.

ciphers() ->
    [{aes_128_cbc, 16, 16}, {aes_192_cbc, 24, 16}, {aes_256_cbc, 32, 16}, {aes_128_ctr, 16, 16}, {aes_256_ctr, 32, 16},
     {aes_128_cfb8, 16, 16}, {aes_256_cfb128, 32, 16}, {aes_128_ofb, 16, 16}, {aes_128_ecb, 16, 0}, {aes_256_ecb, 32, 0},
     {des_ede3_cbc, 24, 8}, {des_cbc, 8, 8}, {blowfish_cbc, 16, 8}, {chacha20, 32, 16}, {rc4, 16, 0}, {aes_cbc, 16, 16}].
aeads() -> [{aes_128_gcm, 16, 12, 16}, {aes_256_gcm, 32, 12, 16}, {chacha20_poly1305, 32, 12, 16}, {aes_128_ccm, 16, 12, 12}].

options(Encrypt) -> pick([Encrypt, [{encrypt, Encrypt}], [{encrypt, Encrypt}, {padding, pkcs_padding}], [{padding, zero}, {encrypt, Encrypt}],
                          [{padding, none}, {encrypt, Encrypt}]]).

one_time(Cipher, Key, 0, Data, Options) -> crypto:crypto_one_time(Cipher, Key, Data, Options);
one_time(Cipher, Key, IV, Data, Options) -> crypto:crypto_one_time(Cipher, Key, IV, Data, Options).

init(Cipher, Key, 0, Options) -> crypto:crypto_init(Cipher, Key, Options);
init(Cipher, Key, IV, Options) -> crypto:crypto_init(Cipher, Key, IV, Options).

iv(0) -> 0;
iv(Size) -> maybe_bad(bytes(Size), bytes(Size + 1)).

made(0) -> Hash = maybe_bad(hash(), sha7), Data = data(), {{hash, Hash}, fun() -> crypto:hash(Hash, Data) end};
made(1) ->
    Hash = hash(), Parts = [data() || _ <- lists:seq(1, rnd(4))],
    {{hash_in_parts, Hash},
     fun() ->
         State = lists:foldl(fun(Part, Before) -> crypto:hash_update(Before, Part) end, crypto:hash_init(Hash), Parts),
         {crypto:hash_final(State), crypto:hash_final(crypto:hash_update(State, "more")), crypto:hash_final(State)}
     end};
made(2) ->
    Hash = maybe_bad(pick([sha, sha256, sha512, md5, sha3_256]), nothing), Key = data(), Data = data(),
    {{hmac, Hash}, fun() -> {crypto:mac(hmac, Hash, Key, Data), crypto:macN(hmac, Hash, Key, Data, 5)} end};
made(3) ->
    Cipher = maybe_bad(pick([aes_128_cbc, aes_256_cbc, aes_cbc, des_ede3_cbc]), nothing),
    Key = key(Cipher, case Cipher of aes_256_cbc -> 32; des_ede3_cbc -> 24; _ -> 16 end), Data = data(),
    {{cmac, Cipher}, fun() -> crypto:mac(cmac, Cipher, Key, Data) end};
made(4) ->
    Key = bytes(maybe_bad(32, 31)), Data = data(),
    {poly1305, fun() -> crypto:mac(poly1305, Key, Data) end};
made(5) ->
    Parts = [data() || _ <- lists:seq(1, rnd(4))], Key = data(),
    {mac_in_parts,
     fun() ->
         State = crypto:mac_init(hmac, sha256, Key),
         [State = crypto:mac_update(State, Part) || Part <- Parts],
         crypto:mac_final(State)
     end};
made(N) when N =:= 6; N =:= 7 ->
    {Cipher, KeySize, IvSize} = pick(ciphers()),
    Key = key(Cipher, KeySize), IV = iv(IvSize), Data = data(), Options = options(chance(60)),
    {{one_time, Cipher, Options}, fun() -> one_time(Cipher, Key, IV, Data, Options) end};
made(8) ->
    {Cipher, KeySize, IvSize} = pick(ciphers()),
    Key = bytes(KeySize), IV = case IvSize of 0 -> 0; _ -> bytes(IvSize) end, Data = data(),
    {{there_and_back, Cipher},
     fun() ->
         Secret = one_time(Cipher, Key, IV, Data, [{encrypt, true}, {padding, pkcs_padding}]),
         {Secret, one_time(Cipher, Key, IV, Secret, [{encrypt, false}, {padding, pkcs_padding}]) =:= iolist_to_binary(Data)}
     end};
made(9) ->
    {Cipher, KeySize, IvSize} = pick(ciphers()),
    Key = bytes(KeySize), IV = case IvSize of 0 -> 0; _ -> bytes(IvSize) end, Parts = [data() || _ <- lists:seq(1, rnd(4))],
    Padding = pick([none, pkcs_padding, zero]),
    {{in_parts, Cipher, Padding},
     fun() ->
         State = init(Cipher, Key, IV, [{encrypt, true}, {padding, Padding}]),
         {[crypto:crypto_update(State, Part) || Part <- Parts], crypto:crypto_final(State)}
     end};
made(10) ->
    {Cipher, KeySize, IvSize, TagSize} = pick(aeads()),
    Key = key(Cipher, KeySize), IV = bytes(IvSize), Data = data(), Extra = data(), Bad = chance(30),
    {{aead, Cipher, Bad},
     fun() ->
         {Secret, Tag} = crypto:crypto_one_time_aead(Cipher, Key, IV, Data, Extra, TagSize, true),
         Wrong = case Bad of true -> <<0:(TagSize * 8)>>; false -> Tag end,
         {Secret, Tag, crypto:crypto_one_time_aead(Cipher, Key, IV, Secret, Extra, Wrong, false)}
     end};
made(11) ->
    Hash = pick([sha, sha256, sha512]), Password = bytes(range(0, 9)), Salt = bytes(range(1, 9)), Times = range(1, 5), Size = range(1, 40),
    {pbkdf2, fun() -> crypto:pbkdf2_hmac(Hash, Password, Salt, Times, Size) end};
made(12) ->
    A = bytes(range(0, 4)), B = maybe_bad(bytes(byte_size(A)), <<1, 2, 3, 4, 5, 6>>),
    {bytes, fun() -> {crypto:exor(A, A), crypto:hash_equals(A, A), crypto:exor(A, B), crypto:hash_equals(A, B)} end};
made(13) ->
    {A, B, C} = {range(0, 100000), range(0, 1000), range(2, 100000)},
    {numbers, fun() -> {crypto:mod_pow(A, B, C), crypto:bytes_to_integer(<<A:32>>), crypto:cipher_info(element(1, pick(ciphers()))),
                        crypto:hash_info(hash())} end}.
