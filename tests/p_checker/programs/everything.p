// Every construct of the language that other programs here leave out.

/* comments do not /* nest */
type Opaque;
type Pair = (int, string);
type Deep = map[Pair, seq[set[(a: float, b: (any), c: data)]]];

enum Level { LOW = 10, HIGH = 20, NONE = 5 }

event tick assert 3;
event value assume 1: Level;
event raw: any;
event one: (int);

eventset Times = { tick, halt };

interface Clock(Pair) receives tick;
interface Silent() receives;

fun read_clock(o: Opaque, n: int): Opaque;
fun start_clock(): machine creates Clock;

fun fact(n: int): int {
  if (n <= 1) return 1;
  return n * fact(n - 1);
}

fun never(): bool { assert false, "never"; }

fun shift(s: seq[any], by: int): seq[any] {
  var i: int;
  var x: any;
  var out: seq[any];
  foreach (x in s) {
    i = i + 1;
    if (i <= by) continue;
    out += (sizeof(out), x);
  }
  return out;
}

machine Main {
  var deep: Deep;
  var who: machine;
  var times: Times;
  var e: event;
  var b: bool;
  var n: int;
  var f: float;
  var x: any;
  var t: (a: int, b: (int, seq[Level]));
  var o: Opaque;

  start state First {
    entry (p: any) {
      t = (a = 1, b = (2, default(seq[Level])));
      t.b.1 += (0, HIGH);
      t.b.1[0] = LOW;
      deep[(1, "k")] = default(seq[set[(a: float, b: (any), c: data)]]);
      x = (1,);
      x = (only = 1.5,);
      x = null;
      n = -t.a + t.b.0 * 3 / 2 % 7 - (HIGH to int);
      f = n to float + 0.5;
      n = f to int;
      b = n in keys(default(map[int, bool])) || n == 3 && !b ==> true <==> $$;
      b = "a" + "b" <= "c" == (1 != 2);
      x = values(default(map[int, string]));
      e = tick;
      e = halt;
      e = null;
      who = new Second(this, 1);
      who = start_clock();
      x = read_clock(o, fact(5));
      x = shift(default(seq[any]), 1) as any;
      send who, raw, (x, n);
      send who, one, (4,);
      if (e != null) send this, e;
      print "{{braces}} and \"quotes\"\n";
      assert n > 0 || true, format("{0}{1}", n, deep);
      if (choose()) raise tick; else if (choose(3) == 0) goto Waiting, n; else { ; }
      while ($) { n = n + 1; if (n > 5) { break; } }
    }
    exit leave;
    on tick goto Waiting with step;
    on null do idle;
    on halt do { raise halt; }
    defer value;
    ignore raw, one;
  }

  state Waiting {
    entry (m: any) {
      var seen: int;
      receive {
        case tick, value: { seen = seen + 1; }
        case one: (k: (int)) {
          var twice: int;
          twice = k.0 * 2;
          seen = twice;
          if (seen > 3) break;
          return;
        }
        case null: { }
      }
      n = seen;
    }
    on raw do (r: any) { n = r as int; }
    on one do (k: int) { n = k; }
  }

  fun leave() { b = false; }
  fun step() { n = n + 1; }
  fun idle() { if (n > 100) goto First, null; }
}

machine Second receives raw, one, halt; sends tick; sends; {
  start state S {
    entry (p: (Main, int)) { send p.0, tick; }
    on raw do (p: any) { }
    ignore one;
  }
}

machine Sun receives tick; {
  start state S { entry (p: Pair) { assert p.1 != ""; } ignore tick; }
}

spec Calm observes tick, raw {
  var count: int;
  start state Cold { on tick do note; ignore raw; }
  hot state Hot { on raw goto Cold; ignore tick; }
  fun note() { count = count + 1; if (count > 2) { count = 0; goto Hot; } }
}

invariant nothing: forall (m: Main) :: m == m;

module core = { Main, Second, Sun -> Clock };
module watched = assert Calm in core;
module silent = { Sun -> Silent2 };
interface Silent2(Pair) receives tick;

implementation plain [main = Third]: union core, { Third };
machine Third { start state S { entry { new Main(1); } } }

param speed: int;
test t0 [main = Third]: (union watched, { Third });
test t1 [main = Third]: union (hidei Clock in watched), { Third };
test param (speed in [0, -1]) t2 [main = Third]: union core, { Third };
