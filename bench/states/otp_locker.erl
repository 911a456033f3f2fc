%% The locker of locker.erl as a gen_server of Erlang/OTP: its clients call it, with monitors and aliases, and
%% it answers when they have the resource.
-module(otp_locker).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).
-include_lib("eunit/include/eunit.hrl").

-record(lock, {owner = nobody, sharers = [],                    % pids
               waiting_exclusive = [], waiting_shared = []}).   % callers, in the order of their requests

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

init([]) -> {ok, #lock{}}.

handle_call({request, Access}, Caller, Lock) -> {noreply, request(Access, Caller, Lock)};
handle_call(release, {Client, _}, Lock) -> {reply, done, serve_waiting(release(Client, Lock))}.

handle_cast(_, Lock) -> {noreply, Lock}.

request(exclusive, Caller, #lock{owner = nobody, sharers = [], waiting_exclusive = []} = Lock) ->
    take_exclusively(Caller, Lock);
request(exclusive, Caller, #lock{waiting_exclusive = Waiting} = Lock) ->
    Lock#lock{waiting_exclusive = Waiting ++ [Caller]};
request(shared, Caller, #lock{owner = nobody, waiting_exclusive = [], waiting_shared = []} = Lock) ->
    take_shared(Caller, Lock);
request(shared, Caller, #lock{waiting_shared = Waiting} = Lock) ->
    Lock#lock{waiting_shared = Waiting ++ [Caller]}.

release(Client, #lock{owner = Client} = Lock) -> Lock#lock{owner = nobody};
release(Client, #lock{sharers = Sharers} = Lock) -> Lock#lock{sharers = lists:delete(Client, Sharers)}.

serve_waiting(#lock{owner = nobody, sharers = [], waiting_exclusive = [Caller | Waiting]} = Lock) ->
    take_exclusively(Caller, Lock#lock{waiting_exclusive = Waiting});
serve_waiting(#lock{owner = nobody, waiting_exclusive = [], waiting_shared = [Caller | Waiting]} = Lock) ->
    serve_waiting(take_shared(Caller, Lock#lock{waiting_shared = Waiting}));
serve_waiting(Lock) -> Lock.

take_exclusively({Client, _} = Caller, Lock) ->
    gen_server:reply(Caller, ok),
    Lock#lock{owner = Client}.

take_shared({Client, _} = Caller, #lock{sharers = Sharers} = Lock) ->
    gen_server:reply(Caller, ok),
    Lock#lock{sharers = [Client | Sharers]}.
