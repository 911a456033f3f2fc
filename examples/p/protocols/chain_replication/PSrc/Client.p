// Has one update done, and then asks what the value is. It asks again if the server crashes that it asked.
machine Client {
  var head: Server;
  var tail: Server;
  var value: int;

  start state Init {
    entry (its: (head: Server, tail: Server, value: int)) {
      head = its.head;
      tail = its.tail;
      value = its.value;
      goto Updating;
    }
  }

  state Updating {
    entry {
      send head, eUpdate, (client = this, value = value);
    }
    on eUpdated goto Querying;
    on eNewHead do (server: Server) {
      head = server;
      goto Updating;
    }
    on eNewTail do (server: Server) {
      tail = server;
    }
  }

  state Querying {
    entry {
      send tail, eQuery, this;
    }
    on eAnswer goto Done;
    on eNewTail do (server: Server) {
      tail = server;
      goto Querying;
    }
    ignore eUpdated, eNewHead;
  }

  state Done {
    entry {
      announce eFinished, this;
    }
    ignore eUpdated, eAnswer, eNewHead, eNewTail;
  }
}
