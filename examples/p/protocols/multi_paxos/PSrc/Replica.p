// Learns what is chosen for each slot, and carries commands out in the order of the slots. A leader that
// does not know what became of a command proposes it again, so the same command may be in two slots; it
// is carried out in the first one.
event eChosen: (slot: int, command: int);
event eCarriedOut: (slot: int, command: int);

machine Replica {
  var acceptors: int;
  var accepted: map[(slot: int, ballot: int), set[Acceptor]];
  var chosen: map[int, int];
  var next: int;
  var done: set[int];

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
      if (!(chosen[next] in done))
        announce eCarriedOut, (slot = next, command = chosen[next]);
      done += (chosen[next]);
      next = next + 1;
    }
  }
}
