%% Five processes and messages between them, without a bug: what search is measured on.
%%
%% Schedules (orders of spawn, send, receive and end, without blocked steps), counted by a model of the programs:
%%   server/0   2,091,680        a server, a log, two clients that ask the one and write to the other, and their parent
%%   star/0     4,619,160        four children that each send to their parent
%%   endless/0  14,103,320,512   a server and three clients that report to their parent: for searches that a budget ends
-module(five_processes).
-export([server/0, star/0, endless/0]).

server() ->
    Server = spawn(fun() -> answer(2, 0) end),
    Log = spawn(fun() -> [receive {sum, Sum} -> Sum end || _ <- [1, 2]] end),
    [spawn(fun() -> Log ! {sum, ask(Server, N)} end) || N <- [1, 2]].

star() ->
    Self = self(),
    [spawn(fun() -> Self ! N end) || N <- [1, 2, 3, 4]],
    10 = lists:sum([receive N -> N end || _ <- [1, 2, 3, 4]]).

endless() ->
    Self = self(),
    Server = spawn(fun() -> answer(3, 0) end),
    [spawn(fun() -> Self ! {sum, ask(Server, N)} end) || N <- [1, 2, 3]],
    6 = lists:max([receive {sum, Sum} -> Sum end || _ <- [1, 2, 3]]).

ask(Server, N) ->
    Server ! {add, self(), N},
    receive {total, Sum} -> Sum end.

answer(0, _) -> ok;
answer(N, Sum) ->
    receive
        {add, From, K} ->
            From ! {total, Sum + K},
            answer(N - 1, Sum + K)
    end.
