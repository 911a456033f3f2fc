// Votes on a transaction once, and says the same when it is asked again. A vote against it aborts it at
// once; after one in favour the participant is in doubt until it is told the decision.
machine Participant {
  var votes: map[int, bool];
  var applied: map[int, bool];

  start state Serving {
    on eVoteRequest do (request: (coordinator: Coordinator, transaction: int)) {
      if (!(request.transaction in votes)) {
        votes[request.transaction] = $;
        if (!votes[request.transaction])
          apply(request.transaction, false);
      }
      send request.coordinator, eVote,
        (participant = this, transaction = request.transaction, yes = votes[request.transaction]);
    }

    on eDecision do (decision: (transaction: int, commit: bool)) {
      apply(decision.transaction, decision.commit);
    }
  }

  fun apply(transaction: int, commit: bool) {
    if (transaction in applied)
      return;
    applied[transaction] = commit;
    announce eApplied, (participant = this, transaction = transaction, commit = commit);
  }
}
