// The values are 100, 200, ... Proposers with several ballots begin a new one when a timer runs out.
fun start_all(acceptors: int, ballots: seq[int], crashes: int) {
  var learner: Learner;
  var those: set[Acceptor];
  var targets: set[machine];
  var acceptor: Acceptor;
  var i: int;
  learner = new Learner(acceptors);
  while (sizeof(those) < acceptors) {
    acceptor = new Acceptor(learner);
    those += (acceptor);
    targets += (acceptor);
  }
  while (i < sizeof(ballots)) {
    new Proposer((acceptors = those, digit = i + 1, value = 100 * (i + 1), ballots = ballots[i]));
    i = i + 1;
  }
  if (crashes > 0)
    new CrashInjector((targets = targets, times = crashes));
}

fun two(first: int, second: int): seq[int] {
  var ballots: seq[int];
  ballots += (0, first);
  ballots += (1, second);
  return ballots;
}

machine OneProposer {
  start state Init {
    entry {
      var ballots: seq[int];
      ballots += (0, 2);
      start_all(3, ballots, 1);
    }
  }
}

machine TwoProposers {
  start state Init {
    entry { start_all(3, two(1, 1), 0); }
  }
}

machine TwoProposersAndACrash {
  start state Init {
    entry { start_all(3, two(1, 1), 1); }
  }
}

machine TwoProposersOnFour {
  start state Init {
    entry { start_all(4, two(1, 1), 0); }
  }
}

machine TwoProposersAgain {
  start state Init {
    entry { start_all(3, two(2, 2), 0); }
  }
}

test tcOneProposer [main=OneProposer]:
  assert Agreement, SomethingIsLearned in (union Paxos, { OneProposer });

test tcTwoProposers [main=TwoProposers]:
  assert Agreement in (union Paxos, { TwoProposers });

test tcTwoProposersAndACrash [main=TwoProposersAndACrash]:
  assert Agreement in (union Paxos, { TwoProposersAndACrash });

test tcTwoProposersOnFour [main=TwoProposersOnFour]:
  assert Agreement in (union Paxos, { TwoProposersOnFour });

test tcTwoProposersAgain [main=TwoProposersAgain]:
  assert Agreement in (union Paxos, { TwoProposersAgain });
