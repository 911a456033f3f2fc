// A replica with a defect: it counts who has accepted something for a slot, in whatever ballot.
machine BallotBlindReplica {
  var acceptors: int;
  var accepted: map[int, set[Acceptor]];
  var chosen: map[int, int];
  var next: int;
  var done: set[int];

  start state Learning {
    entry (how_many: int) {
      acceptors = how_many;
      next = 1;
    }

    on eAccepted do (it: (acceptor: Acceptor, ballot: int, slot: int, value: int)) {
      if (!(it.slot in accepted))
        accepted[it.slot] = default(set[Acceptor]);
      accepted[it.slot] += (it.acceptor);
      if (sizeof(accepted[it.slot]) == acceptors / 2 + 1) {
        announce eChosen, (slot = it.slot, command = it.value);
        chosen[it.slot] = it.value;
        carry_out();
      }
    }
  }

  fun carry_out() {
    while (next in chosen) {
      if (!(chosen[next] in done))
        announce eCarriedOut, (slot = next, command = chosen[next]);
      done += (chosen[next]);
      next = next + 1;
    }
  }
}
