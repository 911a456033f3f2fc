// Learns a value when more than half of the acceptors have accepted it in the same ballot.
machine Learner {
  var acceptors: int;
  var accepted: map[int, set[Acceptor]];

  start state Learning {
    entry (how_many: int) {
      acceptors = how_many;
    }

    on eAccepted do (it: tAccepted) {
      if (!(it.ballot in accepted))
        accepted[it.ballot] = default(set[Acceptor]);
      accepted[it.ballot] += (it.acceptor);
      if (sizeof(accepted[it.ballot]) == quorum(acceptors))
        announce eLearned, it.value;
    }
  }
}
