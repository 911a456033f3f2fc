%% Processes of Erlang/OTP's whose exit reason is their answer: no bug, as nothing has failed.
-module(answer_by_exit).
-export([compiled/0, called_later/0, not_opened/0, own/0]).
%% options: --after-infinite 1000

%% expect: answer_by_exit:compiled dfs pass
compiled() ->
    Forms = [{attribute, 1, module, answer}, {attribute, 1, export, [{f, 0}]},
             {function, 1, f, 0, [{clause, 1, [], [], [{atom, 1, ok}]}]}],
    {ok, answer, Binary} = compile:forms(Forms),
    true = is_binary(Binary).

%% expect: answer_by_exit:called_later dfs pass
called_later() ->
    Key = rpc:async_call(node(), erlang, '+', [1, 2]),
    3 = rpc:yield(Key).

%% The process that would have served the file ends with the reason why it does not.
%% expect: answer_by_exit:not_opened dpor pass
not_opened() ->
    {error, enoent} = file:open("no_such_file", [read]),
    {error, enoent} = file:path_consult(["."], "no_such_file"),
    {error, {_, "no_such_application.app"}} = application:load(no_such_application).

%% A program's own process that does the same is not known to mean it.
%% expect: answer_by_exit:own dfs bug abnormal_exit
own() ->
    {_, Monitor} = spawn_monitor(fun() -> exit({answer, 3}) end),
    receive {'DOWN', Monitor, process, _, {answer, 3}} -> ok end.
