// A failure detector with a defect: servers that are slow are reported to have crashed.
machine WrongDetector {
  start state Suspecting {
    entry (its: (master: Master, servers: seq[Server])) {
      send its.master, eCrashed, choose(its.servers);
    }
  }
}
