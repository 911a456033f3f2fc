// Phase 1: a proposer asks for promises, with the number of its ballot. An acceptor that promises says
// what it has accepted before; ballot 0 is nothing.
event ePrepare: (proposer: Proposer, ballot: int);
type tPromise = (acceptor: Acceptor, ballot: int, acceptedBallot: int, acceptedValue: int);
event ePromise: tPromise;

// Phase 2: it asks for acceptance of a value, and the learner hears who accepts.
event eAccept: (ballot: int, value: int);
type tAccepted = (acceptor: Acceptor, ballot: int, value: int);
event eAccepted: tAccepted;

// For the specs.
event eProposed: int;
event eLearned: int;
