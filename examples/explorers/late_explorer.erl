%% The explorer of the case study: who has called itself late comes after all others until the program is
%% initialised, and before them from then on. A delay puts who would have moved at the end.
-module(late_explorer).
-behaviour(ravel_explorer).
-export([init/0, enabled/3, blocked/2, next/2, delay/2, message/3]).

%% The order of all that there are, and who of them is late.
init() -> {[], []}.

enabled({Order, Late}, Actor, _By) ->
    case lists:member(Actor, Order) of
        true -> {Order, Late};
        false ->
            {Others, FromLate} = lists:splitwith(fun(Other) -> not lists:member(Other, Late) end, Order),
            {Others ++ [Actor | FromLate], Late}
    end.

blocked(State, _Actor) -> State.

next({Order, _}, Actors) -> hd([Actor || Actor <- Order, lists:member(Actor, Actors)]).

delay({Order, Late} = State, Actors) ->
    First = next(State, Actors),
    {lists:delete(First, Order) ++ [First], Late}.

message({Order, Late}, Actor, late) -> {lists:delete(Actor, Order) ++ [Actor], [Actor | Late]};
message({Order, Late}, _, initialised) -> {Late ++ (Order -- Late), []};
message(State, _, _) -> State.
