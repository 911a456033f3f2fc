// Clients and the coordinator.
type tTransaction = (client: Client, transaction: int);
event eTransaction: tTransaction;
event eOutcome: (transaction: int, commit: bool);

// The coordinator and the participants.
event eVoteRequest: (coordinator: Coordinator, transaction: int);
event eVote: (participant: Participant, transaction: int, yes: bool);
event eDecision: (transaction: int, commit: bool);

// For the specs: what a participant does with a transaction in the end.
event eApplied: (participant: Participant, transaction: int, commit: bool);
