module Proposers = { Proposer, Timer };
module Acceptors = { Acceptor, CrashInjector };
module Learners = { Learner };
module Paxos = (union Proposers, Acceptors, Learners);
