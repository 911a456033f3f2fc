#include "tests/p_system/random_programs.h"

#include <vector>

namespace ravel::p {
namespace {

constexpr std::size_t kMachines = 3;

constexpr const char kTimer[] =
    "event begin; event cancel; event fired; event again;\n"
    "machine Timer { var client: machine;\n"
    "start state Init { entry (c: machine) { client = c; goto Idle; } }\n"
    "state Idle { on begin goto Armed; ignore cancel, again; }\n"
    "state Armed { entry { if ($) { send client, fired; goto Idle; } else { send this, again; } }\n"
    "on again goto Armed; on cancel goto Idle; defer begin; } }\n";

class Maker {
 public:
  explicit Maker(Random& random, std::size_t with_timers = 0) : random_(random), with_timers_(with_timers) {}

  std::string program() {
    std::string text =
        "event e0: int; event e1: int; event e2: int; event others: seq[machine];\n"
        "spec Watch observes e1, e2 { var n: int; start state Calm { on e1 do (x: int) { n = n * 2 + x; } "
        "on e2 goto Busy; } state Busy { on e1 do { n = n + 1; assert n < 9; } on e2 goto Calm; } }\n"
        "machine Child { start state S { entry (one: machine) { " +
        (any(2) ? "send one, " + event() + ", 7; " : std::string("announce e2, 1; ")) + "} } }\n";
    if (with_timers_ > 0) text += kTimer;
    for (std::size_t i = 0; i < kMachines; ++i) text += machine(i);
    text += "machine Main { start state S { entry { var m: seq[machine]; var i: int;\n";
    for (std::size_t i = 0; i < kMachines; ++i)
      text += "m += (" + std::to_string(i) + ", new M" + std::to_string(i) + "());\n";
    text += "while (i < " + std::to_string(kMachines) +
            ") { send m[i], others, m; i = i + 1; } } ignore e0, e1, e2; } }\n";
    return text + "test t [main = Main]: assert Watch in {Main, Child, M0, M1, M2" +
           (with_timers_ > 0 ? ", Timer" : "") + "};\n";
  }

 private:
  bool any(std::size_t of) { return random_.below(of) == 0; }
  std::string event() { return "e" + std::to_string(random_.below(3)); }

  std::string statement() {
    const std::string to = "m[" + std::to_string(random_.below(kMachines)) + "]";
    switch (random_.below(9)) {
      case 0: return "receive { case " + event() + ": (y: int) { n = n + y; } }";
      case 1: return "if (choose()) { n = n + 1; }";
      case 2: return "announce e1, n;";
      case 3: return "new Child(m[0]);";
      case 4: return any(3) ? "raise halt;" : "n = 0;";
      default: return "send " + to + ", " + event() + ", " + (any(2) ? "n" : "1") + ";";
    }
  }
  std::string statement_about_timer() { return any(3) ? "send t, cancel; " : "send t, begin; "; }
  std::string statements(std::size_t most) {
    std::string text;
    for (std::size_t i = 1 + random_.below(most); i > 0; --i) text += statement() + " ";
    return text;
  }

  std::string reaction(const std::string& of, bool may_send) {
    switch (random_.below(5)) {
      case 0: return "defer " + of + "; ";
      case 1: return "ignore " + of + "; ";
      case 2: return "on " + of + " goto B; ";
      default:
        return "on " + of + " do (x: int) { n = n * 3 + x; " + (may_send && any(2) ? statement() : "") +
               " } ";
    }
  }

  std::string machine(std::size_t number) {
    const bool has_timer = number < with_timers_;
    std::string text = "machine M" + std::to_string(number) + " { var m: seq[machine]; var n: int;" +
                       (has_timer ? " var t: Timer;" : "") +
                       "\nstart state Wait { on others do (all: seq[machine]) { m = all; " +
                       (has_timer ? "t = new Timer(this); " : "") + "goto A; } defer e0, e1, e2; }\n";
    // Sends only on entry of A, so that programs end.
    text += "state A { entry { ";
    if (has_timer) text += statement_about_timer();
    text += statements(has_timer ? 2 : 3);
    if (has_timer) text += statement_about_timer();
    text += "} ";
    for (int i = 0; i < 3; ++i) text += reaction("e" + std::to_string(i), false);
    // Started only on entry of A, too.
    if (has_timer)
      text += any(3) ? "on fired goto B; "
                     : "on fired do { n = n * 3 + 2; " + std::string(any(2) ? "send t, cancel; " : "") + "} ";
    text += "}\nstate B { ";
    if (has_timer) text += any(2) ? "ignore fired; " : "on fired do { n = n + 50; } ";
    for (int i = 0; i < 3; ++i)
      text += any(2) ? "ignore e" + std::to_string(i) + "; "
                     : "on e" + std::to_string(i) + " do (x: int) { n = n + 10 * x; } ";
    return text + "} }\n";
  }

