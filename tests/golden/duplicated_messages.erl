%% Messages that arrive twice, at most one in each execution.
%% rules: default
%% options: --time idle --delivery channels --duplicate 1
-module(duplicated_messages).
-export([counts/0, counts_once/0, copy_comes_next/0, others_come_between/0]).

deposit(Account) -> spawn(fun() -> Account ! {deposit, make_ref(), 1} end).

%% expect: duplicated_messages:counts dfs bug abnormal_exit
counts() ->
    deposit(self()),
    1 = sum(0, fun(_) -> false end).

%% expect: duplicated_messages:counts_once dfs pass
counts_once() ->
    deposit(self()),
    1 = sum(0, fun(Ref) -> put(Ref, seen) =:= seen end).

sum(Sum, WasSeen) ->
    receive {deposit, Ref, Amount} ->
        case WasSeen(Ref) of
            true -> sum(Sum, WasSeen);
            false -> sum(Sum + Amount, WasSeen)
        end
    after 100 -> Sum
    end.

received() -> receive N when is_integer(N) -> [N | received()] after 100 -> [] end.

%% What the same process has sent later comes after both.
%% expect: duplicated_messages:copy_comes_next dfs pass
copy_comes_next() ->
    Self = self(),
    spawn(fun() -> [Self ! N || N <- [1, 2]] end),
    true = lists:member(received(), [[1, 2], [1, 1, 2], [1, 2, 2]]).

%% What others send may come between.
%% expect: duplicated_messages:others_come_between dfs bug abnormal_exit
others_come_between() ->
    Self = self(),
    spawn(fun() -> Self ! 1 end),
    spawn(fun() -> Self ! 2 end),
    true = received() =/= [1, 2, 1].
