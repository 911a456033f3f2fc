%% zlib: at once and in parts, and what is built on it: compressed files, tar and zip.
-module(diff_zlib).
-export([main/0, main/2]).
-import(diff_support, [pick/1, rnd/1, range/2, chance/1]).

main() -> main(37, 1200).

main(Seed, Count) ->
    _ = file:delete("diff_zlib_file"),
    diff_support:run(Seed, Count, fun() -> made(rnd(9)) end),
    _ = file:delete("diff_zlib_file"),
    ok.

text() -> iolist_to_binary([pick(["the quick brown fox ", "jumps over ", <<0, 0, 0>>, "lazy dog", [rnd(256)]]) || _ <- lists:seq(1, pick([0, 1, 5, 60, 3000]))]).
bits() -> pick([15, 9, 12, -15, -9, 31]).
options() -> [pick([default, none, best_speed, best_compression, range(0, 9)]), deflated, bits(), range(1, 9), pick([default, filtered, huffman_only, rle])].
shortly(Bytes) -> B = iolist_to_binary(Bytes), {byte_size(B), erlang:md5(B)}.

made(0) ->
    Text = text(),
    {at_once, fun() ->
        {shortly(zlib:compress(Text)), shortly(zlib:gzip(Text)), shortly(zlib:zip(Text)), zlib:uncompress(zlib:compress(Text)) =:= Text,
         zlib:gunzip(zlib:gzip(Text)) =:= Text, zlib:unzip(zlib:zip(Text)) =:= Text, zlib:gunzip([zlib:gzip(Text), zlib:gzip("more")]) =:= <<Text/binary, "more">>}
    end};
made(1) ->
    Bytes = pick([<<>>, <<"nothing">>, binary:part(zlib:compress("some text that is longer"), 0, 10), <<31, 139, 8, 0>>]),
    {damaged, fun() -> [catch_error(fun() -> zlib:F(Bytes) end) || F <- [uncompress, gunzip, unzip]] end};
made(N) when N < 5 ->
    Parts = [text() || _ <- lists:seq(1, range(1, 5))], [Level, Method, Bits, Memory, Strategy] = options(),
    Flushes = [pick([none, sync, full]) || _ <- Parts], Change = chance(20), Dictionary = chance(20) andalso Bits > 0 andalso Bits < 16,
    {{in_parts, Bits}, fun() ->
        Z = zlib:open(),
        ok = zlib:deflateInit(Z, Level, Method, Bits, Memory, Strategy),
        Adler = case Dictionary of true -> zlib:deflateSetDictionary(Z, "the quick brown fox"); false -> none end,
        Out = [begin
                   One = zlib:deflate(Z, Part, Flush),
                   Change andalso zlib:deflateParams(Z, 1, default),
                   One
               end || {Part, Flush} <- lists:zip(Parts, Flushes)],
        Last = zlib:deflate(Z, [], finish),
        ok = zlib:deflateEnd(Z),
        ok = zlib:close(Z),
        All = iolist_to_binary([Out, Last]),
        {shortly(All), Adler, back(All, Bits, Dictionary)}
    end};
made(5) ->
    Text = text(), Bytes = zlib:compress(Text), Size = pick([7, 100, 5000]),
    {chunks, fun() ->
        Z = zlib:open(),
        ok = zlib:inflateInit(Z),
        ok = zlib:setBufSize(Z, Size),
        Out = chunks(Z, zlib:inflateChunk(Z, Bytes)),
        Ended = catch_error(fun() -> zlib:inflateEnd(Z) end),
        zlib:close(Z),
        {iolist_to_binary(Out) =:= Text, Ended, catch_error(fun() -> zlib:inflate(Z, <<>>) end), catch_error(fun() -> zlib:close(Z) end)}
    end};
made(6) ->
    {wrong_use, fun() ->
        Z = zlib:open(),
        Self = self(),
        Results = [catch_error(F) || F <- [fun() -> zlib:deflate(Z, "x") end, fun() -> zlib:inflate(Z, "x") end, fun() -> zlib:deflateInit(Z, 17) end,
                                           fun() -> zlib:inflateEnd(Z) end, fun() -> zlib:inflateInit(Z, 99) end, fun() -> zlib:deflateInit(Z) end,
                                           fun() -> zlib:deflateInit(Z) end, fun() -> zlib:inflate(Z, "x") end, fun() -> zlib:deflateEnd(Z) end,
                                           fun() -> zlib:close(foo) end, fun() -> zlib:inflateReset(Z) end]],
        {Pid, Monitor} = spawn_monitor(fun() -> receive go -> Self ! {other, catch_error(fun() -> zlib:deflateInit(Z) end)} end end),
        Given = pick([true, false]),
        Given andalso zlib:set_controlling_process(Z, Pid),
        Pid ! go,
        Other = receive {other, Answer} -> Answer end,
        receive {'DOWN', Monitor, process, Pid, _} -> ok end,
        {Results, Given, Other, catch_error(fun() -> zlib:close(Z) end)}
    end};
made(7) ->
    Text = text(),
    {compressed_file, fun() ->
        {ok, File} = file:open("diff_zlib_file", [write, compressed]),
        ok = file:write(File, Text), ok = file:write(File, "end"), ok = file:close(File),
        {ok, Bytes} = file:read_file("diff_zlib_file"),
        {ok, Again} = file:open("diff_zlib_file", [read, compressed, binary]),
        Read = file:read(Again, 100000), ok = file:close(Again),
        {zlib:gunzip(Bytes) =:= <<Text/binary, "end">>, Read =:= {ok, <<Text/binary, "end">>}}
    end};
made(8) ->
    Text = text(),
    {archives, fun() ->
        {ok, {"z.zip", Zip}} = zip:create("z.zip", [{"a", Text}, {"b/c", <<"x">>}], [memory]),
        {ok, Unpacked} = zip:unzip(Zip, [memory]),
        ok = erl_tar:create("diff_zlib_file", [{"a", Text}, {"b", <<"x">>}], [compressed]),
        {ok, Names} = erl_tar:table("diff_zlib_file", [compressed]),
        {ok, Files} = erl_tar:extract("diff_zlib_file", [compressed, memory]),
        {Unpacked =:= [{"a", Text}, {"b/c", <<"x">>}], Names, Files =:= [{"a", Text}, {"b", <<"x">>}]}
    end}.

chunks(Z, {more, Out}) -> [Out | chunks(Z, zlib:inflateChunk(Z))];
chunks(_Z, Out) -> [Out].

back(All, Bits, Dictionary) ->
    Z = zlib:open(),
    ok = zlib:inflateInit(Z, Bits),
    Out = try zlib:inflate(Z, All)
          catch error:{need_dictionary, Adler} ->
              true = Dictionary, ok = zlib:inflateSetDictionary(Z, "the quick brown fox"), {Adler, zlib:inflate(Z, [])}
          end,
    Ended = catch_error(fun() -> zlib:inflateEnd(Z) end),
    zlib:close(Z),
    {case Out of {A, O} when is_integer(A) -> {A, shortly(O)}; _ -> shortly(Out) end, Ended}.

catch_error(F) -> try F() of R when is_reference(R) -> ref; R -> R catch C:E -> {C, E} end.
