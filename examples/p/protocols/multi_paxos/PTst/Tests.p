// Three acceptors, and a leader for each list of commands, with as many ballots as are given.
fun start_all(commands: seq[seq[int]], ballots: seq[int]) {
  var those: set[Acceptor];
  var replica: Replica;
  var i: int;
  while (sizeof(those) < 3)
    those += (new Acceptor());
  replica = new Replica(3);
  while (i < sizeof(commands)) {
    new Leader((acceptors = those, replica = replica, digit = i + 1, commands = commands[i], ballots = ballots[i]));
    i = i + 1;
  }
}

fun of_one(mine: seq[int]): seq[seq[int]] {
  var commands: seq[seq[int]];
  commands += (0, mine);
  return commands;
}

fun of_two(first: seq[int], second: seq[int]): seq[seq[int]] {
  var commands: seq[seq[int]];
  commands += (0, first);
  commands += (1, second);
  return commands;
}

fun one(number: int): seq[int] {
  var numbers: seq[int];
  numbers += (0, number);
  return numbers;
}

fun two(first: int, second: int): seq[int] {
  var numbers: seq[int];
  numbers += (0, first);
  numbers += (1, second);
  return numbers;
}

machine OneLeader {
  start state Init {
    entry { start_all(of_one(two(101, 102)), one(1)); }
  }
}

machine OneLeaderAgain {
  start state Init {
    entry { start_all(of_one(two(101, 102)), one(2)); }
  }
}

machine TwoLeaders {
  start state Init {
    entry { start_all(of_two(one(101), one(201)), two(1, 1)); }
  }
}

machine TwoLeadersAgain {
  start state Init {
    entry { start_all(of_two(one(101), one(201)), two(2, 1)); }
  }
}

// Two clients have sent their commands to both leaders, where they came in different orders.
machine SharedCommands {
  start state Init {
    entry { start_all(of_two(two(101, 201), two(201, 101)), two(2, 1)); }
  }
}

test tcOneLeader [main=OneLeader]:
  assert OneCommandPerSlot, OrderOfTheLog, AllIsCarriedOut in (union MultiPaxos, { OneLeader });

test tcOneLeaderAgain [main=OneLeaderAgain]:
  assert OneCommandPerSlot, OrderOfTheLog, AllIsCarriedOut in (union MultiPaxos, { OneLeaderAgain });

test tcTwoLeaders [main=TwoLeaders]:
  assert OneCommandPerSlot, OrderOfTheLog in (union MultiPaxos, { TwoLeaders });

test tcTwoLeadersAgain [main=TwoLeadersAgain]:
  assert OneCommandPerSlot, OrderOfTheLog in (union MultiPaxos, { TwoLeadersAgain });

test tcSharedCommands [main=SharedCommands]:
  assert OneCommandPerSlot, OrderOfTheLog in (union MultiPaxos, { SharedCommands });
