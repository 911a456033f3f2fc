%% A gen_server whose callers increment a number: by reading it and writing it back, which loses updates, and by one
%% request, which does not. Ravel finds the schedule in which the second write takes back the first.
-module(counter_server).
-behaviour(gen_server).

-export([lost_update_test/0, one_request_test/0]).
-export([init/1, handle_call/3, handle_cast/2]).

lost_update_test() ->
    with_two_callers(fun(Server) ->
                             Value = gen_server:call(Server, get, infinity),
                             ok = gen_server:call(Server, {set, Value + 1}, infinity)
                     end).

one_request_test() ->
    with_two_callers(fun(Server) -> ok = gen_server:call(Server, increment, infinity) end).

with_two_callers(Increment) ->
    {ok, Server} = gen_server:start_link(?MODULE, 0, []),
    Self = self(),
    Callers = [spawn_link(fun() -> Increment(Server), Self ! {done, self()} end) || _ <- [1, 2]],
    [receive {done, Caller} -> ok end || Caller <- Callers],
    2 = gen_server:call(Server, get, infinity),
    ok = gen_server:stop(Server).

init(Value) -> {ok, Value}.

handle_call(get, _From, Value) -> {reply, Value, Value};
handle_call({set, Value}, _From, _Old) -> {reply, ok, Value};
handle_call(increment, _From, Value) -> {reply, ok, Value + 1}.

handle_cast(_Request, Value) -> {noreply, Value}.
