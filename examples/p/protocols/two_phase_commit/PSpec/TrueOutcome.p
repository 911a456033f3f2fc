// A client is told what the participants have done.
spec TrueOutcome observes eApplied, eOutcome {
  var applied: map[int, bool];

  start state Watching {
    on eApplied do (it: (participant: Participant, transaction: int, commit: bool)) {
      applied[it.transaction] = it.commit;
    }
    on eOutcome do (outcome: (transaction: int, commit: bool)) {
      if (outcome.transaction in applied)
        assert applied[outcome.transaction] == outcome.commit,
          format("the client is told the wrong outcome of transaction {0}", outcome.transaction);
    }
  }
}
