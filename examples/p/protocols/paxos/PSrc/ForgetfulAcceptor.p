// An acceptor with a defect: only what it has accepted is on disk. After a crash it has forgotten what it
// has promised.
machine ForgetfulAcceptor {
  var learner: Learner;
  var promised: int;
  var acceptedBallot: int;
  var acceptedValue: int;

  start state Serving {
    entry (its_learner: Learner) {
      learner = its_learner;
    }

    on ePrepare do (request: (proposer: Proposer, ballot: int)) {
      if (request.ballot <= promised)
        return;
      promised = request.ballot;
      send request.proposer, ePromise,
        (acceptor = this to Acceptor, ballot = promised, acceptedBallot = acceptedBallot,
         acceptedValue = acceptedValue);
    }

    on eAccept do (proposal: (ballot: int, value: int)) {
      if (proposal.ballot < promised)
        return;
      promised = proposal.ballot;
      acceptedBallot = proposal.ballot;
      acceptedValue = proposal.value;
      send learner, eAccepted, (acceptor = this to Acceptor, ballot = acceptedBallot, value = acceptedValue);
    }

    on eCrash do {
      promised = acceptedBallot;
    }
  }
}
