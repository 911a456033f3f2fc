// The manager and the shards. A request names the manager that wants the vote.
type tVoteRequest = (manager: Manager, transaction: int);
event eVoteRequest: tVoteRequest;
event eVote: (shard: int, transaction: int, yes: bool);
event eDecision: (transaction: int, commit: bool);

// From the head of a shard to its tail, and from a head that crashes to the managers.
event eForwardVote: (request: tVoteRequest, yes: bool);
event eNewHead: (shard: int, server: ShardServer);

// For the specs.
event eApplied: (shard: int, transaction: int, commit: bool);
event eSettled: int;
