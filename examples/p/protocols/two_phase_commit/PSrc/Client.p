// Has one transaction done.
machine Client {
  start state Waiting {
    entry (its: (coordinator: Coordinator, transaction: int)) {
      send its.coordinator, eTransaction, (client = this, transaction = its.transaction);
    }
    on eOutcome goto Done;
  }

  state Done {
  }
}
