// Defects, one for each test that sets it (PTst/Defects.p).
param pUnprepared: bool;
param pForgetsToSendAgain: bool;
param pSendsAllAgain: bool;
param pForgetsReplies: bool;
param pForgetsRequests: bool;
param pRepliesEarly: bool;
param pOneCrashAtATime: bool;
param pOldPositions: bool;
param pTellsClientsFirst: bool;
