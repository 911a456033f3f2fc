// Tests that have to find a bug.

// 2PC 1: who is asked again votes again, and both votes are counted. The coordinator commits without the
// vote of the other participant, which refuses.
test param (pCountsVotesTwice in [true]) tcVotesCountedTwice [main=OneClient]:
  assert Atomicity, TrueOutcome, AllAreTold in (union TwoPhaseCommit, { OneClient });

// 2PC 2: the coordinator takes it for a yes that a participant has not voted in time. One that refuses
// later has aborted what the other one commits.
test param (pSilenceIsConsent in [true]) tcSilenceIsConsent [main=OneClient]:
  assert Atomicity, TrueOutcome, AllAreTold in (union TwoPhaseCommit, { OneClient });

// 2PC 3: the coordinator logs its decision when all have been told. If it crashes before, it has forgotten
// that it told a participant to commit, and aborts.
test param (pLogsTooLate in [true]) tcDecisionLostInCrash [main=OneClientAndACrash]:
  assert Atomicity, TrueOutcome, AllAreTold in (union TwoPhaseCommit, { OneClientAndACrash });

// 2PC 4: a late vote on a transaction that was aborted meanwhile is counted for the next one.
test param (pCountsOldVotes in [true]) tcOldVotesCounted [main=TwoClients]:
  assert Atomicity, TrueOutcome, AllAreTold in (union TwoPhaseCommit, { TwoClients });

// 2PC 5: a participant in doubt loses its patience and aborts, while the coordinator commits.
test tcImpatientParticipant [main=OneClient]:
  assert Atomicity, TrueOutcome, AllAreTold in
    (union Coordinators, { ImpatientParticipant -> Participant, Client, CrashInjector, OneClient });
