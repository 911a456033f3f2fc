// Lets some of the given machines crash, one after the other, whenever the scheduler likes. What a crash
// means is up to them.
event eCrash;

machine CrashInjector {
  start state Crashing {
    entry (its: (targets: set[machine], times: int)) {
      while (its.times > 0) {
        send choose(its.targets), eCrash;
        its.times = its.times - 1;
      }
    }
  }
}