  Random& random_;
  const std::size_t with_timers_;  // so many of the machines have one
};

class SymmetricMaker {
 public:
  explicit SymmetricMaker(Random& random) : random_(random) {}

  std::string program() {
    std::string text =
        "event hello: (from: machine, n: int); event answer: machine; event note: machine; event go;\n"
        "spec Watch observes hello, note { var seen: set[machine]; var n: int; start state S {\n"
        "on hello do (x: (from: machine, n: int)) { ";
    text += some(
        {"seen += (x.from);", "n = x.n;", "assert x.n < 1;", "assert !(x.from in seen); seen += (x.from);"});
    text += " }\non note do (who: machine) { ";
    text += some({"seen -= (who);", "assert !(who in seen);", "n = 0;"});
    text +=
        " } } }\n"
        "machine Child { start state S { entry (whom: machine) { send whom, hello, (from = this, n = 1); }\n"
        "ignore answer, note, go; } }\n"
        "machine Server { var all: set[machine]; var last: map[machine, int];\n"
        "var pairs: map[machine, machine]; var line: seq[machine]; var one: machine; var n: int;\n"
        "start state S { on hello do (x: (from: machine, n: int)) {\n";
    for (std::size_t i = 2 + random_.below(2); i > 0; --i) text += in_server();
    text +=
        "\n} ignore answer, note, go; } }\n"
        "machine Member { var server: machine; var n: int; var friend: machine;\n"
        "start state S { entry (s: machine) { server = s; ";
    for (std::size_t i = 1 + random_.below(2); i > 0; --i) text += in_member();
    text += " }\n";
    text += reaction("answer");
    text += reaction("note");
    text +=
        " on go do { n = 1; } } }\n"
        "machine Main { start state S { entry { var s: machine; var i: int; s = new Server();\n"
        "while (i < ";
    text += any(3) ? "2" : "3";
    text += ") { new Member(s); i = i + 1; } } } }\n";
    return text + "test t [main = Main]: assert Watch in { Main, Server, Member, Child };\n";
  }

 private:
  bool any(std::size_t of) { return random_.below(of) == 0; }
  std::string some(std::vector<std::string> of) { return of[random_.below(of.size())]; }
  std::string in_server() {
    return some({"all += (x.from); ", "last[x.from] = x.n; ", "line += (sizeof(line), x.from); ",
                 "if (sizeof(all) > 0) { send choose(all), note, x.from; } ", "send x.from, answer, x.from; ",
                 "if (one != null) { pairs[one] = x.from; } one = x.from; ", "n = n + x.n; ",
                 "if (sizeof(line) > 1) { send line[0], answer, line[1]; line -= 0; } ",
                 "all += (x.from); assert sizeof(all) < 2; "});
  }
  std::string in_member() {
    return some({"send server, hello, (from = this, n = n); ",
                 "n = choose(2); send server, hello, (from = this, n = n); ", "new Child(server); ",
                 "send this, go; send server, hello, (from = this, n = 1); "});
  }
  std::string reaction(const std::string& event) {
    return some({" ignore " + event + ";", " on " + event + " do (who: machine) { friend = who; }",
                 " on " + event + " do (who: machine) { if (who != this && n < 2) { n = 2; send who, go; } }",
                 " on " + event + " do (who: machine) { if (who == this) { raise halt; } }",
                 " defer " + event + ";"});
  }

  Random& random_;
};

}  // namespace

std::string random_symmetric_program(Random& random) { return SymmetricMaker(random).program(); }
std::string random_program(Random& random) { return Maker(random).program(); }
std::string random_program_with_timers(Random& random) { return Maker(random, 2).program(); }

}  // namespace ravel::p
