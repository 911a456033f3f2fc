// Two-phase commit with a fault that was put in: the coordinator commits when as many votes have come
// as there are participants, and counts a vote against it like one in favour. The spec sees a
// transaction that one participant has refused and another one commits.
//
//   ravel check two_phase_commit.p         finds it
enum tVote { NO, YES }

event ePrepare: Coordinator;
event eVote: (who: Participant, vote: tVote);
event eCommit;
event eAbort;

machine Coordinator {
  var participants: seq[Participant];
  var votes: int;

  start state Init {
    entry (those: seq[Participant]) {
      participants = those;
      tell_all(ePrepare, this);
      goto Voting;
    }
  }

  state Voting {
    on eVote do (vote: (who: Participant, vote: tVote)) {
      votes = votes + 1;
      if (vote.vote == NO && votes == 1) {
        tell_all(eAbort, null);
        goto Done;
      }
      if (votes == sizeof(participants)) {
        tell_all(eCommit, null);
        goto Done;
      }
    }
  }

  state Done {
    ignore eVote;
  }

  fun tell_all(what: event, payload: any) {
    var i: int;
    while (i < sizeof(participants)) {
      send participants[i], what, payload;
      i = i + 1;
    }
  }
}

machine Participant {
  start state Waiting {
    on ePrepare do (coordinator: Coordinator) {
      if ($)
        send coordinator, eVote, (who = this, vote = YES);
      else
        send coordinator, eVote, (who = this, vote = NO);
    }
    ignore eCommit, eAbort;
  }
}

// What one has refused nobody commits.
spec Atomic observes eVote, eCommit {
  var refused: bool;

  start state Watching {
    on eVote do (vote: (who: Participant, vote: tVote)) {
      refused = refused || vote.vote == NO;
    }
    on eCommit do {
      assert !refused, "a transaction is committed that a participant has refused";
    }
  }
}

machine TwoParticipants {
  start state Init {
    entry {
      var participants: seq[Participant];
      participants += (0, new Participant());
      participants += (1, new Participant());
      new Coordinator(participants);
    }
  }
}

test tcTwoParticipants [main=TwoParticipants]:
  assert Atomic in { TwoParticipants, Coordinator, Participant };
