// A lift with a door, and people who press buttons.

enum Floor { GROUND, FIRST, SECOND }

event call: Floor;
event arrived: (lift: Lift, floor: Floor);
event open;
event opened;
event shut;

machine Main {
  start state Init {
    entry {
      var lift: Lift;
      lift = new Lift(new Door());
      send lift, call, SECOND;
      if ($) send lift, call, choose_floor();
    }
  }

  fun choose_floor(): Floor {
    var floors: seq[Floor];
    floors += (0, GROUND);
    floors += (sizeof(floors), FIRST);
    return choose(floors);
  }
}

machine Lift {
  var door: Door;
  var here: Floor;
  var wanted: set[Floor];

  start state Init {
    entry (with_door: Door) {
      door = with_door;
      goto Waiting;
    }
    defer call;
  }

  state Waiting {
    on call goto Moving with (floor: Floor) { wanted += (floor); }
    ignore opened;
  }

  state Moving {
    defer call;
    entry {
      here = wanted[0];
      wanted -= (here);
      announce arrived, (lift = this, floor = here);
      send door, open;
      receive {
        case opened: { print format("open on {0}", here to int); }
      }
      send door, shut;
      if (sizeof(wanted) == 0) goto Waiting;
      raise call, wanted[0];
    }
    exit { assert !(here in wanted), "still wanted here"; }
  }
}

machine Door {
  var lift: machine;
  var is_open: bool;

  start state Shut {
    on open do { is_open = true; goto Open; }
    ignore shut;
  }
  state Open {
    entry { assert is_open; }
    on shut goto Shut with { is_open = false; }
    on open do { }
  }
}
