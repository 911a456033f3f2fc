%% Two-phase commit: two transactions at once on the same two accounts. An account takes part in one
%% transaction at a time, and refuses any other. So both may be aborted, and what is committed is committed
%% by both accounts.
%%
%%   ravel check two_phase_commit.erl -t two_phase_commit:commit_test             no bug
%%   ravel check two_phase_commit.erl -t two_phase_commit:first_vote_test         a bug: an account crashes
%%   ravel check two_phase_commit.erl -t two_phase_commit:any_abort_test          a bug: an account crashes
-module(two_phase_commit).
-include_lib("eunit/include/eunit.hrl").

commit_test() -> two_transactions(none).

%% A coordinator decides when the first vote has come. An account crashes that is to commit what it refused.
first_vote_test() -> two_transactions(first_vote).

%% An account is free again when any transaction is aborted, also one that it refused. It takes part in the
%% next one before the current one has ended.
any_abort_test() -> two_transactions(any_abort).

two_transactions(Defect) ->
    Accounts = [spawn_link(fun() -> account(free, [], Defect) end) || _ <- [1, 2]],
    Self = self(),
    Coordinators = [spawn_link(fun() -> Self ! {self(), coordinate(Name, Accounts, Defect)} end)
                    || Name <- [first, second]],
    Outcomes = [receive {Coordinator, Outcome} -> Outcome end || Coordinator <- Coordinators],
    Committed = [Name || {commit, Name} <- Outcomes],
    [?assertEqual(Committed, lists:sort(done(Account))) || Account <- Accounts].

coordinate(Name, Accounts, Defect) ->
    [Account ! {prepare, Name, self()} || Account <- Accounts],
    Votes = [receive {Account, Vote} -> Vote end || Account <- voters(Accounts, Defect)],
    Decision = case lists:member(no, Votes) of
                   true -> abort;
                   false -> commit
               end,
    [Account ! {Decision, Name} || Account <- Accounts],
    {Decision, Name}.

voters([First | _], first_vote) -> [First];
voters(Accounts, _) -> Accounts.

done(Account) ->
    Account ! {done, self()},
    receive {Account, Done} -> Done end.

%% State is free, or the transaction that it takes part in.
account(State, Done, Defect) ->
    receive
        {prepare, Name, Coordinator} when State =:= free ->
            Coordinator ! {self(), yes},
            account(Name, Done, Defect);
        {prepare, _, Coordinator} ->
            Coordinator ! {self(), no},
            account(State, Done, Defect);
        {commit, Name} ->
            State = Name,
            account(free, [Name | Done], Defect);
        {abort, Name} when Name =:= State; Defect =:= any_abort ->
            account(free, Done, Defect);
        {abort, _} ->
            account(State, Done, Defect);
        {done, Client} ->
            Client ! {self(), Done},
            account(State, Done, Defect)
    end.
