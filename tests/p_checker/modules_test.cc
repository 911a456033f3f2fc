#include <gtest/gtest.h>

#include "tests/p_checker/checked.h"

namespace ravel::p {
namespace {

// A server behind an interface, a client that creates it, and a spec.
constexpr std::string_view kProgram =
    "event req: machine; event resp; event tick;\n"
    "interface Service() receives req;\n"
    "machine Server receives req; sends resp; { start state S { on req do (m: machine) { send m, resp; } } "
    "}\n"
    "machine Other receives req; sends resp; { start state S { ignore req; } }\n"
    "machine Client receives resp; sends req; { var s: machine; start state S { entry { s = new Service(); "
    "send s, req, this; } ignore resp; } }\n"
    "machine Taker receives resp; { start state S { entry (n: int) { } } }\n"
    "machine Lonely { start state S { } }\n"
    "spec Once observes req { start state S { ignore req; } }\n"
    "spec Ticks observes tick { start state S { ignore tick; } }\n";

// The declarations are line 10.
CheckedSources with(std::string_view declarations) {
  return checked(std::string(kProgram) + std::string(declarations));
}
std::string said_of(std::string_view declarations) { return with(declarations).messages(); }

TEST(Modules, BindMachinesToInterfaces) {
  const CheckedSources result = with("test t [main = Client]: { Client, Server -> Service };");
  ASSERT_TRUE(result.ok()) << result.messages();
  const Program& program = *result.program;
  ASSERT_EQ(program.tests.size(), 1u);
  const TestCase& test = program.tests[0];
  EXPECT_EQ(test.name, "t");
  EXPECT_EQ(program.interface(test.main).name, "Client");
  ASSERT_EQ(test.bindings.size(), 2u);
  const InterfaceId service{0};
  EXPECT_EQ(program.machine(test.binding(service)->machine).name, "Server");
  EXPECT_EQ(test.binding(test.main)->links[index(service)], service);
  EXPECT_EQ(test.binding(service)->links[index(service)], std::nullopt);
  EXPECT_TRUE(test.monitors.empty());
}

TEST(Modules, NameWhatIsDeclared) {
  EXPECT_EQ(said_of("module m = { Nobody };"),
            "t.p:10:14: `Nobody` is not declared: no machine has that name\n");
  EXPECT_EQ(said_of("module m = { Server -> Nothing };"),
            "t.p:10:24: `Nothing` is not declared: no interface or machine has that name\n");
  EXPECT_EQ(said_of("module m = n;"), "t.p:10:12: `n` is not declared: no module has that name\n");
  EXPECT_EQ(said_of("module m = (union n, m);"),
            "t.p:10:19: `n` is not declared: no module has that name\n"
            "t.p:10:22: the module `m` contains itself\n");
  EXPECT_EQ(said_of("module m = { Once };"),
            "t.p:10:14: `Once` is a spec: a module attaches it with `assert`\n");
  EXPECT_EQ(said_of("module m = assert Server in { Server };"),
            "t.p:10:19: `Server` is a machine, and no spec\n");
  EXPECT_EQ(said_of("module m = assert Twice in { Server };"),
            "t.p:10:19: `Twice` is not declared: no spec has that name\n");
}

TEST(Modules, BindWhatFits) {
  EXPECT_EQ(said_of("module m = { Client -> Service };"),
            "t.p:10:14: `Client` cannot be `Service`: it does not receive `req`\n");
  EXPECT_EQ(said_of("interface I() receives resp; module m = { Taker -> I };"),
            "t.p:10:43: `Taker` cannot be `I`: that begins with nothing, but `int` is needed\n");
  EXPECT_EQ(said_of("module m = { Server -> Service, Other -> Service };"),
            "t.p:10:42: `Service` is bound twice in this module\n");
}

TEST(Modules, JoinWhatIsBoundOnce) {
  EXPECT_EQ(said_of("module a = { Server }; module b = { Other }; module c = union a, b;"), "");
  EXPECT_EQ(said_of("module a = { Server }; module c = union a, { Server };"),
            "t.p:10:35: these modules cannot be joined: `Server` is bound in two of them\n");
  EXPECT_EQ(said_of("module c = compose { Server }, { Other };"),
            "t.p:10:12: these modules cannot be joined: `compose` needs one sender of each event, and `resp` "
            "is sent by two of them\n");
  EXPECT_EQ(said_of("module c = compose { Server }, { Client };"), "");
  EXPECT_EQ(said_of("module a = assert Once in { Client }; module b = assert Once in { Lonely }; module c = "
                    "union a, b;"),
            "t.p:10:88: these modules cannot be joined: the spec `Once` is attached to two of them\n");
}

TEST(Modules, AttachSpecsToWhatSendsTheirEvents) {
  const CheckedSources result =
      with("test t [main = Client]: union (assert Once in { Client }), { Server -> Service };");
  ASSERT_TRUE(result.ok()) << result.messages();
  ASSERT_EQ(result.program->tests[0].monitors.size(), 1u);
  EXPECT_EQ(result.program->machine(result.program->tests[0].monitors[0].machine).name, "Once");
  EXPECT_EQ(result.program->tests[0].monitors[0].interfaces,
            std::vector<InterfaceId>{result.program->tests[0].main});
  EXPECT_EQ(said_of("module m = assert Once, Ticks in { Client };"),
            "t.p:10:25: the spec `Ticks` observes `tick`, which nothing in this module sends\n");
  EXPECT_EQ(said_of("module m = assert Once in (assert Once in { Client });"),
            "t.p:10:19: the spec `Once` is already attached to this module\n");
}

TEST(Modules, HideAndRename) {
  const std::string_view pair =
      "module p = { Client, Server -> Service }; interface Again() receives req; interface Less() receives "
      "tick;\n";
  const auto said_below = [&](std::string_view text) {
    return said_of(std::string(pair) + std::string(text));
  };
  EXPECT_EQ(said_below("module m = hidei Service in p;"), "");
  EXPECT_EQ(said_below("module m = hidei Client in p;"),
            "t.p:11:18: `Client` cannot be hidden: the module must both create and bind it\n");
  EXPECT_EQ(said_below("module m = hidee req in p;"), "");
  EXPECT_EQ(said_below("module m = hidee tick in p;"),
            "t.p:11:12: `tick` cannot be hidden: the module must both send and receive it\n");
  EXPECT_EQ(said_below("module m = hidee resp in p;"),
            "t.p:11:12: `resp` cannot be hidden: `Client` receives it, which is not both created and bound "
            "in the module\n");
  EXPECT_EQ(said_below("module m = union (hidee req in p), { Other };"),
            "t.p:11:12: these modules cannot be joined: one hides `req`, which another sends or receives\n");
  EXPECT_EQ(said_below("module m = rename Service to Less in p;"),
            "t.p:11:30: `Service` and `Less` receive different events\n");
  EXPECT_EQ(said_below("module m = rename Again to Service in p;"),
            "t.p:11:19: the module neither creates nor binds `Again`\n");
  const CheckedSources result =
      with(std::string(pair) + "test t [main = Client]: rename Service to Again in p;");
  ASSERT_TRUE(result.ok()) << result.messages();
  const TestCase& test = result.program->tests[0];
  const InterfaceId service{0};
  const auto link = test.binding(test.main)->links[index(service)];
  ASSERT_TRUE(link);
  EXPECT_EQ(result.program->interface(*link).name, "Again");
  EXPECT_EQ(result.program->machine(test.binding(*link)->machine).name, "Server");
}

TEST(Modules, OfWhichManyAreMadeOfOneAreComputedOnce) {
  std::string text = "module m0 = { Lonely };\n";
  for (int i = 1; i < 300; ++i) {
    const std::string before = "m" + std::to_string(i - 1);
    text += "module m" + std::to_string(i) + " = (" + before + ");\n";
  }
  EXPECT_EQ(said_of(text), "");
}

TEST(Modules, ThatPDoesNotImplementAreRefused) {
  EXPECT_EQ(said_of("module m = main Client in { Client };"),
            "t.p:10:12: `main M in` modules are not implemented, by P neither; a test says `[main = M]`\n");
  EXPECT_EQ(said_of("test t [main = Lonely]: { Lonely } refines { Lonely };"),
            "t.p:10:1: tests with `refines` are not implemented, by P neither\n");
}

TEST(Tests, AreClosed) {
  EXPECT_EQ(said_of("test t [main = Client]: { Client };"),
            "t.p:10:6: the test `t` is not closed: `Service` is created, but no machine is bound to it\n");
  EXPECT_EQ(said_of("test t [main = Server]: { Lonely };"),
            "t.p:10:16: the machine `Server` is not bound in the module of this test\n");
  EXPECT_EQ(said_of("test t [main = Nobody]: { Lonely };"),
            "t.p:10:16: `Nobody` is not declared: no machine has that name\n");
  EXPECT_EQ(said_of("test t [main = Taker]: { Taker };"),
            "t.p:10:16: the entry of `Taker` takes a parameter, and a test has none to give\n");
  EXPECT_EQ(said_of("test t [main = Lonely]: { Lonely }; test t [main = Lonely]: { Lonely };"),
            "t.p:10:42: `t` is already declared at t.p:10:6\n");
}

TEST(Tests, OfAProgramWithoutAnyAreOneOfAllMachines) {
  const CheckedSources result = checked(
      "event e; machine Main { start state S { entry { new Helper(); } } } machine Helper { start state S { "
      "} } "
      "spec Never observes e { start state S { } } scenario Seen observes e { start state S { on e goto T; } "
      "cold state T { } }");
  ASSERT_TRUE(result.ok()) << result.messages();
  ASSERT_EQ(result.program->tests.size(), 1u);
  const TestCase& test = result.program->tests[0];
  EXPECT_EQ(test.name, "DefaultImpl");
  EXPECT_TRUE(test.is_implementation);
  EXPECT_EQ(test.bindings.size(), 2u);
  ASSERT_EQ(test.monitors.size(), 1u);  // scenarios watch every test, specs those that attach them
  EXPECT_EQ(result.program->machine(test.monitors[0].machine).name, "Seen");
  EXPECT_TRUE(checked("machine NotMain { start state S { } }").program->tests.empty());
}

TEST(Tests, OfDependenciesAreLeftOut) {
  std::vector<SourceText> texts;
  texts.push_back({.name = "a.p", .text = "machine A { start state S { } } test ta [main = A]: { A };"});
  texts.push_back({.name = "b.p",
                   .text = "machine B { start state S { } } test tb [main = B]: { B };",
                   .is_dependency = true});
  const CheckedSources result = check(std::move(texts));
  ASSERT_TRUE(result.ok()) << result.messages();
  ASSERT_EQ(result.program->tests.size(), 1u);
  EXPECT_EQ(result.program->tests[0].name, "ta");
}

TEST(Tests, MayBeCalledImplementations) {
  const CheckedSources result =
      with("implementation i [main = Client]: { Client, Server -> Service }; implementation k: { Lonely };");
  ASSERT_TRUE(result.ok()) << result.messages();
  ASSERT_EQ(result.program->tests.size(), 1u);
  EXPECT_TRUE(result.program->tests[0].is_implementation);
}

}  // namespace
}  // namespace ravel::p
