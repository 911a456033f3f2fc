%% Electing a leader in a ring: E. Chang and R. Roberts, "An improved algorithm for decentralized
%% extrema-finding in circular configurations of processes" (CACM 22, 1979). Each node sends its number on;
%% of the numbers that come by, only larger ones pass. The node whose number comes back is the leader, and
%% says so once around the ring.
%%
%%   ravel check election.erl --delivery channels     no bug
%%   ravel check election.erl -t election:trusting_test --delivery channels --drop 1  a bug: needs 1 lost message
%%   ravel check election.erl -t election:patient_test --delivery channels --drop 1 --strategy states  no bug
%%
%% Who has patience sends its last word again after a while.
-module(election).
-include_lib("eunit/include/eunit.hrl").

-define(NAMES, [node_1, node_2, node_3]).

trusting_test() -> all_elect(3, infinity).

patient_test() -> all_elect(3, 100).

%% The nodes find each other by their names: nothing but the election needs messages.
all_elect(Count, Patience) ->
    Names = lists:sublist(?NAMES, Count),
    [register(Name, spawn(fun() -> start(Number, Next, Patience) end))
     || {Name, Next, Number} <- lists:zip3(Names, tl(Names) ++ [hd(Names)], lists:seq(1, Count))],
    [?assertEqual(Count, ask(whereis(Name), Patience)) || Name <- Names].

ask(Node, Patience) ->
    Node ! {who, self()},
    receive {Node, Leader} -> Leader after Patience -> ask(Node, Patience) end.

%% Nodes

-record(node, {number, next, patience, last_word}).

%% When all have their names.
start(Number, Next, Patience) ->
    timer:sleep(1),
    Node = #node{number = Number, next = Next, patience = Patience},
    candidate(Number, wait(say({candidate, Number}, Node))).

%% Best is the largest number that has come by.
candidate(Best, #node{number = Number} = Node) ->
    receive
        {candidate, Number} -> leader(say({leader, Number}, Node));
        {candidate, Other} when Other >= Best -> candidate(Other, say({candidate, Other}, Node));
        {candidate, _} -> candidate(Best, Node);
        {leader, Leader} -> follower(Leader, say({leader, Leader}, Node));
        again -> candidate(Best, wait(say_again(Node)))
    end.

leader(#node{number = Number} = Node) ->
    receive
        {candidate, _} -> leader(Node);
        {leader, Number} -> follower(Number, Node);
        again -> leader(wait(say_again(Node)))
    end.

%% The leader, too, once it has heard of itself: what comes around another time ends there.
follower(Leader, Node) ->
    receive
        {candidate, _} -> ok;
        {leader, _} when Leader =:= Node#node.number -> ok;
        {leader, Leader} -> say({leader, Leader}, Node);
        {who, Client} -> Client ! {self(), Leader};
        again -> ok
    end,
    follower(Leader, Node).

say(Word, Node) -> say_again(Node#node{last_word = Word}).

say_again(#node{next = Next, last_word = Word} = Node) ->
    Next ! Word,
    Node.

%% By a timer, and not by `after`, whose time would begin anew with each message: then nodes that wait for
%% equally long can keep one of them from ever saying its word again.
wait(#node{patience = infinity} = Node) -> Node;
wait(#node{patience = Patience} = Node) ->
    erlang:send_after(Patience, self(), again),
    Node.
