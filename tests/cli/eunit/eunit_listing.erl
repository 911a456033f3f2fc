%% Prints what EUnit makes of the tests of a module, each function on its own: FUNCTION, title with those of its groups,
%% and what becomes of it, separated by tabs.
-module(eunit_listing).
-behaviour(eunit_listener).
-export([main/1, start/1]).
-export([init/1, handle_begin/3, handle_end/3, handle_cancel/3, terminate/2]).

main([Name]) ->
    Module = list_to_atom(Name),
    ok = io:setopts([{encoding, unicode}]),
    [run(Module, Function) || {Function, 0} <- Module:module_info(exports)],
    halt(0).

run(Module, Function) ->
    Name = atom_to_list(Function),
    case {lists:suffix("_test", Name), lists:suffix("_test_", Name)} of
        {true, _} -> run({test, Module, Function});
        {_, true} -> run({generator, Module, Function});
        _ -> ok
    end.

run({_, _, Function} = Test) ->
    eunit:test(Test, [no_tty, {report, {?MODULE, [{function, Function}]}}]).

start(Options) -> eunit_listener:start(?MODULE, Options).

init(Options) ->
    receive {start, _Reference} -> ok end,
    {proplists:get_value(function, Options), []}.

handle_begin(group, Data, {Function, Titles}) -> {Function, Titles ++ [title(Data)]};
handle_begin(test, _Data, State) -> State.

handle_end(test, Data, State) ->
    line(Data, State, case proplists:get_value(status, Data) of
                          ok -> "pass";
                          {error, _} -> "fail";
                          {skipped, {What, _}} -> atom_to_list(What)
                      end),
    State;
handle_end(group, _Data, {Function, Titles}) -> {Function, lists:droplast(Titles)}.

handle_cancel(group, Data, State) ->
    case proplists:get_value(reason, Data) of
        {abort, {What, _}} -> line([], State, atom_to_list(element_of(What)));
        {blame, _} -> ok
    end,
    handle_end(group, Data, State);
handle_cancel(test, _Data, State) -> State.

terminate(_Result, _State) -> ok.

element_of({What, _}) -> What;
element_of(What) -> What.

line(Data, {Function, Titles}, What) ->
    All = [Title || Title <- Titles ++ [title(Data)], Title =/= ""],
    io:format("~ts\t~ts\t~s~n", [Function, lists:join(": ", All), What]).

title(Data) ->
    case proplists:get_value(desc, Data) of
        undefined -> "";
        Title -> Title
    end.
