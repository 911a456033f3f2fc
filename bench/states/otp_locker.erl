%% The locker of locker.erl as a gen_server of Erlang/OTP: its clients call it, with monitors and aliases, and
%% it answers when they have the resource. They wait without a timeout: steps of states in which somebody has
%% a time to wait are not known. (With locker.erl, this is a program of two modules.)
-module(otp_locker).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).
-include_lib("eunit/include/eunit.hrl").

%% Tests: so many exclusive clients, and so many that share.

e1_test() -> serve(1, 0).
e5_test() -> serve(5, 0).
e4s1_test() -> serve(4, 1).
e3s2_test() -> serve(3, 2).
e2s3_test() -> serve(2, 3).
e1s4_test() -> serve(1, 4).
s5_test() -> serve(0, 5).
e6_test() -> serve(6, 0).
e3s3_test() -> serve(3, 3).
s6_test() -> serve(0, 6).

serve(Exclusive, Shared) ->
    {ok, Server} = gen_server:start_link(?MODULE, [], []),
    [spawn(fun() -> client(Server, exclusive) end) || _ <- lists:seq(1, Exclusive)],
    [spawn(fun() -> client(Server, shared) end) || _ <- lists:seq(1, Shared)],
    receive no_such_message -> ok end.

client(Server, Access) ->
    ok = gen_server:call(Server, {request, Access}, infinity),
    done = gen_server:call(Server, release, infinity),
    client(Server, Access).

%% The server

init([]) -> {ok, locker:new()}.

handle_call({request, Access}, Caller, Lock) -> {noreply, locker:request(Access, Caller, Lock)};
handle_call(release, {Client, _}, Lock) -> {reply, done, locker:serve_waiting(locker:release(Client, Lock))}.

handle_cast(_, Lock) -> {noreply, Lock}.
