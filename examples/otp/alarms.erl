%% A gen_event with two handlers, one of which crashes: it is removed and reported, the other one goes on.
-module(alarms).
-behaviour(gen_event).

-export([crashing_handler_test/0, supervised_handler_test/0]).
-export([init/1, handle_event/2, handle_call/2]).

crashing_handler_test() ->
    {ok, Manager} = gen_event:start_link(),
    ok = gen_event:add_handler(Manager, {?MODULE, good}, good),
    ok = gen_event:add_handler(Manager, {?MODULE, bad}, bad),
    gen_event:notify(Manager, first),
    gen_event:notify(Manager, crash_the_bad_one),
    gen_event:sync_notify(Manager, last),
    [{?MODULE, good}] = gen_event:which_handlers(Manager),
    [first, crash_the_bad_one, last] = gen_event:call(Manager, {?MODULE, good}, events, infinity),
    ok = gen_event:stop(Manager).

%% Whoever adds a handler can ask to be told.
supervised_handler_test() ->
    {ok, Manager} = gen_event:start_link(),
    ok = gen_event:add_sup_handler(Manager, {?MODULE, bad}, bad),
    gen_event:notify(Manager, crash_the_bad_one),
    receive {gen_event_EXIT, {?MODULE, bad}, {'EXIT', {crash, _}}} -> ok end,
    ok = gen_event:stop(Manager).

init(Name) -> {ok, {Name, []}}.

handle_event(crash_the_bad_one, {bad, _Events}) -> error(crash);
handle_event(Event, {Name, Events}) -> {ok, {Name, [Event | Events]}}.

handle_call(events, {_Name, Events} = State) -> {ok, lists:reverse(Events), State}.
