%% What Common Test's servers would keep and answer, in the process that asks: the data of ct_util, the configuration of
%% ct_config, comments, logs and timetraps. The machine's loader puts these functions in the place of those of the same
%% names and arities (loader.cc).
%%
%% The state is a map in the dictionary of a test case's process. ravel_ct hands it on to the next one. In other
%% processes it holds what the command line gave.
-module(ravel_ct_server).

-export([start/2, state/0, put_state/1, changes/1, change/1, hooks/0, note_skip/1]).
-export([skip_reason/0]).
-export([has_timetraps/0]). % a built-in
%% ct_util
-export([get_testdata/1, get_testdata/2, set_testdata/1, set_testdata_async/1, update_testdata/2, update_testdata/3,
         delete_testdata/1, match_delete_testdata/1, read_suite_data/1, save_suite_data/2, save_suite_data/3,
         save_suite_data_async/1, save_suite_data_async/2, save_suite_data_async/3, delete_suite_data/0,
         delete_suite_data/1, match_delete_suite_data/1, silence_connections/1, reset_silent_connections/0,
         get_overridden_silenced_connections/0, mark_process/0, mark_process/1, set_verbosity/1, get_verbosity/1,
         get_mode/0, remaining_test_procs/0]).
%% ct_config
-export([call/1, set_config/3, get_all_config/0, lookup_name/1, lookup_key/1, release_allocated/0, get_key_from_name/1,
         associate_int/3]).
%% ct_hooks_lock
-export([request/0, release/0, start/1, stop/1]).
%% ct_event, ct
-export([notify/1, sync_notify/1, notify/2, sync_notify/2, send_html_comment/1, sleep/1, break/1, break/2]).
%% ct_logs
-export([log/3, tc_log/3, tc_log/4, tc_log/5, tc_log/6, tc_print/3, tc_print/4, tc_print/5, tc_pal/3, tc_pal/4, tc_pal/5,
         tc_log_async/3, tc_log_async/5, init_tc/1, end_tc/1, set_stylesheet/2, clear_stylesheet/1, get_log_dir/0,
         get_log_dir/1, register_groupleader/2, unregister_groupleader/1]).
%% test_server
-export([timetrap/1, timetrap_cancel/0, timetrap_cancel/1, get_timetrap_info/0, adjusted_sleep/1, comment/1,
         make_priv_dir/0, capture_start/0, capture_stop/0, capture_get/0, format/3, timetrap_scale_factor/0]).

-define(KEY, '$ravel_ct').
%% What ct_framework sets if a suite says nothing.
-define(NO_TIMETRAP, 30 * 60 * 1000).

-spec start(module(), pid()) -> ok.
start(Suite, Runner) ->
    put_state((initial())#{runner => Runner, suite_data => [{ct_hooks, []}], test_data => [{starter, ct}], suite => Suite}).

initial() ->
    #{runner => none, suite_data => [], test_data => [], suite => none, timetrap => infinity,
      config => [{Key, Value, '_UNDEF', false} || {Key, Value} <- given(config)]}.

%% What the project or the command line gives: files of configuration, hooks.
given(What) ->
    case code:ensure_loaded(ravel_ct_configuration) of
        {module, Module} -> Module:What();
        _ -> []
    end.

hooks() -> given(hooks).

state() ->
    case get(?KEY) of
        undefined -> initial();
        State -> State
    end.

put_state(State) ->
    put(?KEY, State),
    ok.

%% What is not as it was given to the process.
changes(Before) -> maps:filter(fun(Key, Value) -> maps:get(Key, Before) =/= Value end, maps:remove(timetrap, state())).

change(Changes) -> put_state(maps:merge(state(), Changes)).

%% That a test is skipped is known when it runs.
-spec note_skip(term()) -> ok.
note_skip(Reason) ->
    put('$ravel_ct_skipped', Reason),
    ok.

skip_reason() -> get('$ravel_ct_skipped').

field(Name) -> maps:get(Name, state()).

