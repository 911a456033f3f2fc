%% Code that is loaded while the program runs: versions, old code, funs of code that is gone, what asks about modules.
-module(diff_code).
-export([main/0, main/2]).
-import(diff_support, [pick/1, rnd/1, range/2]).

-define(M, diff_code_made).

main() -> main(43, 150).

main(Seed, Count) ->
    Versions = list_to_tuple([made(N) || N <- [1, 2, 3]]),
    diff_support:run(Seed, Count, fun() -> {code, fun() -> series(Versions) end} end),
    clean().

made(Value) ->
    Text = "-module(diff_code_made).\n-export([value/0, loop/0, adder/1]).\n"
           "value() -> " ++ integer_to_list(Value) ++ ".\n"
           "loop() -> receive {From, here} -> From ! value(), loop(); {From, there} -> From ! diff_code_made:value(), loop(); stop -> ok end.\n"
           "adder(N) -> fun(X) -> X + N + value() end.\n",
    {ok, Tokens, _} = erl_scan:string(Text),
    {ok, ?M, Binary} = compile:forms(forms(Tokens, []), []),
    Binary.

forms(Tokens, Forms) ->
    case lists:splitwith(fun(Token) -> element(1, Token) =/= dot end, Tokens) of
        {[], []} -> lists:reverse(Forms);
        {Form, [Dot | Rest]} -> {ok, Parsed} = erl_parse:parse_form(Form ++ [Dot]), forms(Rest, [Parsed | Forms])
    end.

clean() -> code:purge(?M), code:delete(?M), code:purge(?M), ok.

series(Versions) ->
    put(funs, []),
    put(loops, []),
    Results = [step(Versions) || _ <- lists:seq(1, range(3, 14))],
    [exit(Pid, kill) || Pid <- get(loops)],
    clean(),
    Results.

plainly(F) -> try F() catch Class:Reason -> {Class, without_fun(Reason)} end.

without_fun({badfun, _}) -> badfun;
without_fun(Reason) -> Reason.

step(Versions) ->
    Binary = pick(Versions),
    case rnd(20) of
        N when N < 4 -> {load, plainly(fun() -> code:load_binary(?M, "made.beam", Binary) end)};
        4 -> {load_module, plainly(fun() -> erlang:load_module(?M, Binary) end)};
        5 -> {purge, plainly(fun() -> code:purge(?M) end)};
        6 -> {soft_purge, plainly(fun() -> code:soft_purge(?M) end)};
        7 -> {delete, plainly(fun() -> code:delete(?M) end)};
        8 -> {delete_module, plainly(fun() -> erlang:delete_module(?M) end)};
        9 -> {purge_module, plainly(fun() -> erlang:purge_module(?M) end)};
        10 -> {questions, [plainly(F) || F <- [fun() -> erlang:module_loaded(?M) end, fun() -> erlang:check_old_code(?M) end,
                                               fun() -> erlang:function_exported(?M, value, 0) end,
                                               fun() -> lists:member(?M, erlang:loaded()) end,
                                               fun() -> lists:sort(erlang:get_module_info(?M, exports)) end, fun() -> ?M:module_info(md5) end]]};
        11 -> {call, plainly(fun() -> ?M:value() end), plainly(fun() -> apply(?M, value, []) end)};
        12 -> {call_undefined, plainly(fun() -> ?M:nothing(1) end)};
        13 -> {fun_made, plainly(fun() -> put(funs, [?M:adder(10) | get(funs)]), made end)};
        14 -> {funs, [plainly(fun() -> F(1) end) || F <- get(funs)]};
        15 -> {loop, plainly(fun() -> true = erlang:function_exported(?M, loop, 0), put(loops, [started(fun ?M:loop/0) | get(loops)]), ok end)};
        16 -> {asked, [ask(Pid, pick([here, there])) || Pid <- get(loops)]};
        17 -> {checked, [ask(Pid, here) =/= noproc andalso erlang:check_process_code(Pid, ?M) || Pid <- get(loops)],
               erlang:check_process_code(self(), ?M)};
        18 -> {prepared, plainly(fun() ->
                   Prepared = erlang:prepare_loading(?M, Binary),
                   {erlang:has_prepared_code_on_load(Prepared), erlang:finish_loading([Prepared])}
               end)};
        19 -> {files, plainly(fun() -> erlang:prepare_loading(?M, <<"nothing">>) end), erts_internal:beamfile_module_md5(Binary) =:= md5(Binary),
               byte_size(erts_internal:beamfile_chunk(Binary, "ExpT")), erts_internal:beamfile_chunk(Binary, "None"),
               element(1, {erts_internal:prepare_loading(?M, Binary)}) =/= error,
               plainly(fun() -> code:load_binary(diff_code_other, "x", Binary) end), code:module_md5(Binary) =:= md5(Binary)}
    end.

md5(Binary) -> {ok, {_, Digest}} = beam_lib:md5(Binary), Digest.

%% A process that only starts to run after the next version was loaded would run that one.
started(Loop) ->
    Pid = spawn(Loop),
    ask(Pid, here),
    Pid.

%% A loop that was purged is gone.
ask(Pid, What) ->
    Monitor = monitor(process, Pid),
    Pid ! {self(), What},
    receive
        {'DOWN', Monitor, process, Pid, _} -> noproc;
        Answer when is_integer(Answer) -> demonitor(Monitor, [flush]), Answer
    end.
