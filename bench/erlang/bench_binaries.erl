%% Building a binary of 4,000 bytes by appending, and matching it byte by byte, by fields and in a comprehension.
-module(bench_binaries).
-export([run/1]).

run(0) -> ok;
run(N) ->
    Binary = build(1000, <<>>),
    4000 = byte_size(Binary),
    Sum = bytes(Binary, 0),
    Sum = lists:sum([B || <<B>> <= Binary]),
    500500 = fields(Binary, 0),
    run(N - 1).

build(0, Acc) -> Acc;
build(K, Acc) -> build(K - 1, <<Acc/binary, K:16, (K rem 7):4, 5:12>>).

bytes(<<B, Rest/binary>>, Sum) -> bytes(Rest, Sum + B);
bytes(<<>>, Sum) -> Sum.

fields(<<K:16, _:4, 5:12, Rest/binary>>, Sum) -> fields(Rest, Sum + K);
fields(<<>>, Sum) -> Sum.