set_field(Name, Value) -> put_state((state())#{Name := Value}).

%% ---- ct_util

get_testdata(all) -> field(test_data);
get_testdata(Key) -> proplists:get_value(Key, field(test_data)).

get_testdata(Key, _Timeout) -> get_testdata(Key).

set_testdata({Key, Value}) -> set_field(test_data, lists:keystore(Key, 1, field(test_data), {Key, Value})).

set_testdata_async(Pair) -> set_testdata(Pair).

update_testdata(Key, Change) -> update_testdata(Key, Change, []).

update_testdata(Key, Change, Options) ->
    case lists:keyfind(Key, 1, field(test_data)) of
        {Key, Value} ->
            case Change(Value) of
                '$delete' -> delete_testdata(Key), deleted;
                New -> set_testdata({Key, New}), New
            end;
        false ->
            case lists:member(create, Options) of
                true -> New = Change(undefined), set_testdata({Key, New}), New;
                false -> undefined
            end
    end.

delete_testdata(Key) -> set_field(test_data, lists:keydelete(Key, 1, field(test_data))).

match_delete_testdata({Name, '_'}) ->
    set_field(test_data, [Pair || {Key, _} = Pair <- field(test_data), not (is_tuple(Key) andalso element(1, Key) =:= Name)]);
match_delete_testdata(Key) -> delete_testdata(Key).

read_suite_data(Key) -> proplists:get_value(Key, field(suite_data)).

save_suite_data({Key, Value}) -> set_field(suite_data, lists:keystore(Key, 1, field(suite_data), {Key, Value})).

save_suite_data(Key, Value) -> save_suite_data({Key, Value}).
save_suite_data(Key, Name, Value) -> save_suite_data({Key, {Name, Value}}).

save_suite_data_async(Pair) -> save_suite_data(Pair).
save_suite_data_async(Key, Value) -> save_suite_data({Key, Value}).
save_suite_data_async(Key, Name, Value) -> save_suite_data(Key, Name, Value).

delete_suite_data() -> set_field(suite_data, []).
delete_suite_data(Key) -> set_field(suite_data, lists:keydelete(Key, 1, field(suite_data))).

match_delete_suite_data({Kind, Suite, '_'}) ->
    set_field(suite_data, [Pair || {Key, _} = Pair <- field(suite_data), not is_of(Key, Kind, Suite)]).

is_of({Kind, Suite, _}, Kind, Suite) -> true;
is_of(_Key, _Kind, _Suite) -> false.

silence_connections(_Connections) -> ok.
reset_silent_connections() -> ok.
get_overridden_silenced_connections() -> undefined.
mark_process() -> ok.
mark_process(_Pid) -> ok.
set_verbosity(_Pair) -> ok.
get_verbosity(_Category) -> 50.
get_mode() -> normal.
remaining_test_procs() -> {[], [], []}.

%% ---- ct_config: rows {Key, Value, Alias, Default}

call({require, Name, Key}) -> require(Name, Key);
call({set_default_config, {Config, Scope}}) -> set_config('_UNDEF', Config, {true, Scope}), ok;
call({set_default_config, {Name, Config, Scope}}) -> set_config(Name, Config, {true, Scope}), ok;
call({delete_default_config, Scope}) ->
    set_rows([Row || {_, _, _, Default} = Row <- rows(), Default =/= {true, Scope}]);
call({update_config, {Name, New}}) ->
    set_rows([case Row of {Key, _, Name, Default} -> {Key, New, Name, Default}; _ -> Row end || Row <- rows()]);
call({reload_config, Name}) -> ct_config:get_config(Name).

rows() -> field(config).
set_rows(Rows) -> set_field(config, Rows).

set_config(Name, Config, Default) ->
    New = [{Key, Value, Name, Default} || {Key, Value} <- Config],
    set_rows(rows() ++ (New -- rows())),
    [true || _ <- New].

get_all_config() -> [{Name, Key, Value, Default} || {Key, Value, Name, Default} <- rows()].

lookup_name(Name) -> [{Value} || {_, Value, Alias, _} <- rows(), Alias =:= Name].

lookup_key(Key) -> [{Value} || {This, Value, '_UNDEF', _} <- rows(), This =:= Key].

release_allocated() -> set_rows(lists:uniq([{Key, Value, '_UNDEF', Default} || {Key, Value, _, Default} <- rows()])).

get_key_from_name(Name) ->
    case [Key || {Key, _, Alias, _} <- rows(), Alias =:= Name] of
        [Key | _] -> {ok, Key};
        [] -> {error, {no_such_name, Name}}
    end.

require(Name, Key) ->
    Missing = make_ref(),
    case get_key_from_name(Name) of
        {error, _} ->
            case ct_config:get_config(Key, Missing, [all, element]) of
                [{_, Missing}] -> {error, {not_available, Key}};
                Found when Name =:= '_UNDEF' -> _ = Found, ok;
                Found -> associate_int(Name, Found, case Key of {_, Keys} when is_list(Keys) -> "true"; _ -> false end), ok
            end;
        {ok, Known} when Known =:= Key; is_tuple(Key) andalso element(1, Key) =:= Known ->
            case ct_config:get_config(Key, Missing, []) of
                Missing -> {error, {not_available, Key}};
                {error, _} = Error -> Error;
                _ -> ok
            end;
        {ok, Other} -> {error, {name_in_use, Name, Other}}
    end.

associate_int(Name, Found, WholeKey) ->
    lists:foreach(fun({Full, Value}) ->
        Key = case Full of {First} -> First; _ when is_tuple(Full) -> element(1, Full); _ -> Full end,
        New = [{Key, case WholeKey of "true" -> Old; _ -> Value end, Name, Default}
               || {This, Old, '_UNDEF', Default} <- rows(), This =:= Key],
        set_rows(rows() ++ (New -- rows()))
    end, Found).

%% ---- ct_hooks_lock: what hooks keep is each process's own

request() -> locked.
release() -> unlocked.
start(_Id) -> {ok, self()}.
stop(_Id) -> stopped.

%% ---- ct_event and ct

notify(_Event) -> ok.
sync_notify(_Event) -> ok.
notify(_Name, _Data) -> ok.
sync_notify(_Name, _Data) -> ok.
send_html_comment(_Comment) -> ok.

sleep({hours, Hours}) -> timer:sleep(trunc(Hours * 60 * 60 * 1000));
sleep({minutes, Minutes}) -> timer:sleep(trunc(Minutes * 60 * 1000));
sleep({seconds, Seconds}) -> timer:sleep(trunc(Seconds * 1000));
sleep(Time) -> timer:sleep(Time).

break(_Comment) -> {error, 'enable break with release_shell option'}.
break(_Case, _Comment) -> {error, 'enable break with release_shell option'}.

%% ---- ct_logs: what is said goes to the output

log(_Heading, _Format, _Args) -> ok.

tc_log(_Category, Format, Args) -> print(Format, Args).
tc_log(Category, _Importance, Format, Args) -> tc_log(Category, Format, Args).
tc_log(ct_error_notify, _Importance, _Format, _Args, _Options) -> ok;
tc_log(_Category, _Importance, Format, Args, Options) when is_list(Options), is_list(Args) -> print(Format, Args);
tc_log(_Category, _Importance, _Heading, Format, Args) -> print(Format, Args).
tc_log(_Category, _Importance, _Heading, Format, Args, _Options) -> print(Format, Args).
tc_log_async(_Category, Format, Args) -> print(Format, Args).
tc_log_async(_Category, _Importance, _Heading, Format, Args) -> print(Format, Args).
tc_print(_Category, Format, Args) -> print(Format, Args).
tc_print(_Category, _Importance, Format, Args) -> print(Format, Args).
tc_print(_Category, _Importance, Format, Args, _Options) -> print(Format, Args).
tc_pal(_Category, Format, Args) -> print(Format, Args).
tc_pal(_Category, _Importance, Format, Args) -> print(Format, Args).
tc_pal(_Category, _Importance, Format, Args, _Options) -> print(Format, Args).

%% A format that does not fit its arguments is no failure in Common Test.
print(Format, Args) ->
    try io:format(Format ++ "~n", Args)
    catch _:_ -> io:format("~tp ~tp~n", [Format, Args])
    end,
    ok.

init_tc(_Refresh) -> ok.
end_tc(_Pid) -> ok.
set_stylesheet(_Case, _File) -> ok.
clear_stylesheet(_Case) -> ok.
register_groupleader(_Pid, _Leader) -> ok.
unregister_groupleader(_Pid) -> ok.

get_log_dir() -> file:get_cwd().
get_log_dir(_ReturnAbsolute) -> file:get_cwd().

%% ---- test_server

%% Whether a timeout fires only when it is due.
-spec has_timetraps() -> boolean().
has_timetraps() -> erlang:nif_error(undefined).

%% The runner gets it, and waits no longer. The default of half an hour is left out: then a deadlock is told as that.
timetrap(Time) ->
    case milliseconds(Time) of
        ?NO_TIMETRAP -> ok;
        Milliseconds ->
            #{runner := Runner, timetrap := Before} = State = state(),
            case Runner =/= none andalso Milliseconds =/= Before andalso has_timetraps() of
                true ->
                    put_state(State#{timetrap := Milliseconds}),
                    Runner ! {ravel_ct_timetrap, self(), Milliseconds};
                false -> ok
            end
    end,
    infinity.

milliseconds({hours, Hours}) -> trunc(Hours * 60 * 60 * 1000);
milliseconds({minutes, Minutes}) -> trunc(Minutes * 60 * 1000);
milliseconds({seconds, Seconds}) -> trunc(Seconds * 1000);
milliseconds(Milliseconds) when is_integer(Milliseconds) -> Milliseconds;
milliseconds(infinity) -> infinity;
milliseconds({Module, Function, Args}) when is_atom(Module), is_atom(Function), is_list(Args) ->
    milliseconds(apply(Module, Function, Args));
milliseconds(Function) when is_function(Function, 0) -> milliseconds(Function());
milliseconds(Other) -> exit({invalid_time_format, Other}).

%% A test case that cancels its timetrap is about to set another one, or to end.
timetrap_cancel() -> ok.
timetrap_cancel(_Handle) -> ok.

get_timetrap_info() ->
    case field(timetrap) of
        infinity -> undefined;
        Milliseconds -> {Milliseconds, {false, 1}}
    end.

timetrap_scale_factor() -> 1.

adjusted_sleep(Milliseconds) -> timer:sleep(Milliseconds).

comment(_Text) -> ok.

make_priv_dir() -> ok.

capture_start() -> ok.
capture_stop() -> ok.
capture_get() -> [].

format(_Detail, Format, Args) -> print(Format, Args).
