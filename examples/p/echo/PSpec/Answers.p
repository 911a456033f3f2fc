// No client waits for ever: as long as a request is open, the spec is hot.
spec AllAreAnswered observes eRequest, eAnswer {
  var open: int;

  start cold state NothingOpen {
    on eRequest do {
      open = 1;
      goto SomethingOpen;
    }
  }

  hot state SomethingOpen {
    on eRequest do {
      open = open + 1;
    }
    on eAnswer do {
      open = open - 1;
      if (open == 0)
        goto NothingOpen;
    }
  }
}
