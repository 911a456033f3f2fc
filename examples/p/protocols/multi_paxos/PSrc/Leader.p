// Wants the commands of its clients in the log. It first asks for promises, for all slots at once. Slots
// in which something was accepted before keep what they have, and its own commands go behind them. Another
// leader may take over; a timer lets it try again as long as it has ballots left.
machine Leader {
  var acceptors: set[Acceptor];
  var replica: Replica;
  var commands: seq[int];
  var ballots: int;
  var ballot: int;
  var promises: set[Acceptor];
  var slots: map[int, tAccepted];

  start state Init {
    entry (its: (acceptors: set[Acceptor], replica: Replica, digit: int, commands: seq[int], ballots: int)) {
      acceptors = its.acceptors;
      replica = its.replica;
      ballot = its.digit;
      commands = its.commands;
      ballots = its.ballots;
      goto Preparing;
    }
  }

  state Preparing {
    entry {
      var acceptor: Acceptor;
      ballots = ballots - 1;
      ballot = ballot + 10;
      promises = default(set[Acceptor]);
      slots = default(map[int, tAccepted]);
      foreach (acceptor in acceptors)
        send acceptor, ePrepare, (leader = this, ballot = ballot);
      if (ballots > 0)
        new Timer((owner = this, number = ballot));
    }

    on ePromise do (promise: tPromise) {
      if (promise.ballot != ballot)
        return;
      promises += (promise.acceptor);
      remember(promise.accepted);
      if (sizeof(promises) > sizeof(acceptors) / 2)
        goto Leading;
    }

    on eTimeOut do (number: int) {
      if (number == ballot)
        goto Preparing;
    }
  }

  state Leading {
    entry {
      var slot: int;
      var command: int;
      var old: set[int];
      foreach (slot in keys(slots)) {
        propose(slot, slots[slot].value);
        old += (slots[slot].value);
      }
      slot = sizeof(slots);
      foreach (command in commands) {
        if (!(command in old)) {
          slot = slot + 1;
          propose(slot, command);
        }
      }
    }

    on eTimeOut do (number: int) {
      if (number == ballot)
        goto Preparing;
    }
    ignore ePromise;
  }

  fun remember(accepted: map[int, tAccepted]) {
    var slot: int;
    if (pForgetsSlots)
      return;
    foreach (slot in keys(accepted)) {
      if (!(slot in slots) || slots[slot].ballot < accepted[slot].ballot)
        slots[slot] = accepted[slot];
    }
  }

  fun propose(slot: int, command: int) {
    var acceptor: Acceptor;
    foreach (acceptor in acceptors)
      send acceptor, eAccept, (learner = replica, ballot = ballot, slot = slot, value = command);
  }
}
