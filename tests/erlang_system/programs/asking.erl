%% Processes that ask, answer and wait, at random: see erlang_states_test.cc.
%% Whether those that wait when the test has ended are a deadlock depends on what they have asked on the way, and on nothing that
%% is left of it: processes keep whom they know, and with some operations not even that.
-module(asking).
-export([small/3]).

small(Seed, askers, Count) ->
    put(random, Seed * 7919 + 17),
    First = starts(Count, []),
    register(first, First),
    Second = starts(Count, [First]),
    _ = [starts(1, [First, Second]) || below(3) =:= 0],
    ok.

starts(Count, Known) ->
    Operations = [operation() || _ <- lists:seq(1, Count)] ++ [pick([take, loop, once, serve, nap])],
    spawn(fun() -> run(Operations, Known) end).

operation() ->
    pick([ask, ask, ask, tell, tell, answer, take, take, take, poll, choice, choice, choice, forget, child, asking_child, ask_child, by_name]).

%% All receives but those of the last operations are parts of one loop, which asks as well.
run([ask | Rest], Known) -> [Pid ! {q, self()} || Pid <- lists:sublist(Known, 1)], run(Rest, Known);
run([tell | Rest], Known) -> [Pid ! t || Pid <- lists:sublist(Known, 1)], run(Rest, Known);
run([answer | Rest], Known) -> [Pid ! {r, self()} || Pid <- lists:sublist(Known, 1)], run(Rest, lists:sublist(Known, 2, 9));
run([by_name | Rest], Known) -> [Pid ! {q, first} || Pid <- lists:sublist(Known, 1)], run(Rest, Known);
run([take | Rest], Known) ->
    receive
        {q, Pid} when is_pid(Pid) -> run(Rest, [Pid | Known]);
        _ -> run(Rest, Known)
    end;
run([poll | Rest], Known) ->
    receive
        {q, Pid} when is_pid(Pid) -> run(Rest, [Pid | Known]);
        _ -> run(Rest, Known)
    after 0 -> run(Rest, Known)
    end;
run([choice, _ | Rest] = All, Known) ->
    case ravel:choose(2) of
        1 -> run(Rest, Known);
        2 -> run(tl(All), Known)
    end;
run([forget | Rest], _) -> run(Rest, []);
run([child | Rest], Known) -> spawn(fun() -> ok end), run(Rest, Known);
run([asking_child | Rest], Known) ->
    [spawn(fun() -> Pid ! {q, self()} end) || Pid <- lists:sublist(Known, 1)],
    run(Rest, Known);
run([ask_child | Rest], Known) ->
    spawn(fun() -> receive {q, _} -> ok end end) ! {q, self()},
    run(Rest, Known);
run([loop], _) -> loop();
run([once], _) -> receive {r, _} -> ok end;
run([serve], _) -> serve();
run([nap], _) -> receive {r, _} -> ok after 0 -> loop() end;
run([], _) -> ok.

loop() -> receive _ -> loop() end.

serve() ->
    receive
        {q, Pid} when is_pid(Pid) -> Pid ! {r, self()}, serve();
        _ -> serve()
    end.

pick(List) -> lists:nth(below(length(List)) + 1, List).

below(N) ->
    Random = (get(random) * 1103515245 + 12345) band 16#7FFFFFFF,
    put(random, Random),
    (Random bsr 8) rem N.
