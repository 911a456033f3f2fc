// Lets a machine crash, as many times as it is told, whenever the scheduler likes.
event eCrash;

machine CrashInjector {
  start state Crashing {
    entry (its: (target: machine, times: int)) {
      while (its.times > 0) {
        send its.target, eCrash;
        its.times = its.times - 1;
      }
    }
  }
}
