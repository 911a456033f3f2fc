%% Registration server, step_01 (listings 6.1, 6.2 of "Dynamic Systematic Testing of Concurrent
%% Erlang Programs", A. Gotovos, 2011).
%% The first test, and a start/0 that only returns ok.
-module(reg_server).

-export([start/0]).

start() ->
    ok.
