// A transaction that a shard has voted on is settled some day.
spec EachIsSettled observes eVoteRequest, eSettled {
  var open: set[int];
  var settled: set[int];

  start cold state NothingOpen {
    on eVoteRequest do begin;
    on eSettled do settle;
  }

  hot state SomethingOpen {
    on eVoteRequest do begin;
    on eSettled do settle;
  }

  fun begin(request: tVoteRequest) {
    if (request.transaction in settled)
      return;
    open += (request.transaction);
    goto SomethingOpen;
  }

  fun settle(transaction: int) {
    settled += (transaction);
    open -= (transaction);
    if (sizeof(open) == 0)
      goto NothingOpen;
  }
}
