%% Chain replication (R. van Renesse, F. B. Schneider, OSDI 2004) with four servers, two of which fail: a
%% master sets up the chain and repairs it, a client updates it, and somebody kills two servers at any time.
%% Where one fails before the chain is set up, everybody gives up. Afterwards the master has a defect: while
%% it repairs the chain after one failure, it takes no notice of another one, of the neighbour that it asks,
%% and waits for ever for its answer.
%%
%% It tells an explorer who is to come late, and when the chain is set up (README.md).
-module(two_failures).
-export([two_fail/0]).

two_fail() ->
    Client = self(),
    Servers = [spawn(fun() -> server() end) || _ <- [1, 2, 3, 4]],
    Master = spawn(fun() -> ravel:explorer(late), manage(Servers, Client) end),
    spawn(fun() -> ravel:explorer(late), kill_two(Servers) end),
    receive
        chain_is_up -> [update(N, Master) || N <- [1, 2]];
        gives_up -> [exit(Server, kill) || Server <- Servers]
    end.

%% What fails, and in which order, is a choice.
kill_two([Head | Others] = Servers) ->
    First = ravel:choose(Others ++ [Head]),
    exit(First, kill),
    {Before, [First | Behind]} = lists:splitwith(fun(Server) -> Server =/= First end, Servers),
    exit(ravel:choose(Behind ++ Before), kill).

%% ---- The client

update(Value, Master) ->
    Master ! {who_is_head, self()},
    receive {head, Head} -> Head ! {update, Value, self()} end,
    reply(Value, Master).

reply(Value, Master) ->
    receive
        {updated, Value} -> ok;
        chain_is_changed -> update(Value, Master)
    end.

%% ---- The master

manage(Servers, Client) ->
    [monitor(process, Server) || Server <- Servers],
    link_up(none, Servers),
    case lists:all(fun is_ready/1, Servers) of
        true ->
            ravel:explorer(initialised),
            Client ! chain_is_up,
            watch(Servers, Client);
        false ->
            Client ! gives_up
    end.

is_ready(Server) ->
    receive
        {ready, Server} -> true;
        {'DOWN', _, process, _, _} -> false
    end.

link_up(_, []) -> ok;
link_up(Predecessor, [Server | Rest]) ->
    Server ! {set_up, self(), Predecessor, hd(Rest ++ [none])},
    link_up(Server, Rest).

watch(Servers, Client) ->
    receive
        {who_is_head, From} -> From ! {head, hd(Servers)}, watch(Servers, Client);
        {'DOWN', _, process, Dead, _} -> watch(repair(Dead, Servers, Client), Client)
    end.

%% The servers that are left.
repair(Dead, Servers, Client) ->
    {Before, [Dead | Behind]} = lists:splitwith(fun(Server) -> Server =/= Dead end, Servers),
    connect(lists:reverse(Before), Behind),
    Client ! chain_is_changed,
    Before ++ Behind.

connect([], [Head | _]) -> Head ! {predecessor, none};
connect([Tail | _], []) -> Tail ! {successor, none, []};
connect([Predecessor | _], [Successor | _]) ->
    Successor ! {predecessor, Predecessor, self()},
    receive {has, Successor, Values} -> Predecessor ! {successor, Successor, Values} end.

%% ---- A server

server() ->
    receive
        {set_up, Master, Predecessor, Successor} ->
            Master ! {ready, self()},
            serve(Predecessor, Successor, [])
    end.

serve(Predecessor, Successor, Values) ->
    receive
        {update, Value, Client} -> serve(Predecessor, Successor, store(Value, Client, Successor, Values));
        {predecessor, none} -> serve(none, Successor, Values);
        {predecessor, Other, Master} ->
            Master ! {has, self(), Values},
            serve(Other, Successor, Values);
        {successor, Other, _} -> serve(Predecessor, Other, Values)
    end.

store(Value, Client, none, Values) ->
    Client ! {updated, Value},
    [Value | Values];
store(Value, Client, Successor, Values) ->
    Successor ! {update, Value, Client},
    [Value | Values].
