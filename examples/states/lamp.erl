%% A server that runs for ever, and two clients that ask it again and again: by hand, and as a gen_server.
%% There is no deadlock. No execution ends, so only a search that stores states can say so.
-module(lamp).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).
-include_lib("eunit/include/eunit.hrl").

by_hand_test() ->
    Server = spawn(fun() -> loop(off) end),
    [spawn(fun() -> press(Server) end) || _ <- [1, 2]],
    receive after infinity -> ok end.

gen_server_test() ->
    {ok, Server} = gen_server:start_link(?MODULE, off, []),
    [spawn(fun() -> press_button(Server) end) || _ <- [1, 2]],
    receive after infinity -> ok end.

%% By hand

press(Server) ->
    Ref = make_ref(),
    Server ! {press, self(), Ref},
    receive {Ref, _Light} -> press(Server) end.

loop(Light) ->
    receive
        {press, Client, Ref} ->
            Client ! {Ref, other(Light)},
            loop(other(Light))
    end.

%% As a gen_server

press_button(Server) ->
    gen_server:call(Server, press),
    press_button(Server).

init(Light) -> {ok, Light}.
handle_call(press, _From, Light) -> {reply, other(Light), other(Light)}.
handle_cast(_, Light) -> {noreply, Light}.

other(off) -> on;
other(on) -> off.
