// Tests that have to find a bug.

// ChainReplication 1: a server that is not set up yet does not put off what clients and other servers
// send. The first such event is an unhandled one, during initialisation.
test param (pUnprepared in [true]) tcUnprepared [main=TwoClients]:
  assert SameOrder, ReadsAreCurrent, AllAreAnswered in (union ChainReplication, { TwoClients });

// ChainReplication 2: who gets a new successor does not send again what the crashed one has not passed on.
// A later update fills the place of the lost one, or a client waits for ever.
test param (pForgetsToSendAgain in [true]) tcNotSentAgain [main=TwoClientsAndACrash]:
  assert SameOrder, ReadsAreCurrent, AllAreAnswered in (union ChainReplication, { TwoClientsAndACrash });

// ChainReplication 3: who gets a new successor sends all again, also what that one has. It is stored twice.
test param (pSendsAllAgain in [true]) tcAllSentAgain [main=OneCrash]:
  assert SameOrder, ReadsAreCurrent, AllAreAnswered in (union ChainReplication, { OneCrash });

// ChainReplication 4: a new tail does not reply to updates that the old one did not get any more. Their
// clients wait for ever.
test param (pForgetsReplies in [true]) tcNoReplies [main=OneCrash]:
  assert SameOrder, ReadsAreCurrent, AllAreAnswered in (union ChainReplication, { OneCrash });

// ChainReplication 5: a new head does not recognise a request that the old one has passed on. It is
// carried out twice.
test param (pForgetsRequests in [true]) tcRequestsForgotten [main=OneCrash]:
  assert SameOrder, ReadsAreCurrent, AllAreAnswered in (union ChainReplication, { OneCrash });

// ChainReplication 6: the head replies before the update has reached the tail, which is asked for it.
test param (pRepliesEarly in [true]) tcRepliesEarly [main=OneCrash]:
  assert SameOrder, ReadsAreCurrent, AllAreAnswered in (union ChainReplication, { OneCrash });

// ChainReplication 7: while the master waits for the answer of the successor of a crashed server, it takes
// no notice of other crashes. If two neighbours crash, the answer never comes, and the chain stays broken.
test param (pOneCrashAtATime in [true]) tcNeighboursCrash [main=TwoOfFourCrash]:
  assert SameOrder, ReadsAreCurrent, AllAreAnswered in (union ChainReplication, { TwoOfFourCrash });

// ChainReplication 8: head and tail crash. The master looks up the second one where it was in the
// beginning, and asks for a server behind the end of the chain, or tells the wrong one.
test param (pOldPositions in [true]) tcHeadAndTailCrash [main=TwoCrashes]:
  assert SameOrder, ReadsAreCurrent, AllAreAnswered in (union ChainReplication, { TwoCrashes });

// ChainReplication 9: the master tells clients of a new head or tail before it tells that one. A request
// comes to a server that does not know of its new duties: an unhandled event.
test param (pTellsClientsFirst in [true]) tcClientsToldFirst [main=OneCrash]:
  assert SameOrder, ReadsAreCurrent, AllAreAnswered in (union ChainReplication, { OneCrash });

// ChainReplication 10: the master is told that a server has crashed which is only slow. The chain goes on
// without it, and it goes on, too: it may answer queries, or send to who does not expect it.
machine WrongSuspicion {
  start state Init {
    entry { new WrongDetector(start_all(3, 1, 0)); }
  }
}

test tcWrongSuspicion [main=WrongSuspicion]:
  assert SameOrder, ReadsAreCurrent, AllAreAnswered in
    (union ChainReplication, { WrongDetector, WrongSuspicion });
