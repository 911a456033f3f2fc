// An acceptor of a log: its promise is about all slots, and it accepts slot by slot. All that it knows is
// on disk before it answers, so a crash makes it forget nothing.
type tAccepted = (ballot: int, value: int);
type tPromise = (acceptor: Acceptor, ballot: int, accepted: map[int, tAccepted]);
type tProposal = (learner: machine, ballot: int, slot: int, value: int);
event ePrepare: (leader: machine, ballot: int);
event ePromise: tPromise;
event eAccept: tProposal;
event eAccepted: (acceptor: Acceptor, ballot: int, slot: int, value: int);

machine Acceptor {
  var promised: int;
  var accepted: map[int, tAccepted];

  start state Serving {
    on ePrepare do (request: (leader: machine, ballot: int)) {
      if (request.ballot <= promised)
        return;
      promised = request.ballot;
      send request.leader, ePromise, (acceptor = this, ballot = promised, accepted = accepted);
    }

    on eAccept do (proposal: tProposal) {
      if (proposal.ballot < promised)
        return;
      promised = proposal.ballot;
      accepted[proposal.slot] = (ballot = proposal.ballot, value = proposal.value);
      send proposal.learner, eAccepted,
        (acceptor = this, ballot = proposal.ballot, slot = proposal.slot, value = proposal.value);
    }
  }
}
