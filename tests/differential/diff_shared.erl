%% What processes share: atomics, counters and persistent_term, as one process sees them.
-module(diff_shared).

-export([main/0, main/2]).

-import(diff_support, [rnd/1, range/2, pick/1, chance/1, integer/0, key/0, term/1, wrong/0, evaluate/1]).

main() -> main(1, 600).

main(Seed, Count) -> diff_support:run(Seed, Count, fun make/0).

make() ->
    Operations = [operation() || _ <- lists:seq(1, range(1, 12))],
    Make = pick([fun make_atomics/0, fun make_atomics/0, fun make_counters/0, fun make_terms/0, fun make_terms/0]),
    {Label, Subject} = Make(),
    Calls = [call(Label, Operation) || Operation <- Operations],
    {{Label, Calls}, fun() -> run(Subject(), Calls) end}.

%% A number that chooses what to do, an index, and two values.
operation() -> {rnd(10), index(), value(), value()}.

index() ->
    case rnd(8) of
        0 -> wrong();
        1 -> pick([0, -1, 1 bsl 64, 1000]);
        _ -> range(1, 5)
    end.

value() ->
    case rnd(6) of
        0 -> wrong();
        1 -> integer();
        2 -> pick([1, -1]) * ((1 bsl pick([59, 60, 63, 64])) + range(-2, 2));
        3 -> 0;
        _ -> range(-5, 5)
    end.

make_atomics() ->
    Size = size(),
    Options = pick([[], [], [{signed, true}], [{signed, false}], [{signed, false}], [{signed, x}], wrong()]),
    {{atomics, Size, Options}, fun() -> {atomics, catch_reason(fun() -> atomics:new(Size, Options) end)} end}.

make_counters() ->
    Size = size(),
    Options = pick([[], [atomics], [write_concurrency], [write_concurrency], [x], wrong()]),
    {{counters, Size, Options}, fun() -> {counters, catch_reason(fun() -> counters:new(Size, Options) end)} end}.

make_terms() -> {persistent_term, fun() -> {persistent_term, make_ref()} end}.

size() ->
    case rnd(10) of
        0 -> wrong();
        1 -> pick([0, -3, 1 bsl 64, 1 bsl 62, a]);
        _ -> range(1, 5)
    end.

catch_reason(Fun) ->
    case evaluate(Fun) of
        {error, _, _} = Failed -> {failed, Failed};
        Made -> Made
    end.

call({atomics, _, _}, {N, Index, Value, Other}) ->
    case N of
        0 -> {put, [Index, Value]};
        1 -> {add, [Index, Value]};
        2 -> {sub, [Index, Value]};
        3 -> {add_get, [Index, Value]};
        4 -> {sub_get, [Index, Value]};
        5 -> {exchange, [Index, Value]};
        6 -> {compare_exchange, [Index, Value, Other]};
        7 -> {compare_exchange, [Index, 0, Other]};
        8 -> {info, []};
        9 -> {get, [Index]}
    end;
call({counters, _, _}, {N, Index, Value, _}) ->
    case N of
        _ when N < 3 -> {put, [Index, Value]};
        _ when N < 5 -> {add, [Index, Value]};
        _ when N < 7 -> {sub, [Index, Value]};
        7 -> {info, []};
        _ -> {get, [Index]}
    end;
call(persistent_term, {N, _, Value, _}) ->
    Key = pick([a, 1, 1.0, 0.0, -0.0, "key", {a, b}, key()]),
    case N of
        _ when N < 4 -> {put, [Key, pick([Value, term(2)])]};
        _ when N < 6 -> {get, [Key]};
        6 -> {get, [Key, default]};
        7 -> {get, []};
        8 -> {info, []};
        9 -> {erase, [Key]}
    end.

run({persistent_term, Owner}, Calls) ->
    try
        [{Call, evaluate(fun() -> on_terms(Owner, Call) end)} || Call <- Calls]
    after
        [persistent_term:erase(Key) || {{O, _} = Key, _} <- persistent_term:get(), O =:= Owner]
    end;
run({Module, {failed, _} = Failed}, Calls) ->
    {Failed, run({Module, pick([make_ref(), {atomics, make_ref()}, wrong()])}, Calls)};
run({Module, Array}, Calls) ->
    [evaluate(fun() -> without_memory(Module, apply(Module, Name, [Array | Arguments])) end) || {Name, Arguments} <- Calls].

%% Other keys are there on a started system; and how much memory the emulator needs for its tables is its own.
on_terms(Owner, {put, [Key, Value]}) -> persistent_term:put({Owner, Key}, Value);
on_terms(Owner, {get, []}) ->
    diff_support:sort([Pair || {{O, Pair}, _} <- persistent_term:get(), O =:= Owner]);
on_terms(Owner, {info, []}) ->
    #{count := Before} = persistent_term:info(),
    persistent_term:put({Owner, info}, 1),
    #{count := After, memory := Memory} = persistent_term:info(),
    persistent_term:erase({Owner, info}),
    {After - Before, Memory > 0};
on_terms(Owner, {Name, [Key | More]}) -> apply(persistent_term, Name, [{Owner, Key} | More]).

%% That of counters depends on the number of schedulers.
without_memory(counters, Info) when is_map(Info) -> maps:remove(memory, Info);
without_memory(_, Result) -> Result.
