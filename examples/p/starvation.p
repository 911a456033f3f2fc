// A fork that two philosophers share. Who is told that it is taken asks again at once, and so it may
// be that one of them never eats, although he is always about to ask: no schedule is to blame, since
// both move again and again. The spec FirstEats is hot while the first one is hungry.
//
//   ravel check starvation.p       finds it
event eTake: Philosopher;
event eTaken;
event eBusy;
event eGiveBack;
event eHungry: int;
event eEats: int;

machine Fork {
  start state Free {
    on eTake do (philosopher: Philosopher) {
      send philosopher, eTaken;
      goto Taken;
    }
  }
  state Taken {
    on eTake do (philosopher: Philosopher) {
      send philosopher, eBusy;
    }
    on eGiveBack goto Free;
  }
}

machine Philosopher {
  var fork: Fork;
  var number: int;

  start state Init {
    entry (is: (fork: Fork, number: int)) {
      fork = is.fork;
      number = is.number;
      goto Hungry;
    }
  }
  state Hungry {
    entry {
      announce eHungry, number;
      send fork, eTake, this;
    }
    on eBusy goto Hungry;
    on eTaken goto Eating;
  }
  state Eating {
    entry {
      announce eEats, number;
      send fork, eGiveBack;
      goto Hungry;
    }
  }
}

spec FirstEats observes eHungry, eEats {
  start cold state Full {
    on eHungry do (number: int) {
      if (number == 1)
        goto IsHungry;
    }
    ignore eEats;
  }
  hot state IsHungry {
    on eEats do (number: int) {
      if (number == 1)
        goto Full;
    }
    ignore eHungry;
  }
}

machine Table {
  start state Init {
    entry {
      var fork: Fork;
      fork = new Fork();
      new Philosopher((fork = fork, number = 1));
      new Philosopher((fork = fork, number = 2));
    }
  }
}

test tcTwoPhilosophers [main=Table]:
  assert FirstEats in { Table, Fork, Philosopher };
