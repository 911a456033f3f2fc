// No transaction is committed by one participant and aborted by another one.
spec Atomicity observes eApplied {
  var applied: map[int, bool];

  start state Watching {
    on eApplied do (it: (participant: Participant, transaction: int, commit: bool)) {
      if (it.transaction in applied)
        assert applied[it.transaction] == it.commit,
          format("transaction {0} is committed by one participant and aborted by another one", it.transaction);
      applied[it.transaction] = it.commit;
    }
  }
}
