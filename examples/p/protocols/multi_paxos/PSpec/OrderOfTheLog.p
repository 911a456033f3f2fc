// Commands are carried out in the order of the log, without gaps, and each of them once.
spec OrderOfTheLog observes eChosen, eCarriedOut {
  var chosen: set[int];
  var done: set[int];

  start state Watching {
    on eChosen do (it: (slot: int, command: int)) {
      chosen += (it.slot);
    }
    on eCarriedOut do (it: (slot: int, command: int)) {
      var slot: int;
      slot = 1;
      while (slot <= it.slot) {
        assert slot in chosen, format("slot {0} is carried out before slot {1} is chosen", it.slot, slot);
        slot = slot + 1;
      }
      assert !(it.command in done), format("command {0} is carried out twice", it.command);
      done += (it.command);
    }
  }
}
