%% Registration server, step_02 (listings 6.1, 6.2 of "Dynamic Systematic Testing of Concurrent
%% Erlang Programs", A. Gotovos, 2011).
%% start/0 returns error instead of ok, to see a failing assertion.
-module(reg_server).

-export([start/0]).

start() ->
    error.
