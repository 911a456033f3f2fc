// Each client is told an outcome some day.
spec AllAreTold observes eTransaction, eOutcome {
  var open: set[int];

  start cold state NothingOpen {
    on eTransaction do (it: tTransaction) {
      open += (it.transaction);
      goto SomethingOpen;
    }
    ignore eOutcome;
  }

  hot state SomethingOpen {
    on eTransaction do (it: tTransaction) {
      open += (it.transaction);
    }
    on eOutcome do (outcome: (transaction: int, commit: bool)) {
      open -= (outcome.transaction);
      if (sizeof(open) == 0)
        goto NothingOpen;
    }
  }
}
