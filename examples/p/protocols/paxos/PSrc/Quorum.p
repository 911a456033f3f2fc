// How many acceptors are more than half of them.
fun quorum(acceptors: int): int {
  if (pHalfIsQuorum)
    return (acceptors + 1) / 2;
  return acceptors / 2 + 1;
}
