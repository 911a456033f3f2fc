// For tests in which nobody can keep others from it for ever: in the end a value is learned.
spec SomethingIsLearned observes eProposed, eLearned {
  start cold state NothingProposed {
    on eProposed goto NothingLearned;
  }
  hot state NothingLearned {
    on eLearned goto Learned;
    ignore eProposed;
  }
  cold state Learned {
    ignore eProposed, eLearned;
  }
}
