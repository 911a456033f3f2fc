%% An application with an environment: started by the real application controller, stopped while somebody uses it.
-module(shop).
-behaviour(application).
-behaviour(supervisor).

-export([start_and_stop_test/0, environment_test/0, stopped_while_used_test/0]).
-export([start/2, stop/1, init/1, start_till/1, till/2]).

start_and_stop_test() ->
    ok = load(),
    ok = application:start(shop),
    {error, {already_started, shop}} = application:start(shop),
    17 = ask(),
    ok = application:stop(shop),
    undefined = whereis(till),
    ok = application:unload(shop).

environment_test() ->
    ok = load(),
    {ok, 17} = application:get_env(shop, price),
    ok = application:set_env(shop, price, 18, [{timeout, infinity}]),
    ok = application:start(shop),
    18 = ask(),
    {ok, shop} = application:get_application(shop),
    ok = application:stop(shop).

%% Wrong: the till may be gone when it is asked.
stopped_while_used_test() ->
    ok = load(),
    ok = application:start(shop),
    {Customer, Monitor} = spawn_monitor(fun() -> 17 = ask() end),
    ok = application:stop(shop),
    receive {'DOWN', Monitor, process, Customer, normal} -> ok end.

load() ->
    application:load({application, shop, [{description, "a shop"}, {vsn, "1"}, {modules, [shop]}, {registered, [till]},
                                          {applications, [kernel, stdlib]}, {env, [{price, 17}]}, {mod, {shop, []}}]}).

ask() ->
    Reference = monitor(process, till),
    till ! {price, self(), Reference},
    receive
        {Reference, Price} -> demonitor(Reference, [flush]), Price;
        {'DOWN', Reference, process, _, Reason} -> exit({till, Reason})
    end.

start(normal, []) -> supervisor:start_link(?MODULE, []).
stop(_State) -> ok.

init([]) -> {ok, {#{}, [#{id => till, start => {?MODULE, start_till, [self()]}, shutdown => infinity}]}}.

start_till(Supervisor) -> proc_lib:start_link(?MODULE, till, [Supervisor, application:get_env(shop, price)]).

till(Supervisor, {ok, Price}) ->
    register(till, self()),
    proc_lib:init_ack(Supervisor, {ok, self()}),
    till(Price).

till(Price) -> receive {price, From, Reference} -> From ! {Reference, Price}, till(Price) end.
