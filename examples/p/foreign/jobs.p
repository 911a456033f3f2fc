// An office whose jobs wait by urgency, in a queue that is written in C++ (queue.cc, README.md).
//
//   ravel check jobs.p --foreign ./queue.so     tcUrgentFirst passes; tcUrgentFirstOfAll has a bug, as it asks
//                                               for more than a dispatcher can promise

type tJob = (urgency: int, name: string);
type tQueue;

fun NewQueue(): tQueue;
fun Add(queue: tQueue, job: tJob): tQueue;
fun Remove(queue: tQueue, job: tJob): tQueue;
fun MostUrgent(queue: tQueue): tJob;
fun Size(queue: tQueue): int;

event eJob: tJob;      // to the dispatcher
event eFree: Worker;   // to the dispatcher: this worker has nothing to do
event eRun: tJob;      // to a worker
event eQueued: tJob;   // announced: the dispatcher knows of it

machine Dispatcher {
  var queue: tQueue;
  var free: seq[Worker];

  start state Dispatching {
    entry { queue = NewQueue(); }
    on eJob do (job: tJob) {
      queue = Add(queue, job);
      announce eQueued, job;
      handOut();
    }
    on eFree do (worker: Worker) {
      free += (sizeof(free), worker);
      handOut();
    }
  }

  fun handOut() {
    var job: tJob;
    if (sizeof(free) == 0 || Size(queue) == 0) return;
    job = MostUrgent(queue);
    queue = Remove(queue, job);
    send free[0], eRun, job;
    free -= (0);
  }
}

machine Worker {
  var dispatcher: Dispatcher;

  start state Working {
    entry (mine: Dispatcher) {
      dispatcher = mine;
      send dispatcher, eFree, this;
    }
    on eRun do { send dispatcher, eFree, this; }
  }
}

machine Client {
  start state Asking {
    entry (order: (dispatcher: Dispatcher, job: tJob)) { send order.dispatcher, eJob, order.job; }
  }
}

machine Office {
  start state Opening {
    entry {
      var dispatcher: Dispatcher;
      dispatcher = new Dispatcher();
      new Worker(dispatcher);
      new Client((dispatcher = dispatcher, job = (urgency = 1, name = "tidy")));
      new Client((dispatcher = dispatcher, job = (urgency = 5, name = "repair")));
      new Client((dispatcher = dispatcher, job = (urgency = 9, name = "put out")));
    }
  }
}

// No job runs while the dispatcher knows of one that is more urgent.
spec UrgentFirst observes eQueued, eRun {
  var waiting: tQueue;
  start state Watching {
    entry { waiting = NewQueue(); }
    on eQueued do (job: tJob) { waiting = Add(waiting, job); }
    on eRun do (job: tJob) {
      assert MostUrgent(waiting) == job, format("{0} runs, and waiting are {1}", job, waiting);
      waiting = Remove(waiting, job);
    }
  }
}

// The same of jobs that somebody has asked for.
spec UrgentFirstOfAll observes eJob, eRun {
  var waiting: tQueue;
  start state Watching {
    entry { waiting = NewQueue(); }
    on eJob do (job: tJob) { waiting = Add(waiting, job); }
    on eRun do (job: tJob) {
      assert MostUrgent(waiting) == job, format("{0} runs, and waiting are {1}", job, waiting);
      waiting = Remove(waiting, job);
    }
  }
}

module Machines = { Office, Dispatcher, Worker, Client };

test tcUrgentFirst [main = Office]: assert UrgentFirst in Machines;
test tcUrgentFirstOfAll [main = Office]: assert UrgentFirstOfAll in Machines;
