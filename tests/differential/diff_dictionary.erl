%% The process dictionary, in random sequences of operations. The generator keeps its own state there, which is left out.
-module(diff_dictionary).
-export([main/0, main/2]).
-import(diff_support, [rnd/1, pick/1, list/2, small_integer/0, key/0, sort/1]).

main() -> main(1, 1500).

main(Seed, Count) -> diff_support:run(Seed, Count, fun test/0).

test() ->
    Operations = list(pick([6, 12, 60]), fun operation/0),
    {Operations, fun() ->
                         clear(),
                         Results = [perform(O) || O <- Operations],
                         Rest = sort([Pair || {Key, _} = Pair <- get(), Key =/= diff_seed]),
                         clear(),
                         {Results, Rest, get(nothing), erase(nothing)}
                 end}.

operation() ->
    K = pick([key(), rnd(10), rnd(50)]),
    case rnd(8) of
        0 -> {get, K};
        1 -> {erase, K};
        2 -> keys;
        3 -> {get_keys, small_integer()};
        _ -> {put, K, small_integer()}
    end.

perform({put, K, V}) -> put(K, V);
perform({get, K}) -> get(K);
perform({erase, K}) -> erase(K);
perform(keys) -> sort(get_keys() -- [diff_seed]);
perform({get_keys, V}) -> sort(get_keys(V)).

clear() -> [erase(K) || K <- get_keys(), K =/= diff_seed].
