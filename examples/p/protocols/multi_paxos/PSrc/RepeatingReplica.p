// A replica with a defect: a command that is in two slots is carried out twice.
machine RepeatingReplica {
  var acceptors: int;
  var accepted: map[(slot: int, ballot: int), set[Acceptor]];
  var chosen: map[int, int];
  var next: int;

  start state Learning {
    entry (how_many: int) {
      acceptors = how_many;
      next = 1;
    }

    on eAccepted do (it: (acceptor: Acceptor, ballot: int, slot: int, value: int)) {
      var vote: (slot: int, ballot: int);
      vote = (slot = it.slot, ballot = it.ballot);
      if (!(vote in accepted))
        accepted[vote] = default(set[Acceptor]);
      accepted[vote] += (it.acceptor);
      if (sizeof(accepted[vote]) == acceptors / 2 + 1) {
        announce eChosen, (slot = it.slot, command = it.value);
        chosen[it.slot] = it.value;
        carry_out();
      }
    }
  }

  fun carry_out() {
    while (next in chosen) {
      announce eCarriedOut, (slot = next, command = chosen[next]);
      next = next + 1;
    }
  }
}
