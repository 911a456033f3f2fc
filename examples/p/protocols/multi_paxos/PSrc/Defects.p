// A defect of the leader, for the test that sets it (PTst/Defects.p).
param pForgetsSlots: bool;
