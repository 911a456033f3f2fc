// A server of a chain. Updates enter at the head and are passed on from each server to its successor; the
// tail replies to the client, and answers queries. Acknowledgements go back. So a server knows which
// updates all after it have, and which it has to send again if its successor crashes.
machine Server {
  var master: Master;
  var predecessor: Server;
  var successor: Server;
  var history: seq[tUpdate];
  // Updates up to this version have reached the tail.
  var acknowledged: int;

  start state Init {
    entry {
      if (pUnprepared)
        goto Unprepared;
      goto Starting;
    }
  }

  // Clients and other servers may be faster than the master.
  state Starting {
    on eConfigure do configure;
    defer eUpdate, eForward, eQuery, eAcknowledged, eCrash;
  }

  // The defect of a test: nothing is deferred.
  state Unprepared {
    on eConfigure do configure;
  }

  state Head {
    on eUpdate do update;
    on eAcknowledged do acknowledge;
    on eNewSuccessor do join;
    on eBecomeTail goto Alone with reply_to_all;
    on eCrash do crash;
  }

  state Inner {
    on eForward do (it: (version: int, update: tUpdate)) {
      store(it.update);
      pass_on(it.version);
    }
    on eAcknowledged do acknowledge;
    on eNewPredecessor do follow;
    on eNewSuccessor do join;
    on eBecomeHead goto Head with lead;
    on eBecomeTail goto Tail with reply_to_all;
    on eCrash do crash;
  }

  state Tail {
    on eForward do (it: (version: int, update: tUpdate)) {
      store(it.update);
      reply(it.version);
      acknowledge(it.version);
    }
    on eQuery do answer;
    on eNewPredecessor do follow;
    on eBecomeHead goto Alone with lead;
    on eCrash do crash;
  }

  // All others have crashed: head and tail in one.
  state Alone {
    on eUpdate do update;
    on eQuery do answer;
  }

  fun configure(its: (master: Master, predecessor: Server, successor: Server)) {
    master = its.master;
    predecessor = its.predecessor;
    successor = its.successor;
    if (predecessor == nobody())
      goto Head;
    if (successor == nobody())
      goto Tail;
    goto Inner;
  }

  // A client whose head has crashed asks again, and the update may have been passed on before.
  fun update(it: tUpdate) {
    var version: int;
    version = version_of(it.value);
    if (version > 0 && !pForgetsRequests) {
      if (version <= acknowledged)
        reply(version);
      return;
    }
    store(it);
    version = sizeof(history);
    if (successor != nobody()) {
      if (pRepliesEarly)
        reply(version);
      pass_on(version);
    } else {
      acknowledged = version;
      reply(version);
    }
  }

  fun version_of(value: int): int {
    var i: int;
    while (i < sizeof(history)) {
      if (history[i].value == value)
        return i + 1;
      i = i + 1;
    }
    return 0;
  }

  fun store(it: tUpdate) {
    history += (sizeof(history), it);
    announce eStored, (server = this, version = sizeof(history), value = it.value);
  }

  fun pass_on(version: int) {
    send successor, eForward, (version = version, update = history[version - 1]);
  }

  fun reply(version: int) {
    send history[version - 1].client, eUpdated, (value = history[version - 1].value, version = version);
  }

  fun acknowledge(version: int) {
    acknowledged = version;
    if (predecessor != nobody())
      send predecessor, eAcknowledged, version;
  }

  fun answer(client: Client) {
    if (sizeof(history) == 0)
      send client, eAnswer, (version = 0, value = 0);
    else
      send client, eAnswer, (version = sizeof(history), value = history[sizeof(history) - 1].value);
  }

  fun lead() {
    predecessor = nobody();
  }

  // The tail has crashed: what only it knew to have arrived has arrived here.
  fun reply_to_all() {
    var version: int;
    successor = nobody();
    version = acknowledged;
    while (version < sizeof(history)) {
      version = version + 1;
      if (!pForgetsReplies)
        reply(version);
    }
    acknowledge(version);
  }

  // The predecessor has crashed. The master tells the new one from which version on to send again.
  fun follow(server: Server) {
    predecessor = server;
    send master, eLastVersion, (server = this, version = sizeof(history));
    if (acknowledged > 0)
      send predecessor, eAcknowledged, acknowledged;
  }

  // The successor has crashed.
  fun join(its: (server: Server, version: int)) {
    var version: int;
    successor = its.server;
    version = its.version;
    if (pSendsAllAgain)
      version = 0;
    while (version < sizeof(history)) {
      version = version + 1;
      if (!pForgetsToSendAgain)
        pass_on(version);
    }
  }

  // Who crashes stops, and it is noticed.
  fun crash() {
    send master, eCrashed, this;
    raise halt;
  }
}
