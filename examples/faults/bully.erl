%% Electing the strongest of some nodes: H. Garcia-Molina, "Elections in a distributed computing system" (IEEE
%% Transactions on Computers C-31, 1982), without failures of nodes. Each node asks all stronger ones whether
%% they are there. Who hears from one of them follows; who hears from nobody for a while leads.
%%
%%   ravel check bully.erl --delivery channels                                 no bug
%%   ravel check bully.erl -t bully:careless_test --delivery channels --drop 1  a bug: needs 1 lost message
%%   ravel check bully.erl -t bully:careful_test --delivery channels --drop 1   no bug
%%   ravel check bully.erl -t bully:careful_test --delivery channels --drop 2   a bug: needs 2 lost messages
%%
%% A node that asks once takes a lost message for silence, and there are two leaders. One that asks again
%% before it leads needs two lost messages to be wrong.
-module(bully).
-include_lib("eunit/include/eunit.hrl").

-define(NAMES, [node_1, node_2, node_3]).

careless_test() -> elects_the_strongest(1).

careful_test() -> elects_the_strongest(2).

elects_the_strongest(Tries) ->
    ets:new(leaders, [named_table, public]),
    [register(Name, spawn(fun() -> start(Name, Tries) end)) || Name <- ?NAMES],
    timer:sleep(1000),
    ?assertEqual([{leader, lists:last(?NAMES)}], ets:tab2list(leaders)).

%% When all have their names.
start(Name, Tries) ->
    timer:sleep(1),
    elect(Name, [Other || Other <- ?NAMES, Other > Name], Tries).

elect(Name, [], _) -> lead(Name);
elect(Name, _, 0) -> lead(Name);
elect(Name, Stronger, Tries) ->
    [Other ! {are_you_there, self()} || Other <- Stronger],
    wait(Name, Stronger, Tries).

wait(Name, Stronger, Tries) ->
    receive
        i_am -> follow();
        {are_you_there, Weaker} -> Weaker ! i_am, wait(Name, Stronger, Tries)
    after 100 -> elect(Name, Stronger, Tries - 1)
    end.

%% There is no other one.
lead(Name) ->
    ?assert(ets:insert_new(leaders, {leader, Name})),
    follow().

follow() ->
    receive
        {are_you_there, Weaker} -> Weaker ! i_am;
        i_am -> ok
    end,
    follow().
