%% Read, then write: an update is lost when two processes do it at once.
-module(two_writers).
-include_lib("eunit/include/eunit.hrl").
-export([through_a_process/0, through_a_table/0, atomic_table/0]).

%% expect: two_writers:through_a_process preemption bug assertion
through_a_process() ->
    Self = self(),
    Cell = spawn(fun() -> cell(0) end),
    Increment = fun() ->
                        Value = ask(Cell, get),
                        ok = ask(Cell, {put, Value + 1}),
                        Self ! done
                end,
    spawn(Increment),
    spawn(Increment),
    [receive done -> ok end || _ <- [1, 2]],
    Value = ask(Cell, get),
    Cell ! stop,
    ?assertEqual(2, Value).

ask(Cell, Question) ->
    Cell ! {self(), Question},
    receive {Cell, Answer} -> Answer end.

cell(Value) ->
    receive
        {From, get} -> From ! {self(), Value}, cell(Value);
        {From, {put, New}} -> From ! {self(), ok}, cell(New);
        stop -> ok
    end.

%% expect: two_writers:through_a_table preemption bug assertion
through_a_table() ->
    count_in_table(fun(Table) ->
                           [{n, Value}] = ets:lookup(Table, n),
                           ets:insert(Table, {n, Value + 1})
                   end).

%% expect: two_writers:atomic_table preemption pass
atomic_table() ->
    count_in_table(fun(Table) -> ets:update_counter(Table, n, 1) end).

count_in_table(Increment) ->
    Self = self(),
    Table = ets:new(counters, [public]),
    ets:insert(Table, {n, 0}),
    spawn(fun() -> Increment(Table), Self ! done end),
    spawn(fun() -> Increment(Table), Self ! done end),
    [receive done -> ok end || _ <- [1, 2]],
    [{n, Value}] = ets:lookup(Table, n),
    ?assertEqual(2, Value).
