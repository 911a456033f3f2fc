module ChainReplication = { Server, Master, Client, CrashInjector };
