// One of the two servers of a shard. The head votes, and the tail tells the vote when it has it, too, so
// that the shard never says anything else if the head crashes.
machine ShardServer {
  var shard: int;
  var successor: ShardServer;
  var managers: set[Manager];
  var votes: map[int, bool];
  var applied: map[int, bool];

  start state Serving {
    entry (its: (shard: int, successor: ShardServer)) {
      shard = its.shard;
      successor = its.successor;
    }

    on eVoteRequest do (request: tVoteRequest) {
      if (!(request.transaction in votes))
        votes[request.transaction] = $;
      managers += (request.manager);
      if (successor == default(ShardServer)) {
        vote(request);
        return;
      }
      if (pVotesBeforeTail)
        vote(request);
      else
        send successor, eForwardVote, (request = request, yes = votes[request.transaction]);
    }

    on eForwardVote do (its: (request: tVoteRequest, yes: bool)) {
      votes[its.request.transaction] = its.yes;
      vote(its.request);
    }

    on eDecision do (decision: (transaction: int, commit: bool)) {
      if (!(decision.transaction in applied)) {
        applied[decision.transaction] = decision.commit;
        announce eApplied, (shard = shard, transaction = decision.transaction, commit = decision.commit);
      }
      if (successor != default(ShardServer))
        send successor, eDecision, decision;
    }

    // It stops, and the managers that use it notice.
    on eCrash do {
      var manager: Manager;
      foreach (manager in managers)
        send manager, eNewHead, (shard = shard, server = successor);
      raise halt;
    }
  }

  fun vote(request: tVoteRequest) {
    send request.manager, eVote,
      (shard = shard, transaction = request.transaction, yes = votes[request.transaction]);
  }
}
