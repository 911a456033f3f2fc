// As many participants, clients (with a transaction each) and crashes of the coordinator as are given.
fun start_all(participants: int, clients: int, crashes: int) {
  var those: set[Participant];
  var coordinator: Coordinator;
  var targets: set[machine];
  while (sizeof(those) < participants)
    those += (new Participant());
  coordinator = new Coordinator(those);
  while (clients > 0) {
    new Client((coordinator = coordinator, transaction = clients));
    clients = clients - 1;
  }
  if (crashes > 0) {
    targets += (coordinator);
    new CrashInjector((targets = targets, times = crashes));
  }
}

machine OneClient {
  start state Init {
    entry { start_all(2, 1, 0); }
  }
}

machine OneClientAndACrash {
  start state Init {
    entry { start_all(2, 1, 1); }
  }
}

machine TwoClients {
  start state Init {
    entry { start_all(2, 2, 0); }
  }
}

test tcOneClient [main=OneClient]:
  assert Atomicity, TrueOutcome, AllAreTold in (union TwoPhaseCommit, { OneClient });

test tcOneClientAndACrash [main=OneClientAndACrash]:
  assert Atomicity, TrueOutcome, AllAreTold in (union TwoPhaseCommit, { OneClientAndACrash });

test tcTwoClients [main=TwoClients]:
  assert Atomicity, TrueOutcome, AllAreTold in (union TwoPhaseCommit, { TwoClients });
