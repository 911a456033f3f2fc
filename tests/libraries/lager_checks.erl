%% library: lager
%% Its sink, a gen_event, with a backend that tells the test.
-module(lager_checks).
-behaviour(gen_event).
-export([told/0]).
-export([init/1, handle_event/2, handle_call/2, handle_info/2, terminate/2, code_change/3]).
%% options: --after-infinite 1000 --normal shutdown

init(Test) -> {ok, Test}.
handle_event({log, Message}, Test) ->
    Test ! {logged, lists:flatten(lager_msg:message(Message))},
    {ok, Test};
handle_event(_Event, Test) -> {ok, Test}.
handle_call(_Request, Test) -> {ok, ok, Test}.
handle_info(_Message, Test) -> {ok, Test}.
terminate(_Reason, _Test) -> ok.
code_change(_Old, Test, _Extra) -> {ok, Test}.

%% Two processes that log: both messages come, in either order.
%% expect: lager_checks:told dpor pass
told() ->
    {ok, Sink} = gen_event:start_link({local, lager_event}),
    ok = gen_event:add_handler(Sink, ?MODULE, self()),
    Log = fun(Text) -> gen_event:notify(lager_event, {log, lager_msg:new(Text, info, [], [])}) end,
    spawn_link(fun() -> Log("one") end),
    Log("two"),
    ["one", "two"] = lists:sort([receive {logged, Text} -> Text end || _ <- [1, 2]]),
    ok = gen_event:stop(Sink).
