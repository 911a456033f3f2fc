// As many servers, clients and crashes as are given. Nobody waits until the chain is set up.
fun start_all(count: int, clientCount: int, crashes: int): (master: Master, servers: seq[Server]) {
  var servers: seq[Server];
  var clients: set[Client];
  var targets: set[machine];
  var server: Server;
  var master: Master;
  while (sizeof(servers) < count) {
    server = new Server();
    servers += (sizeof(servers), server);
    targets += (server);
  }
  while (sizeof(clients) < clientCount)
    clients += (new Client((head = servers[0], tail = server, value = sizeof(clients) + 1)));
  master = new Master((servers = servers, clients = clients));
  if (crashes > 0)
    new CrashInjector((targets = targets, times = crashes));
  return (master = master, servers = servers);
}

machine TwoClients {
  start state Init {
    entry { start_all(3, 2, 0); }
  }
}

machine OneCrash {
  start state Init {
    entry { start_all(3, 1, 1); }
  }
}

machine TwoCrashes {
  start state Init {
    entry { start_all(3, 1, 2); }
  }
}

machine TwoClientsAndACrash {
  start state Init {
    entry { start_all(3, 2, 1); }
  }
}

machine TwoOfFourCrash {
  start state Init {
    entry { start_all(4, 1, 2); }
  }
}

test tcTwoClients [main=TwoClients]:
  assert SameOrder, ReadsAreCurrent, AllAreAnswered in (union ChainReplication, { TwoClients });

test tcOneCrash [main=OneCrash]:
  assert SameOrder, ReadsAreCurrent, AllAreAnswered in (union ChainReplication, { OneCrash });

test tcTwoCrashes [main=TwoCrashes]:
  assert SameOrder, ReadsAreCurrent, AllAreAnswered in (union ChainReplication, { TwoCrashes });

test tcTwoClientsAndACrash [main=TwoClientsAndACrash]:
  assert SameOrder, ReadsAreCurrent, AllAreAnswered in (union ChainReplication, { TwoClientsAndACrash });

test tcTwoOfFourCrash [main=TwoOfFourCrash]:
  assert SameOrder, ReadsAreCurrent, AllAreAnswered in (union ChainReplication, { TwoOfFourCrash });
