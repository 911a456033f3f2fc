// Tests that have to find a bug: of all of them is told that two values are learned.

// Paxos 1: an acceptor that was down has forgotten its promise. It accepts in an old ballot, of which a
// newer one has not heard.
test tcForgottenPromise [main=TwoProposersAndACrash]:
  assert Agreement in
    (union Proposers, Learners, { ForgetfulAcceptor -> Acceptor, CrashInjector, TwoProposersAndACrash });

// Paxos 2: of the values that were accepted before, a proposer takes the first that it hears of, and not
// that of the newest ballot.
test param (pTakesFirstValue in [true]) tcFirstValueTaken [main=TwoProposersAgain]:
  assert Agreement in (union Paxos, { TwoProposersAgain });

// Paxos 3: half of the acceptors are taken for a quorum, which is wrong when their number is even.
test param (pHalfIsQuorum in [true]) tcQuorumTooSmall [main=TwoProposersOnFour]:
  assert Agreement in (union Paxos, { TwoProposersOnFour });

// Paxos 4: a learner counts the same acceptor twice, which has accepted a value in two ballots.
test tcAcceptorCountedTwice [main=TwoProposersAgain]:
  assert Agreement in
    (union Proposers, Acceptors, { CountingLearner -> Learner, TwoProposersAgain });

// Paxos 5: a late promise for an old ballot is counted for the new one, which has not been promised.
test param (pCountsOldPromises in [true]) tcOldPromiseCounted [main=TwoProposersAgain]:
  assert Agreement in (union Paxos, { TwoProposersAgain });
