%% library: p1_utils
%% p1_server, p1_fsm and queues in files.
-module(p1_utils_checks).
-export([lost_update/0, requests/0, file_queue/0, shared_file_queue/0]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2, code_change/3]).
%% options: --after-infinite 1000

init(N) -> {ok, N}.
handle_call(get, _From, N) -> {reply, N, N};
handle_call({set, New}, _From, _N) -> {reply, ok, New};
handle_call(add, _From, N) -> {reply, N + 1, N + 1};
handle_call(stop, _From, N) -> {stop, normal, ok, N}.
handle_cast(_Message, N) -> {noreply, N}.
handle_info(_Message, N) -> {noreply, N}.
terminate(_Reason, _N) -> ok.
code_change(_Old, N, _Extra) -> {ok, N}.

both(Server, Fun) ->
    Self = self(),
    spawn_link(fun() -> Fun(), Self ! done end),
    Fun(),
    receive done -> ok end,
    2 = p1_server:call(Server, get),
    ok = p1_server:call(Server, stop).

%% Reading and then writing is not one request: two callers may lose an addition.
%% expect: p1_utils_checks:lost_update dpor bug abnormal_exit
lost_update() ->
    {ok, Server} = p1_server:start_link(?MODULE, 0, []),
    both(Server, fun() -> N = p1_server:call(Server, get), ok = p1_server:call(Server, {set, N + 1}) end).

%% expect: p1_utils_checks:requests dpor pass
requests() ->
    {ok, Server} = p1_server:start_link(?MODULE, 0, []),
    both(Server, fun() -> p1_server:call(Server, add) end).

queues() ->
    {ok, Queues} = p1_file_queue:start_link("queues"),
    Queues.

stop(Queues) ->
    unlink(Queues),
    Monitor = monitor(process, Queues),
    exit(Queues, shutdown),
    receive {'DOWN', Monitor, process, Queues, _} -> ok end.

%% A queue that lives in a file, which is part of the state.
%% expect: p1_utils_checks:file_queue dpor pass
file_queue() ->
    Queues = queues(),
    Queue = lists:foldl(fun p1_queue:in/2, p1_queue:new(file), [a, {b, 2}, "c"]),
    {{value, a}, Rest} = p1_queue:out(Queue),
    [{b, 2}, "c"] = p1_queue:to_list(Rest),
    2 = p1_queue:len(Rest),
    stop(Queues).

%% Only the process that has made a queue may use it.
%% expect: p1_utils_checks:shared_file_queue dpor pass
shared_file_queue() ->
    Queues = queues(),
    Queue = p1_queue:in(a, p1_queue:new(file)),
    Self = self(),
    spawn_link(fun() -> Self ! (try p1_queue:in(b, Queue) catch error:Reason -> Reason end) end),
    receive {bad_queue, {not_owner, _Path}} -> ok end,
    [a] = p1_queue:to_list(Queue),
    stop(Queues).
