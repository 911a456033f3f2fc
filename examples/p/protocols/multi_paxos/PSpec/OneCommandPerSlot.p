// For no slot two commands are chosen.
spec OneCommandPerSlot observes eChosen {
  var chosen: map[int, int];

  start state Watching {
    on eChosen do (it: (slot: int, command: int)) {
      if (it.slot in chosen)
        assert chosen[it.slot] == it.command,
          format("slot {0} is {1}, and then {2}", it.slot, chosen[it.slot], it.command);
      chosen[it.slot] = it.command;
    }
  }
}
