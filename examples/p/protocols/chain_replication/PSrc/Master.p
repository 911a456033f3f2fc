// Sets up the chain, and closes the gap when a server has crashed. If it was an inner one, its successor
// is asked for its last version first, so that its predecessor sends neither too little nor too much. Any
// other server may crash meanwhile, also one of these two.
machine Master {
  var chain: seq[Server];
  var clients: set[Client];
  // As it was in the beginning.
  var first_chain: seq[Server];
  // Who has been asked for its last version.
  var asked: set[Server];

  start state Configuring {
    entry (its: (servers: seq[Server], clients: set[Client])) {
      var i: int;
      var predecessor: Server;
      var successor: Server;
      chain = its.servers;
      first_chain = its.servers;
      clients = its.clients;
      while (i < sizeof(chain)) {
        successor = nobody();
        if (i + 1 < sizeof(chain))
          successor = chain[i + 1];
        send chain[i], eConfigure, (master = this, predecessor = predecessor, successor = successor);
        predecessor = chain[i];
        i = i + 1;
      }
      goto Watching;
    }
  }

  state Watching {
    on eCrashed do remove;
    ignore eLastVersion;
  }

  state Repairing {
    on eCrashed do (server: Server) {
      if (!pOneCrashAtATime)
        remove(server);
    }

    on eLastVersion do (its: (server: Server, version: int)) {
      if (!(its.server in asked))
        return;
      asked -= (its.server);
      send chain[position(its.server, chain) - 1], eNewSuccessor, its;
      if (sizeof(asked) == 0)
        goto Watching;
    }
  }

  fun remove(server: Server) {
    var at: int;
    at = position(server, chain);
    chain -= (at);
    asked -= (server);
    if (pOldPositions)
      at = position(server, first_chain);

    if (at == 0) {
      asked -= (chain[0]);
      if (pTellsClientsFirst)
        tell_clients(eNewHead, chain[0]);
      send chain[0], eBecomeHead;
      if (!pTellsClientsFirst)
        tell_clients(eNewHead, chain[0]);
    } else if (at == sizeof(chain)) {
      if (pTellsClientsFirst)
        tell_clients(eNewTail, chain[at - 1]);
      send chain[at - 1], eBecomeTail;
      if (!pTellsClientsFirst)
        tell_clients(eNewTail, chain[at - 1]);
    } else {
      send chain[at], eNewPredecessor, chain[at - 1];
      asked += (chain[at]);
    }

    if (sizeof(asked) == 0)
      goto Watching;
    goto Repairing;
  }

  fun position(server: Server, servers: seq[Server]): int {
    var i: int;
    while (servers[i] != server)
      i = i + 1;
    return i;
  }

  fun tell_clients(what: event, server: Server) {
    var client: Client;
    foreach (client in clients)
      send client, what, server;
  }
}
