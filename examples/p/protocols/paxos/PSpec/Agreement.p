// What is learned was proposed, and is never anything else afterwards.
spec Agreement observes eProposed, eLearned {
  var proposed: set[int];
  var learned: int;

  start state Watching {
    on eProposed do (value: int) {
      proposed += (value);
    }
    on eLearned do (value: int) {
      assert value in proposed, format("{0} is learned, and nobody has proposed it", value);
      assert learned == 0 || learned == value, format("{0} is learned, and then {1}", learned, value);
      learned = value;
    }
  }
}
