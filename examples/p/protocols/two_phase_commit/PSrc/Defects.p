// Defects of the coordinator, one for each test that sets it (PTst/Defects.p).
param pCountsVotesTwice: bool;
param pSilenceIsConsent: bool;
param pLogsTooLate: bool;
param pCountsOldVotes: bool;
