// A timer runs out once, at any time after it was made: the scheduler decides when it moves. Its number
// says which wait it is for, so that who has stopped waiting knows that it is late.
event eTimeOut: int;

machine Timer {
  start state Running {
    entry (its: (owner: machine, number: int)) {
      send its.owner, eTimeOut, its.number;
      raise halt;
    }
  }
}
