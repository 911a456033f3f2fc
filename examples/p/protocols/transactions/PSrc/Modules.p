module Transactions = { Manager, ShardServer, Acceptor, Timer, CrashInjector };
