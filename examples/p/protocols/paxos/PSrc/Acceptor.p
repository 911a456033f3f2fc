// Promises to take no part in older ballots, and accepts what comes in the newest. All that it knows is on
// disk before it answers. So after a crash it goes on as if nothing had been, if it comes back.
machine Acceptor {
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
        (acceptor = this, ballot = promised, acceptedBallot = acceptedBallot, acceptedValue = acceptedValue);
    }

    on eAccept do (proposal: (ballot: int, value: int)) {
      if (proposal.ballot < promised)
        return;
      promised = proposal.ballot;
      acceptedBallot = proposal.ballot;
      acceptedValue = proposal.value;
      send learner, eAccepted, (acceptor = this, ballot = acceptedBallot, value = acceptedValue);
    }

    on eCrash do {
      if ($)
        raise halt;
    }
  }
}
