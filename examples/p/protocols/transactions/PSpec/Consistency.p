// All servers of all shards do the same with a transaction, and commit none that a shard has refused.
spec Consistency observes eVote, eApplied {
  var refused: set[int];
  var applied: map[int, bool];

  start state Watching {
    on eVote do (vote: (shard: int, transaction: int, yes: bool)) {
      if (!vote.yes) {
        assert !(vote.transaction in applied) || !applied[vote.transaction],
          format("transaction {0} is committed, and shard {1} refuses it", vote.transaction, vote.shard);
        refused += (vote.transaction);
      }
    }
    on eApplied do (it: (shard: int, transaction: int, commit: bool)) {
      if (it.transaction in applied)
        assert applied[it.transaction] == it.commit,
          format("transaction {0} is committed in one place and aborted in another one", it.transaction);
      assert !it.commit || !(it.transaction in refused),
        format("transaction {0} is committed although a shard refuses it", it.transaction);
      applied[it.transaction] = it.commit;
    }
  }
}
