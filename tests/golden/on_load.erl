%% The on_load function of a module runs once, before the test, in a process of its own.
-module(on_load).
-export([loaded/0, by_another/0]).
-on_load(prepare/0).

prepare() ->
    persistent_term:put({?MODULE, prepared_by}, self()),
    ok.

%% expect: on_load:loaded dfs pass
loaded() ->
    Pid = persistent_term:get({?MODULE, prepared_by}),
    false = is_process_alive(Pid).

%% expect: on_load:by_another dfs pass
by_another() -> true = self() =/= persistent_term:get({?MODULE, prepared_by}).
