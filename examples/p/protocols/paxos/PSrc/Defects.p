// Defects, one for each test that sets it (PTst/Defects.p).
param pHalfIsQuorum: bool;
param pTakesFirstValue: bool;
param pCountsOldPromises: bool;
