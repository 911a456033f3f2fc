// Defects, one for each test that sets it (PTst/Defects.p).
param pTellsBeforeChosen: bool;
param pForgetsOutcomes: bool;
param pCountsVotes: bool;
param pVotesBeforeTail: bool;
