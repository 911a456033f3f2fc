// A participant with a defect: who is in doubt for long aborts, although it has voted yes.
machine ImpatientParticipant {
  var votes: map[int, bool];
  var applied: map[int, bool];

  start state Serving {
    on eVoteRequest do (request: (coordinator: Coordinator, transaction: int)) {
      if (!(request.transaction in votes)) {
        votes[request.transaction] = $;
        if (votes[request.transaction])
          new Timer((owner = this, number = request.transaction));
        else
          apply(request.transaction, false);
      }
      send request.coordinator, eVote,
        (participant = this to Participant, transaction = request.transaction, yes = votes[request.transaction]);
    }

    on eDecision do (decision: (transaction: int, commit: bool)) {
      apply(decision.transaction, decision.commit);
    }

    on eTimeOut do (transaction: int) {
      apply(transaction, false);
    }
  }

  fun apply(transaction: int, commit: bool) {
    if (transaction in applied)
      return;
    applied[transaction] = commit;
    announce eApplied, (participant = this to Participant, transaction = transaction, commit = commit);
  }
}
