// Tries to have its value chosen, in at most as many ballots as it is told. A timer ends each of them but
// the last one. The numbers of its ballots are its own: they end in its digit.
machine Proposer {
  var acceptors: set[Acceptor];
  var digit: int;
  var value: int;
  var ballots: int;
  var ballot: int;
  var promises: set[Acceptor];
  // What to propose, and in which ballot it was accepted before; 0 if it is the own value.
  var proposal: int;
  var proposalBallot: int;

  start state Init {
    entry (its: (acceptors: set[Acceptor], digit: int, value: int, ballots: int)) {
      acceptors = its.acceptors;
      digit = its.digit;
      value = its.value;
      ballots = its.ballots;
      ballot = digit;
      announce eProposed, value;
      goto Preparing;
    }
  }

  state Preparing {
    entry {
      var acceptor: Acceptor;
      ballots = ballots - 1;
      ballot = ballot + 10;
      promises = default(set[Acceptor]);
      proposal = value;
      proposalBallot = 0;
      foreach (acceptor in acceptors)
        send acceptor, ePrepare, (proposer = this, ballot = ballot);
      if (ballots > 0)
        new Timer((owner = this, number = ballot));
    }

    on ePromise do (promise: tPromise) {
      if (promise.ballot != ballot && !pCountsOldPromises)
        return;
      promises += (promise.acceptor);
      if (promise.acceptedBallot > proposalBallot && !(pTakesFirstValue && proposalBallot > 0)) {
        proposal = promise.acceptedValue;
        proposalBallot = promise.acceptedBallot;
      }
      if (sizeof(promises) == quorum(sizeof(acceptors)))
        goto Proposing;
    }

    on eTimeOut do (number: int) {
      if (number == ballot)
        goto Preparing;
    }
  }

  state Proposing {
    entry {
      var acceptor: Acceptor;
      foreach (acceptor in acceptors)
        send acceptor, eAccept, (ballot = ballot, value = proposal);
    }

    on eTimeOut do (number: int) {
      if (number == ballot)
        goto Preparing;
    }
    ignore ePromise;
  }
}
