/* The locker of locker.erl: a server gives N clients one resource, exclusively or shared. A step goes
 * from one receive to the next: it takes a message and does all that follows from it. So each step is a
 * d_step, and a client is where its next receive is. The first N - SHARED clients want the resource for
 * themselves, the others share it. References are left out: a client has one request at a time.
 *
 *     spin -a -o2 -DN=5 locker.pml && gcc -O2 -DSAFETY -DNOREDUCE -o pan pan.c && ./pan -m1000000
 *
 * -o2 keeps `linked`, which is only written. -DNO_LINKS is a server that is not linked with its clients.
 *
 *     -DN=5                 52,192   9,752 with -DNO_LINKS
 *     -DN=5 -DSHARED=5     284,272
 *     -DN=6                751,552
 *     -DN=6 -DSHARED=6  10,364,272
 */
#ifndef N
#define N 5
#endif
#ifndef SHARED
#define SHARED 0
#endif

#define NOBODY 255
#define is_exclusive(c) (c < N - SHARED)

mtype = { none, request, release, ok, done };

chan server = [N] of { byte, mtype };   /* the server's mailbox: who, and what */
mtype answer[N] = none;                 /* each client's mailbox, which never holds two messages */

/* What the server knows. Those who want the resource for themselves go before those who share. */
byte owner = NOBODY;                    /* who has the resource exclusively */
chan sharers = [N] of { byte };         /* who shares it, in the order in which they got it */
chan waiting_exclusive = [N] of { byte };
chan waiting_shared = [N] of { byte };
#ifdef NO_LINKS
#define link(c) skip
#else
#define link(c) linked[c] = true
bool linked[N];                         /* its links, on which nothing depends */
#endif

hidden byte c;                          /* of one step, so no part of the state */

inline take_exclusively(c) {
  owner = c;
  answer[c] = ok
}

inline take_shared(c) {
  sharers!c;
  answer[c] = ok
}

/* Gives the resource to those who wait, as far as it goes. */
inline serve_waiting() {
  if
  :: owner == NOBODY && len(sharers) == 0 && len(waiting_exclusive) > 0 ->
     waiting_exclusive?c;
     take_exclusively(c)
  :: else
  fi;
  do
  :: owner == NOBODY && len(waiting_exclusive) == 0 && len(waiting_shared) > 0 ->
     waiting_shared?c;
     take_shared(c)
  :: else -> break
  od
}

active [N] proctype client() {          /* the number of a client is its _pid */
  d_step { server!_pid, request };
  do
  :: d_step { answer[_pid] == ok -> answer[_pid] = none; server!_pid, release }
  :: d_step { answer[_pid] == done -> answer[_pid] = none; server!_pid, request }
  od
}

active proctype locker() {
  do
  :: d_step {
       server?c, request ->
       link(c);
       if
       :: is_exclusive(c) && owner == NOBODY && len(sharers) == 0 && len(waiting_exclusive) == 0 ->
          take_exclusively(c)
       :: !is_exclusive(c) && owner == NOBODY && len(waiting_exclusive) == 0 && len(waiting_shared) == 0 ->
          take_shared(c)
       :: else ->
          if
          :: is_exclusive(c) -> waiting_exclusive!c
          :: else -> waiting_shared!c
          fi
       fi;
       assert(owner == NOBODY || len(sharers) == 0)
     }
  :: d_step {
       server?c, release ->
       answer[c] = done;
       if
       :: owner == c -> owner = NOBODY
       :: else -> sharers??eval(c)
       fi;
       serve_waiting();
       assert(owner == NOBODY || len(sharers) == 0)
     }
  od
}
