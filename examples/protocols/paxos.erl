%% Paxos for one value (L. Lamport, "The part-time parliament", ACM TOCS 16, 1998): two proposers with one
%% ballot each, and three acceptors. A proposer may come to nothing, and both may have a value chosen, but
%% not two different ones.
%%
%%   ravel check paxos.erl -t paxos:agreement_test        no bug
%%   ravel check paxos.erl -t paxos:own_value_test        a bug: two values are chosen
%%   ravel check paxos.erl -t paxos:old_ballot_test       a bug: two values are chosen
%%   ravel check paxos.erl -t paxos:no_quorum_test        a bug: two values are chosen
-module(paxos).
-include_lib("eunit/include/eunit.hrl").

agreement_test() -> two_proposers(none).

%% A proposer insists on its own value, although another one has been accepted.
own_value_test() -> two_proposers(own_value).

%% An acceptor accepts in an old ballot, although it has promised not to.
old_ballot_test() -> two_proposers(old_ballot).

%% One acceptor is enough.
no_quorum_test() -> two_proposers(no_quorum).

two_proposers(Defect) ->
    Acceptors = [spawn_link(fun() -> acceptor(0, none, Defect) end) || _ <- [1, 2, 3]],
    Self = self(),
    Proposers = [spawn_link(fun() -> Self ! {self(), propose(Ballot, Value, Acceptors, Defect)} end)
                 || {Ballot, Value} <- [{1, red}, {2, blue}]],
    Results = [receive {Proposer, Result} -> Result end || Proposer <- Proposers],
    ?assert(length(lists:usort([Value || {chosen, Value} <- Results])) =< 1).

propose(Ballot, Value, Acceptors, Defect) ->
    Quorum = quorum(Acceptors, Defect),
    [Acceptor ! {prepare, Ballot, self()} || Acceptor <- Acceptors],
    case replies(Ballot, Quorum, length(Acceptors) - Quorum) of
        {ok, Promises} ->
            Proposal = newest([Accepted || {promise, Accepted} <- Promises], Value, Defect),
            [Acceptor ! {accept, Ballot, Proposal, self()} || Acceptor <- Acceptors],
            case replies({Ballot, Proposal}, Quorum, length(Acceptors) - Quorum) of
                {ok, _} -> {chosen, Proposal};
                refused -> nothing
            end;
        refused -> nothing
    end.

quorum(_, no_quorum) -> 1;
quorum(Acceptors, _) -> length(Acceptors) div 2 + 1.

newest(_, Own, own_value) -> Own;
newest(Accepted, Own, _) ->
    case lists:max([{0, Own} | [{Ballot, Value} || {Ballot, Value} <- Accepted]]) of
        {_, Value} -> Value
    end.

%% As many replies as are needed, unless more refuse than may.
replies(_, 0, _) -> {ok, []};
replies(_, _, Refusals) when Refusals < 0 -> refused;
replies(What, Needed, Refusals) ->
    receive
        {What, refused} -> replies(What, Needed, Refusals - 1);
        {What, Reply} ->
            case replies(What, Needed - 1, Refusals) of
                {ok, Replies} -> {ok, [Reply | Replies]};
                refused -> refused
            end
    end.

acceptor(Promised, Accepted, Defect) ->
    receive
        {prepare, Ballot, Proposer} when Ballot > Promised ->
            Proposer ! {Ballot, {promise, Accepted}},
            acceptor(Ballot, Accepted, Defect);
        {prepare, Ballot, Proposer} ->
            Proposer ! {Ballot, refused},
            acceptor(Promised, Accepted, Defect);
        {accept, Ballot, Value, Proposer} when Ballot >= Promised; Defect =:= old_ballot ->
            Proposer ! {{Ballot, Value}, accepted},
            acceptor(max(Promised, Ballot), {Ballot, Value}, Defect);
        {accept, Ballot, Value, Proposer} ->
            Proposer ! {{Ballot, Value}, refused},
            acceptor(Promised, Accepted, Defect)
    end.
