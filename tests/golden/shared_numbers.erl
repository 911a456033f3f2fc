%% atomics, counters and persistent_term: each call is one operation, and nothing is lost within it.
-module(shared_numbers).
-export([lost_update/0, add/0, two_indices/0, claim/0, lock/0, counters/0, persistent/0, persistent_change/0,
         private/0, erased/0, all_erased/0]).

start(Count, Fun) -> [spawn_monitor(Fun) || _ <- lists:seq(1, Count)].

join(Started) -> [receive {'DOWN', Ref, process, Pid, normal} -> ok end || {Pid, Ref} <- Started].

%% To read and then to write is two operations.
%% expect: shared_numbers:lost_update dfs bug abnormal_exit
%% expect: shared_numbers:lost_update preemption bug abnormal_exit
lost_update() ->
    Array = atomics:new(1, []),
    join(start(2, fun() -> atomics:put(Array, 1, atomics:get(Array, 1) + 1) end)),
    2 = atomics:get(Array, 1).

%% expect: shared_numbers:add dfs pass
add() ->
    Array = atomics:new(1, []),
    join(start(2, fun() -> atomics:add(Array, 1, 1) end)),
    2 = atomics:get(Array, 1).

%% expect: shared_numbers:two_indices dfs pass
two_indices() ->
    Array = atomics:new(2, [{signed, false}]),
    Other = spawn_monitor(fun() -> atomics:sub(Array, 2, 1) end),
    ok = atomics:add(Array, 1, 7),
    join([Other]),
    {7, 16#FFFFFFFFFFFFFFFF} = {atomics:get(Array, 1), atomics:get(Array, 2)}.

%% Exactly one gets it.
%% expect: shared_numbers:claim dfs pass
claim() ->
    Array = atomics:new(1, []),
    Self = self(),
    Pids = [spawn(fun() -> Self ! {self(), atomics:compare_exchange(Array, 1, 0, N)} end) || N <- [1, 2]],
    Answers = [receive {Pid, Answer} -> Answer end || Pid <- Pids],
    Winner = atomics:get(Array, 1),
    [ok, Winner] = lists:sort(fun(A, _) -> A =:= ok end, Answers).

%% A flag that is tested and then set keeps nobody out; one that is exchanged does.
%% expect: shared_numbers:lock dfs pass
lock() ->
    Array = atomics:new(2, []),
    join(start(2, fun() ->
                          case atomics:exchange(Array, 1, 1) of
                              0 ->
                                  1 = atomics:add_get(Array, 2, 1),
                                  atomics:sub(Array, 2, 1),
                                  atomics:put(Array, 1, 0);
                              1 -> busy
                          end
                  end)).

%% expect: shared_numbers:counters dfs pass
counters() ->
    Counter = counters:new(3, [write_concurrency]),
    join(start(2, fun() -> counters:add(Counter, 3, 5) end)),
    {0, 10} = {counters:get(Counter, 1), counters:get(Counter, 3)},
    counters:put(Counter, 3, -1),
    -1 = counters:get(Counter, 3).

%% The value of another process may be there already or not.
%% expect: shared_numbers:persistent dfs bug abnormal_exit
persistent() ->
    Writer = spawn_monitor(fun() -> persistent_term:put(key, value) end),
    value = persistent_term:get(key, none),
    join([Writer]).

%% expect: shared_numbers:persistent_change dfs pass
persistent_change() ->
    persistent_term:put(key, #{old => lists:seq(1, 40)}),
    Writer = spawn_monitor(fun() -> persistent_term:put(key, new) end),
    true = lists:member(persistent_term:get(key), [#{old => lists:seq(1, 40)}, new]),
    join([Writer]),
    [{key, new}] = [Pair || {key, _} = Pair <- persistent_term:get()],
    true = persistent_term:erase(key),
    false = persistent_term:erase(key),
    gone = persistent_term:get(key, gone).

%% Making an array and asking for its size is nobody's business.
%% expect: shared_numbers:private dfs pass schedules=1
private() ->
    Other = spawn_monitor(fun() -> #{size := 2} = atomics:info(atomics:new(2, [])) end),
    #{size := 3} = counters:info(counters:new(3, [])),
    join([Other]).

%% Two erase it: one of them finds it.
%% expect: shared_numbers:erased dfs pass
erased() ->
    persistent_term:put(key, value),
    Self = self(),
    Pids = [spawn(fun() -> Self ! {self(), persistent_term:erase(key)} end) || _ <- [1, 2]],
    [false, true] = lists:sort([receive {Pid, Answer} -> Answer end || Pid <- Pids]).

%% Whoever looks sees all of it or nothing.
%% expect: shared_numbers:all_erased dfs pass
all_erased() ->
    persistent_term:put(one, 1),
    persistent_term:put(two, 2),
    Other = spawn_monitor(fun() -> true = erts_internal:erase_persistent_terms() end),
    Found = [Key || {Key, _} <- persistent_term:get(), lists:member(Key, [one, two])],
    true = lists:member(lists:sort(Found), [[], [one, two]]),
    join([Other]),
    {gone, gone} = {persistent_term:get(one, gone), persistent_term:get(two, gone)}.
