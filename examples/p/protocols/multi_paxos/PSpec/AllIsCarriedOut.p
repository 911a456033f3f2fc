// For tests with one leader: all that was chosen is carried out in the end, and something is chosen.
spec AllIsCarriedOut observes ePrepare, eChosen, eCarriedOut {
  var chosen: set[int];
  var done: set[int];

  start cold state NothingToDo {
    on ePrepare goto SomethingToDo;
    on eChosen do choose_one;
    ignore eCarriedOut;
  }

  hot state SomethingToDo {
    on eChosen do choose_one;
    on eCarriedOut do (it: (slot: int, command: int)) {
      done += (it.command);
      if (sizeof(done) == sizeof(chosen))
        goto NothingMissing;
    }
    ignore ePrepare;
  }

  cold state NothingMissing {
    on eChosen do choose_one;
    ignore ePrepare, eCarriedOut;
  }

  fun choose_one(it: (slot: int, command: int)) {
    if (it.command in chosen)
      return;
    chosen += (it.command);
    goto SomethingToDo;
  }
}
