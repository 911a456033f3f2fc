// Two clients that each add 1 to a number which somebody else keeps: they read it and then write it,
// so that one of them may write over what the other has written.
//
//   ravel check lost_update.p      finds it
event eRead: Adder;
event eValue: int;
event eWrite: int;
event eDone;

machine Keeper {
  var value: int;

  start state Keeping {
    on eRead do (adder: Adder) {
      send adder, eValue, value;
    }
    on eWrite do (written: int) {
      value = written;
    }
    on eDone goto OneIsDone;
  }

  state OneIsDone {
    on eRead do (adder: Adder) {
      send adder, eValue, value;
    }
    on eWrite do (written: int) {
      value = written;
    }
    on eDone do {
      assert value == 2, format("two have added 1, and the value is {0}", value);
    }
  }
}

machine Adder {
  start state Init {
    entry (keeper: Keeper) {
      send keeper, eRead, this;
      receive {
        case eValue: (value: int) {
          send keeper, eWrite, value + 1;
        }
      }
      send keeper, eDone;
    }
  }
}

machine Main {
  start state Init {
    entry {
      var keeper: Keeper;
      keeper = new Keeper();
      new Adder(keeper);
      new Adder(keeper);
    }
  }
}
