// Two shards of two servers each, three acceptors, a manager, and a backup if it is wanted. Heads of
// shards crash as often as is said.
fun start_all(transactions: int, withBackup: bool, crashes: int) {
  var acceptors: set[Acceptor];
  var shards: map[int, ShardServer];
  var targets: set[machine];
  var all: set[int];
  var shard: int;
  while (sizeof(acceptors) < 3)
    acceptors += (new Acceptor());
  while (shard < 2) {
    shard = shard + 1;
    shards[shard] = new ShardServer((shard = shard, successor = default(ShardServer)));
    shards[shard] = new ShardServer((shard = shard, successor = shards[shard]));
    targets += (shards[shard]);
  }
  while (sizeof(all) < transactions)
    all += (sizeof(all) + 1);
  new Manager((acceptors = acceptors, shards = shards, digit = 1, transactions = all, isBackup = false));
  if (withBackup)
    new Manager((acceptors = acceptors, shards = shards, digit = 2, transactions = all, isBackup = true));
  if (crashes > 0)
    new CrashInjector((targets = targets, times = crashes));
}

machine OneManager {
  start state Init {
    entry { start_all(1, false, 0); }
  }
}

machine OneManagerAndACrash {
  start state Init {
    entry { start_all(1, false, 1); }
  }
}

machine WithBackup {
  start state Init {
    entry { start_all(1, true, 0); }
  }
}

machine WithBackupAndACrash {
  start state Init {
    entry { start_all(2, true, 1); }
  }
}

test tcOneManager [main=OneManager]:
  assert Consistency, EachIsSettled in (union Transactions, { OneManager });

test tcOneManagerAndACrash [main=OneManagerAndACrash]:
  assert Consistency, EachIsSettled in (union Transactions, { OneManagerAndACrash });

test tcWithBackup [main=WithBackup]:
  assert Consistency, EachIsSettled in (union Transactions, { WithBackup });

test tcWithBackupAndACrash [main=WithBackupAndACrash]:
  assert Consistency, EachIsSettled in (union Transactions, { WithBackupAndACrash });
