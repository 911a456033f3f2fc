%% Modules that are loaded, replaced, deleted and purged while the test runs.
%% options: --normal killed
-module(code_loading).

-export([its_own_file/0, replaced/0, call_and_load/0, old_code_goes_on/0, purged/0, soft_purged/0, deleted/0, fun_of_old_code/0, two_loaders/0,
         rewound/0, on_load/0, made_by_one/0, purge_race/0, many_at_once/0, fresh/0, not_purged/0]).
-include_lib("stdlib/include/assert.hrl").

-define(M, code_loading_made).

%% A module with value/0, loop/0, which waits for messages in that version, adder/1, and what else is asked for.
made(Value) -> made(Value, "").

made(Value, More) ->
    compiled("-module(" ++ atom_to_list(?M) ++ ").\n"
             "-compile([export_all, nowarn_export_all]).\n" ++ More ++
             "value() -> " ++ io_lib:format("~p", [Value]) ++ ".\n"
             "loop() -> receive {From, Ask} -> From ! {value, ask(Ask)}, loop() end.\n"
             "ask(here) -> value(); ask(there) -> ?MODULE:value().\n"
             "adder(N) -> fun(X) -> X + N end.\n").

compiled(Text) ->
    {ok, Tokens, _} = erl_scan:string(lists:flatten(string:replace(Text, "?MODULE", atom_to_list(?M), all))),
    {ok, ?M, Binary} = compile:forms(forms(Tokens, []), [deterministic]),
    Binary.

forms(Tokens, Forms) ->
    case lists:splitwith(fun(Token) -> element(1, Token) =/= dot end, Tokens) of
        {[], []} -> lists:reverse(Forms);
        {Form, [Dot | Rest]} -> {ok, Parsed} = erl_parse:parse_form(Form ++ [Dot]), forms(Rest, [Parsed | Forms])
    end.

load(Binary) -> {module, ?M} = code:load_binary(?M, "made.beam", Binary), ok.

ask(Pid, What) -> Pid ! {self(), What}, receive {value, Value} -> Value end.

%% expect: code_loading:replaced dpor pass schedules=1
replaced() ->
    load(made(1)),
    ?assertEqual(1, ?M:value()),
    load(made(2)),
    ?assertEqual(2, ?M:value()),
    ?assertEqual({file, "made.beam"}, code:is_loaded(?M)),
    ?assert(erlang:check_old_code(?M)),
    ?assert(code:purge(?M) =:= false),
    ?assertNot(erlang:check_old_code(?M)).

%% Somebody calls while another version is loaded: before or after.
%% expect: code_loading:call_and_load dpor bug assertion
call_and_load() ->
    {Old, New} = {made(1), made(2)},
    load(Old),
    Self = self(),
    spawn(fun() -> load(New), Self ! loaded end),
    ?assertEqual(1, ?M:value()),
    receive loaded -> ok end,
    ?assertEqual(2, ?M:value()).

%% Local calls and returns stay in the old code.
%% expect: code_loading:old_code_goes_on dpor pass
old_code_goes_on() ->
    load(made(1)),
    Pid = spawn(fun ?M:loop/0),
    1 = ask(Pid, here),
    load(made(2)),
    ?assertEqual(1, ask(Pid, here)),
    ?assertEqual(2, ask(Pid, there)),
    ?assert(erlang:check_process_code(Pid, ?M)),
    exit(Pid, kill).

%% Loading once more purges, and purging kills who runs the old code.
%% expect: code_loading:purged dpor pass
purged() ->
    load(made(1)),
    Pid = spawn(fun ?M:loop/0),
    1 = ask(Pid, here),
    Monitor = monitor(process, Pid),
    load(made(2)),
    load(made(3)),
    receive {'DOWN', Monitor, process, Pid, Reason} -> ?assertEqual(killed, Reason) end,
    ?assertEqual(3, ?M:value()).

%% expect: code_loading:soft_purged dpor pass
soft_purged() ->
    load(made(1)),
    Pid = spawn(fun ?M:loop/0),
    1 = ask(Pid, here),
    load(made(2)),
    ?assertNot(code:soft_purge(?M)),
    ?assertEqual(1, ask(Pid, here)),
    Monitor = monitor(process, Pid),
    exit(Pid, kill),
    receive {'DOWN', Monitor, process, Pid, _} -> ok end,
    ?assert(code:soft_purge(?M)).

%% expect: code_loading:deleted dpor pass
deleted() ->
    load(made(1)),
    ?assert(code:delete(?M)),
    ?assertEqual(false, code:is_loaded(?M)),
    ?assertNot(erlang:function_exported(?M, value, 0)),
    ?assertError(undef, ?M:value()),
    ?assertNot(code:delete(?M)),
    ?assertNot(code:purge(?M)),
    ?assertNot(erlang:check_old_code(?M)).

