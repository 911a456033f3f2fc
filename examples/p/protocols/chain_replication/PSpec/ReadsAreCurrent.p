// A query is answered with all updates that have been replied to, and never with fewer than one before.
spec ReadsAreCurrent observes eUpdated, eAnswer {
  var newest: int;
  var known: map[int, int];

  start state Watching {
    on eUpdated do (it: (value: int, version: int)) {
      check(it.version, it.value);
    }
    on eAnswer do (it: (version: int, value: int)) {
      assert it.version >= newest, format("version {0} is read after version {1}", it.version, newest);
      check(it.version, it.value);
    }
  }

  fun check(version: int, value: int) {
    if (version in known)
      assert known[version] == value, format("version {0} was {1}, and is {2}", version, known[version], value);
    known[version] = value;
    if (version > newest)
      newest = version;
  }
}
