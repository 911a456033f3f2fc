// A transaction manager: two-phase commit, whose decisions are in a log that is replicated by Paxos. Slot
// n of it has the outcome of transaction n. A backup that takes over settles what it finds there, and has
// aborted what it does not find. The shards are told only what has been chosen.
enum tOutcome { UNKNOWN, COMMIT, ABORT }
type tManager = (acceptors: set[Acceptor], shards: map[int, ShardServer], digit: int, transactions: set[int],
                 isBackup: bool);

machine Manager {
  var acceptors: set[Acceptor];
  var shards: map[int, ShardServer];
  var ballot: int;
  var transactions: set[int];
  var isBackup: bool;
  var promises: set[Acceptor];
  var found: map[int, tAccepted];
  var current: int;
  var voters: set[int];
  var votes: int;
  var proposal: tOutcome;
  var accepting: set[Acceptor];
  var chosen: map[int, bool];

  start state Init {
    entry (its: tManager) {
      acceptors = its.acceptors;
      shards = its.shards;
      ballot = its.digit;
      transactions = its.transactions;
      isBackup = its.isBackup;
      // It takes over when it has not heard of the other one for long.
      if (isBackup)
        new Timer((owner = this, number = 0));
      else
        goto Preparing;
    }
    on eTimeOut goto Preparing;
    on eNewHead do move;
  }

  state Preparing {
    entry {
      var acceptor: Acceptor;
      foreach (acceptor in acceptors)
        send acceptor, ePrepare, (leader = this, ballot = ballot);
    }
    on ePromise do (promise: tPromise) {
      var slot: int;
      promises += (promise.acceptor);
      foreach (slot in keys(promise.accepted)) {
        if (!(slot in found) || found[slot].ballot < promise.accepted[slot].ballot)
          found[slot] = promise.accepted[slot];
      }
      if (sizeof(promises) > sizeof(acceptors) / 2)
        goto Choosing;
    }
    on eNewHead do move;
  }

  // The next transaction. A backup asks nobody for votes.
  state Choosing {
    entry {
      if (sizeof(transactions) == 0)
        goto Idle;
      current = transactions[0];
      transactions -= (current);
      if (current in found && !pForgetsOutcomes) {
        proposal = outcome(found[current].value);
        goto Proposing;
      }
      proposal = ABORT;
      if (isBackup)
        goto Proposing;
      goto Voting;
    }
  }

  state Voting {
    entry {
      var shard: int;
      voters = default(set[int]);
      votes = 0;
      foreach (shard in keys(shards))
        send shards[shard], eVoteRequest, (manager = this, transaction = current);
      new Timer((owner = this, number = current));
    }
    on eVote do (vote: (shard: int, transaction: int, yes: bool)) {
      if (vote.transaction != current)
        return;
      if (!vote.yes)
        goto Proposing;
      voters += (vote.shard);
      votes = votes + 1;
      if (sizeof(voters) == sizeof(shards) || (pCountsVotes && votes == sizeof(shards))) {
        proposal = COMMIT;
        goto Proposing;
      }
    }
    on eTimeOut do (transaction: int) {
      if (transaction == current)
        goto Proposing;
    }
    on eNewHead do (its: (shard: int, server: ShardServer)) {
      move(its);
      send its.server, eVoteRequest, (manager = this, transaction = current);
    }
    ignore ePromise, eAccepted;
  }

  state Proposing {
    entry {
      var acceptor: Acceptor;
      accepting = default(set[Acceptor]);
      if (pTellsBeforeChosen)
        tell_all();
      foreach (acceptor in acceptors)
        send acceptor, eAccept, (learner = this, ballot = ballot, slot = current, value = proposal to int);
    }
    on eAccepted do (it: (acceptor: Acceptor, ballot: int, slot: int, value: int)) {
      if (it.slot != current)
        return;
      accepting += (it.acceptor);
      if (sizeof(accepting) > sizeof(acceptors) / 2) {
        tell_all();
        goto Choosing;
      }
    }
    on eNewHead do move;
    ignore ePromise, eVote, eTimeOut;
  }

  state Idle {
    on eNewHead do move;
    ignore ePromise, eVote, eTimeOut, eAccepted;
  }

  fun outcome(value: int): tOutcome {
    if (value == COMMIT to int)
      return COMMIT;
    return ABORT;
  }

  fun tell_all() {
    var shard: int;
    chosen[current] = proposal == COMMIT;
    foreach (shard in keys(shards))
      send shards[shard], eDecision, (transaction = current, commit = chosen[current]);
    announce eSettled, current;
  }

  // What the old head was told may not have come to its tail.
  fun move(its: (shard: int, server: ShardServer)) {
    var transaction: int;
    shards[its.shard] = its.server;
    foreach (transaction in keys(chosen))
      send its.server, eDecision, (transaction = transaction, commit = chosen[transaction]);
  }
}
