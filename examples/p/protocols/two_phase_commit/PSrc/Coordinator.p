// Asks all participants for their votes on one transaction after the other. It commits when all have
// voted yes, and aborts when one votes no or does not vote although it was asked twice. A crash loses
// what is in memory. What is on disk tells it what to do afterwards: a decision in the log is told
// again, and what was not decided is aborted.
event eTellNext;

machine Coordinator {
  var participants: set[Participant];
  // On disk.
  var current: tTransaction;
  var log: map[int, bool];
  // In memory.
  var voters: set[Participant];
  var votes: int;
  var askedTwice: bool;
  var decision: bool;
  var untold: set[Participant];
  // Which timer counts: the numbers never come again, as those of a clock.
  var wait: int;

  start state Init {
    entry (those: set[Participant]) {
      participants = those;
      goto Idle;
    }
    defer eTransaction;
  }

  state Idle {
    on eTransaction do (transaction: tTransaction) {
      current = transaction;
      goto Voting;
    }
    // Late ones, and a crash with nothing in memory.
    ignore eVote, eTimeOut, eTellNext, eCrash;
  }

  state Voting {
    entry {
      voters = default(set[Participant]);
      votes = 0;
      askedTwice = false;
      ask();
    }

    on eVote do (vote: (participant: Participant, transaction: int, yes: bool)) {
      if (vote.transaction != current.transaction && !pCountsOldVotes)
        return;
      if (!vote.yes) {
        decide(false);
        return;
      }
      voters += (vote.participant);
      votes = votes + 1;
      if (sizeof(voters) == sizeof(participants) || (pCountsVotesTwice && votes == sizeof(participants)))
        decide(true);
    }

    on eTimeOut do (number: int) {
      if (number != wait)
        return;
      if (askedTwice) {
        decide(pSilenceIsConsent);
        return;
      }
      askedTwice = true;
      ask();
    }

    on eCrash goto Recovering;
    ignore eTellNext;
    defer eTransaction;
  }

  // One participant after the other, so that a crash may come between two of them.
  state Telling {
    entry {
      untold = participants;
      send this, eTellNext;
    }

    on eTellNext do {
      var participant: Participant;
      if (sizeof(untold) == 0) {
        log[current.transaction] = decision;
        send current.client, eOutcome, (transaction = current.transaction, commit = decision);
        goto Idle;
      }
      participant = untold[0];
      untold -= (participant);
      send participant, eDecision, (transaction = current.transaction, commit = decision);
      send this, eTellNext;
    }

    on eCrash goto Recovering;
    ignore eVote, eTimeOut;
    defer eTransaction;
  }

  state Recovering {
    entry {
      if (current.transaction in log) {
        decision = log[current.transaction];
        goto Telling;
      }
      decide(false);
    }
  }

  fun ask() {
    var participant: Participant;
    wait = wait + 1;
    foreach (participant in participants) {
      if (!(participant in voters))
        send participant, eVoteRequest, (coordinator = this, transaction = current.transaction);
    }
    new Timer((owner = this, number = wait));
  }

  fun decide(commit: bool) {
    decision = commit;
    if (!pLogsTooLate)
      log[current.transaction] = commit;
    goto Telling;
  }
}
