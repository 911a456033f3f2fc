%% Choices of the program: each way is tried, once for each trace.
%% expect: choices:two_numbers dfs pass schedules=9
%% expect: choices:one_of_a_list dfs pass schedules=3
%% expect: choices:a_number_is_bad dfs bug abnormal_exit
%% expect: choices:in_two_processes dpor pass schedules=4
%% expect: choices:both_second dpor bug abnormal_exit
%% expect: choices:a_choice_of_none dfs bug abnormal_exit
%% expect: choices:choice_after_a_message dpor pass schedules=4
%% expect: choices:while_somebody_waits preemption pass
%% expect: choices:asserted dfs bug abnormal_exit
-module(choices).
-export([two_numbers/0, one_of_a_list/0, a_number_is_bad/0, in_two_processes/0, both_second/0, a_choice_of_none/0,
         choice_after_a_message/0, while_somebody_waits/0, asserted/0]).

two_numbers() ->
    A = ravel:choose(3),
    B = ravel:choose(3),
    ravel:assert(A + B =< 6).

one_of_a_list() ->
    true = lists:member(ravel:choose([a, {b}, "c"]), [a, {b}, "c"]).

a_number_is_bad() ->
    case ravel:choose(50) of
        37 -> error(this_one);
        _ -> ok
    end.

%% The answers are told apart, so their order makes no difference: two times two traces.
answers() ->
    Self = self(),
    Children = [spawn(fun() -> Self ! {self(), ravel:choose(2)} end) || _ <- [1, 2]],
    [receive {Child, N} -> N end || Child <- Children].

in_two_processes() ->
    true = lists:sum(answers()) =< 4.

both_second() ->
    false = answers() =:= [2, 2].

a_choice_of_none() ->
    ravel:choose([]).

%% Which message comes first, and then one of two.
choice_after_a_message() ->
    Self = self(),
    [spawn(fun() -> Self ! I end) || I <- [1, 2]],
    First = receive N -> N end,
    {First, ravel:choose(2)}.

while_somebody_waits() ->
    Self = self(),
    Waiting = spawn(fun() -> receive {go, N} -> Self ! {gone, N} end end),
    Waiting ! {go, ravel:choose(3)},
    receive {gone, N} -> true = N =< 3 end.

asserted() ->
    ravel:assert(ravel:choose([true, true, false]), a_reason).
