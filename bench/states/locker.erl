%% The locker, a program without an end: a server gives clients one resource, exclusively or shared, and
%% each client asks for it and releases it, again and again. The protocol is that of the locker of T.
%% Arts, C. Benac Earle and J. Derrick ("Development of a verified Erlang program for resource locking",
%% STTT 5, 2004), which comes with McErlang. locker.pml and locker.m are models of this program.
%%
%% e3s2_test is three clients that want the resource exclusively and two that share it. The test's process
%% is the server, so no test ends: EUnit gives up after five seconds, and only a search that stores states
%% comes to an end.
%%
%% States, if a step goes from one receive to the next and references that nobody holds are given again:
%% those of locker.pml, and one before the test's first step.
%%
%%     e5 52,193   e4s1 50,801   e3s2 56,309   e2s3 75,797   e1s4 130,097   s5 284,273   s6 10,364,273
%%
%% While no client dies, nothing that the server does depends on its links, but its states do. With the
%% macro NO_LINKS it has none, and e5 has 9,753 states.
-module(locker).
-export([new/0, request/3, release/2, serve_waiting/1]).   % for otp_locker
-include_lib("eunit/include/eunit.hrl").

-record(lock, {owner = nobody, sharers = [],                    % pids
               waiting_exclusive = [], waiting_shared = []}).   % {Pid, Ref}, in the order of their requests

%% Tests

e1_test() -> serve(1, 0, anywhere).
e2_test() -> serve(2, 0, anywhere).
e3_test() -> serve(3, 0, anywhere).
e4_test() -> serve(4, 0, anywhere).
e5_test() -> serve(5, 0, anywhere).
e6_test() -> serve(6, 0, anywhere).
e4s1_test() -> serve(4, 1, anywhere).
e3s2_test() -> serve(3, 2, anywhere).
e2s3_test() -> serve(2, 3, anywhere).
e1s4_test() -> serve(1, 4, anywhere).
e3s3_test() -> serve(3, 3, anywhere).
s3_test() -> serve(0, 3, anywhere).
s5_test() -> serve(0, 5, anywhere).
s6_test() -> serve(0, 6, anywhere).

%% The same, and each client tells when it is in its critical region. (If a step goes from one receive to the
%% next, no other process ever sees it there.)
e3_mutex_test() -> serve(3, 0, region()).
e2s2_mutex_test() -> serve(2, 2, region()).
e3s2_mutex_test() -> serve(3, 2, region()).

serve(Exclusive, Shared, Region) ->
    process_flag(trap_exit, true),
    Server = self(),
    [spawn(fun() -> client(Server, exclusive, Region) end) || _ <- lists:seq(1, Exclusive)],
    [spawn(fun() -> client(Server, shared, Region) end) || _ <- lists:seq(1, Shared)],
    server(new()).

%% Clients

client(Server, Access, Region) ->
    ok = call(Server, {request, Access}),
    enter(Region, Access),
    leave(Region),
    done = call(Server, release),
    client(Server, Access, Region).

call(Server, Request) ->
    Ref = make_ref(),
    Server ! {Request, {self(), Ref}},
    receive {Ref, Answer} -> Answer end.

%% The critical region. Who is inside has a row {Pid, Access} in the table `mutex`.
region() -> ets:new(mutex, [named_table, public]).

enter(anywhere, _) -> ok;
enter(Region, Access) ->
    ets:insert(Region, {self(), Access}),
    case [Other || {Pid, Other} <- ets:tab2list(Region), Pid =/= self()] of
        [] -> ok;
        Others -> [shared] = lists:usort([Access | Others])   % who is not alone shares with those who share
    end.

leave(anywhere) -> ok;
leave(Region) -> ets:delete(Region, self()).

%% The server

new() -> #lock{}.

server(Lock) ->
    receive
        {{request, Access}, {Client, _} = Caller} ->
            link_with(Client),
            server(request(Access, Caller, Lock));
        {release, {Client, _} = Caller} ->
            Served = serve_waiting(release(Client, Lock)),
            answer(Caller, done),
            server(Served);
        {'EXIT', Client, _} ->
            server(serve_waiting(release(Client, forget(Client, Lock))))
    end.

-ifdef(NO_LINKS).
link_with(_) -> ok.
-else.
link_with(Client) -> link(Client).
-endif.

%% Those who want the resource for themselves go before those who share.
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

%% Gives the resource to those who wait, as far as it goes.
serve_waiting(#lock{owner = nobody, sharers = [], waiting_exclusive = [Caller | Waiting]} = Lock) ->
    take_exclusively(Caller, Lock#lock{waiting_exclusive = Waiting});
serve_waiting(#lock{owner = nobody, waiting_exclusive = [], waiting_shared = [Caller | Waiting]} = Lock) ->
    serve_waiting(take_shared(Caller, Lock#lock{waiting_shared = Waiting}));
serve_waiting(Lock) -> Lock.

take_exclusively({Client, _} = Caller, Lock) ->
    answer(Caller, ok),
    Lock#lock{owner = Client}.

take_shared({Client, _} = Caller, #lock{sharers = Sharers} = Lock) ->
    answer(Caller, ok),
    Lock#lock{sharers = [Client | Sharers]}.

forget(Client, #lock{waiting_exclusive = Exclusive, waiting_shared = Shared} = Lock) ->
    Lock#lock{waiting_exclusive = lists:keydelete(Client, 1, Exclusive),
              waiting_shared = lists:keydelete(Client, 1, Shared)}.

answer({Client, Ref}, Answer) when is_reference(Ref) -> Client ! {Ref, Answer};
answer(CallerOfOtp, Answer) -> gen_server:reply(CallerOfOtp, Answer).