%% expect: code_loading:fun_of_old_code dpor pass
fun_of_old_code() ->
    load(made(1)),
    Add = ?M:adder(10),
    load(made(2)),
    ?assertEqual(11, Add(1)),
    code:purge(?M),
    ?assertError({badfun, Add}, Add(1)),
    load(made(1)),
    ?assertEqual(11, Add(1)).

%% expect: code_loading:two_loaders dpor pass
two_loaders() ->
    {One, Two} = {made(1), made(2)},
    Self = self(),
    [spawn(fun() -> load(Binary), Self ! loaded end) || Binary <- [One, Two]],
    [receive loaded -> ok end || _ <- [One, Two]],
    ?assert(lists:member(?M:value(), [1, 2])).

%% Each execution begins without the module.
%% expect: code_loading:rewound dpor pass
rewound() ->
    Binary = made(1),
    Self = self(),
    [spawn(fun() -> Self ! N end) || N <- [1, 2, 3]],
    [receive N -> N end || _ <- [1, 2, 3]],
    ?assertError(undef, ?M:value()),
    load(Binary),
    ?assertEqual(1, ?M:value()).

%% expect: code_loading:on_load dpor pass
on_load() ->
    load(made(1, "-on_load(first/0).\nfirst() -> persistent_term:put(code_loading, done).\n")),
    ?assertEqual(done, persistent_term:get(code_loading)),
    ?assertEqual(1, ?M:value()),
    ?assertEqual({error, on_load_failure}, code:load_binary(?M, "x", made(2, "-on_load(first/0).\nfirst() -> no.\n"))),
    ?assertEqual(1, ?M:value()).

%% Who alone loads and calls a module is not slowed down by that: nobody else is there in any execution.
%% expect: code_loading:made_by_one dpor pass schedules=6
made_by_one() ->
    Self = self(),
    [spawn(fun() -> Self ! N end) || N <- [1, 2, 3]],
    load(made(1)),
    1 = ?M:value(),
    [receive N -> N end || _ <- [1, 2, 3]].

%% Purging meets a process in the old code, or one that has left it.
%% expect: code_loading:purge_race dpor bug assertion
purge_race() ->
    load(made(1, "wait(P) -> P ! in, receive go -> ok end, P ! out, ok.\n")),
    Self = self(),
    Pid = spawn(fun() -> ok = ?M:wait(Self), Self ! left end),
    receive in -> ok end,
    ?assert(code:delete(?M)),
    Pid ! go,
    ?assertNot(code:purge(?M)).

%% expect: code_loading:many_at_once dpor pass
many_at_once() ->
    ok = code:atomic_load([{?M, "made.beam", made(7)}]),
    ?assertEqual(7, ?M:value()),
    {ok, Prepared} = code:prepare_loading([{?M, "made.beam", made(8)}]),
    ?assertEqual(7, ?M:value()),
    ok = code:finish_loading(Prepared),
    ?assertEqual(8, ?M:value()),
    ?assertEqual({error, [{?M, not_purged}]}, code:finish_loading(Prepared)),
    ?assertEqual(8, ?M:value()).

%% OTP's own module, loaded again from its file.
%% expect: code_loading:fresh dpor pass
fresh() ->
    ?assertEqual({error, sticky_directory}, code:load_file(lists)),
    {module, queue} = begin code:unstick_mod(queue), code:load_file(queue) end,
    ?assert(erlang:check_old_code(queue)),
    ?assertEqual(3, queue:len(queue:from_list([1, 2, 3]))).

%% expect: code_loading:not_purged dpor pass
not_purged() ->
    {module, ?M} = erlang:load_module(?M, made(1)),
    {module, ?M} = erlang:load_module(?M, made(2)),
    ?assertEqual({error, not_purged}, erlang:load_module(?M, made(3))),
    ?assertEqual({error, badfile}, erlang:load_module(?M, <<"nothing">>)),
    ?assertError(badarg, erlang:delete_module(?M)),
    true = erlang:purge_module(?M),
    ?assertEqual(true, erlang:delete_module(?M)),
    ?assertEqual(undefined, erlang:delete_module(code_loading_none)).

%% What is compiled for the search lies where code:which/1 says that it is.
%% expect: code_loading:its_own_file dpor pass
its_own_file() ->
    {ok, {?MODULE, [{exports, Exports}]}} = beam_lib:chunks(code:which(?MODULE), [exports]),
    true = lists:member({its_own_file, 0}, Exports),
    {ok, Binary} = file:read_file(code:which(?MODULE)),
    true = filelib:is_regular(code:which(?MODULE)),
    {module, ?MODULE} = code:load_binary(?MODULE, code:which(?MODULE), Binary).
