// An acceptor with a defect: it keeps its promise only when it is asked for another one, and accepts what
// comes late from an old leader.
machine CarelessAcceptor {
  var promised: int;
  var accepted: map[int, tAccepted];

  start state Serving {
    on ePrepare do (request: (leader: machine, ballot: int)) {
      if (request.ballot <= promised)
        return;
      promised = request.ballot;
      send request.leader, ePromise, (acceptor = this to Acceptor, ballot = promised, accepted = accepted);
    }

    on eAccept do (proposal: tProposal) {
      accepted[proposal.slot] = (ballot = proposal.ballot, value = proposal.value);
      send proposal.learner, eAccepted,
        (acceptor = this to Acceptor, ballot = proposal.ballot, slot = proposal.slot, value = proposal.value);
    }
  }
}
