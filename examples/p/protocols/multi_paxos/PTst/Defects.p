// Tests that have to find a bug.

// MultiPaxos 1: a new leader takes no notice of what was accepted before, and uses the slots of another
// leader for its own commands. Two commands are chosen for the same slot.
test param (pForgetsSlots in [true]) tcForgottenSlots [main=TwoLeaders]:
  assert OneCommandPerSlot, OrderOfTheLog in (union MultiPaxos, { TwoLeaders });

// MultiPaxos 2: an acceptor accepts what an old leader sent before it promised a new one to refuse it. The
// new leader does not know of it, and has another command chosen.
test tcOldRoundAccepted [main=TwoLeaders]:
  assert OneCommandPerSlot, OrderOfTheLog in
    (union Leaders, Replicas, { CarelessAcceptor -> Acceptor, TwoLeaders });

// MultiPaxos 3: a replica counts who has accepted anything for a slot, in whatever ballot. It takes for
// chosen what is not, and another leader has another command chosen.
test tcBallotsMixed [main=TwoLeadersAgain]:
  assert OneCommandPerSlot, OrderOfTheLog in
    (union Leaders, Acceptors, { BallotBlindReplica -> Replica, TwoLeadersAgain });

// MultiPaxos 4: two leaders have the same commands. One of these is chosen for two slots, and a replica
// carries it out twice.
test tcCommandTwice [main=SharedCommands]:
  assert OneCommandPerSlot, OrderOfTheLog in
    (union Leaders, Acceptors, { RepeatingReplica -> Replica, SharedCommands });
