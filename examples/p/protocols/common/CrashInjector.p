// Lets as many of the given machines crash as it is told, whenever the scheduler likes, and each of them
// once. What a crash means is up to them.
event eCrash;

machine CrashInjector {
  start state Crashing {
    entry (its: (targets: set[machine], times: int)) {
      var target: machine;
      while (its.times > 0) {
        target = choose(its.targets);
        its.targets -= (target);
        its.times = its.times - 1;
        send target, eCrash;
      }
    }
  }
}
