// Clients and servers. The n-th update that is stored has version n.
type tUpdate = (client: Client, value: int);
event eUpdate: tUpdate;
event eUpdated: (value: int, version: int);
event eQuery: Client;
event eAnswer: (version: int, value: int);

// From a server to its successor, and back.
event eForward: (version: int, update: tUpdate);
event eAcknowledged: int;

// The master and the servers.
event eConfigure: (master: Master, predecessor: Server, successor: Server);
event eCrashed: Server;
event eBecomeHead;
event eBecomeTail;
event eNewPredecessor: Server;
event eLastVersion: (server: Server, version: int);
event eNewSuccessor: (server: Server, version: int);

// From the master to the clients.
event eNewHead: Server;
event eNewTail: Server;

// For the specs.
event eStored: (server: Server, version: int, value: int);
event eFinished: Client;

// The predecessor of the head and the successor of the tail.
fun nobody(): Server {
  return default(Server);
}
