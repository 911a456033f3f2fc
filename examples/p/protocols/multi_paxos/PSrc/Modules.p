module Leaders = { Leader, Timer };
module Acceptors = { Acceptor };
module Replicas = { Replica };
module MultiPaxos = (union Leaders, Acceptors, Replicas);
