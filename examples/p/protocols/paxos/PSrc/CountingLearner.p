// A learner with a defect: it counts how often a value was accepted, and not by whom and in which ballot.
machine CountingLearner {
  var acceptors: int;
  var accepted: map[int, int];

  start state Learning {
    entry (how_many: int) {
      acceptors = how_many;
    }

    on eAccepted do (it: tAccepted) {
      if (!(it.value in accepted))
        accepted[it.value] = 0;
      accepted[it.value] = accepted[it.value] + 1;
      if (accepted[it.value] == quorum(acceptors))
        announce eLearned, it.value;
    }
  }
}
