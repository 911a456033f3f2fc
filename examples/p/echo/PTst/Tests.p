// The tests of the project: with one client, and with as many as the parameter says.
param pClients: int;

machine OneClient {
  start state Init {
    entry {
      new Client(new Server());
    }
  }
}

machine SeveralClients {
  start state Init {
    entry {
      var server: Server;
      var i: int;
      server = new Server();
      while (i < pClients) {
        new Client(server);
        i = i + 1;
      }
    }
  }
}

test tcOneClient [main=OneClient]:
  assert AllAreAnswered in { OneClient, Client, Server };

test param (pClients in [1, 2]) tcClients [main=SeveralClients]:
  { SeveralClients, Client, Server };
