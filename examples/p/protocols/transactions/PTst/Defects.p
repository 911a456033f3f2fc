// Tests that have to find a bug.

// TMS 1: the manager tells the shards what it has decided before that is chosen. A backup that takes over
// meanwhile does not find it, and has the transaction aborted.
test param (pTellsBeforeChosen in [true]) tcToldBeforeChosen [main=WithBackup]:
  assert Consistency, EachIsSettled in (union Transactions, { WithBackup });

// TMS 2: the backup does not look at what the acceptors have accepted, and aborts what is committed.
test param (pForgetsOutcomes in [true]) tcOutcomesForgotten [main=WithBackup]:
  assert Consistency, EachIsSettled in (union Transactions, { WithBackup });

// TMS 3: the head of a shard votes yes and crashes before its tail has heard of it. The tail is asked, too,
// and refuses what may be committed.
test param (pVotesBeforeTail in [true]) tcVoteLostWithHead [main=OneManagerAndACrash]:
  assert Consistency, EachIsSettled in (union Transactions, { OneManagerAndACrash });

// TMS 4: the manager counts votes and not shards. After a crash of its head a shard votes a second time,
// and the other shard, which refuses, is not waited for.
test param (pCountsVotes in [true]) tcShardCountedTwice [main=OneManagerAndACrash]:
  assert Consistency, EachIsSettled in (union Transactions, { OneManagerAndACrash });
