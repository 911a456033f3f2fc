// Each client has its update done and its query answered some day.
spec AllAreAnswered observes eUpdate, eFinished {
  var open: set[Client];
  var finished: set[Client];

  start cold state NothingOpen {
    on eUpdate do begin;
  }

  hot state SomethingOpen {
    on eUpdate do begin;
    on eFinished do (client: Client) {
      open -= (client);
      finished += (client);
      if (sizeof(open) == 0)
        goto NothingOpen;
    }
  }

  fun begin(it: tUpdate) {
    if (it.client in finished)
      return;
    open += (it.client);
    goto SomethingOpen;
  }
}
