// Servers that have not crashed store the same updates in the same order, each of them once.
spec SameOrder observes eStored, eCrashed {
  var histories: map[Server, seq[int]];

  start state Watching {
    on eStored do (it: (server: Server, version: int, value: int)) {
      var other: Server;
      if (!(it.server in histories))
        histories[it.server] = default(seq[int]);
      assert !(it.value in histories[it.server]), format("update {0} is stored twice", it.value);
      foreach (other in keys(histories)) {
        if (sizeof(histories[other]) >= it.version)
          assert histories[other][it.version - 1] == it.value,
            format("version {0} is update {1} here and update {2} there", it.version, it.value,
                   histories[other][it.version - 1]);
      }
      histories[it.server] += (it.version - 1, it.value);
    }
    on eCrashed do (server: Server) {
      histories -= (server);
    }
  }
}
