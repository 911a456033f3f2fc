%% Tests of ring.erl: a token that goes around the ring once, and twice.
-module(ring_tests).

-export([one_round/0, two_rounds/0]).

one_round() -> ring:start(5, token).

two_rounds() -> ring:start(10, token).
