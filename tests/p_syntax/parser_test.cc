#include "p/syntax/parser.h"

#include <gtest/gtest.h>

namespace ravel::p {
namespace {

// An expression with parentheses around everything.
std::string show(const ExpressionSyntax& one) {
  const auto parts = [&](std::string_view open, std::string_view close) {
    std::string text(open);
    for (std::size_t i = 0; i < one.parts.size(); ++i) {
      if (i > 0) text += ", ";
      if (!one.names.empty()) text += std::string(one.names[i].text) + " = ";
      text += show(*one.parts[i]);
    }
    return text + std::string(close);
  };
  switch (one.form) {
    case ExpressionForm::kBinary:
      return "(" + show(*one.parts[0]) + " " + std::string(to_string(one.op)) + " " + show(*one.parts[1]) +
             ")";
    case ExpressionForm::kNegate: return "(-" + show(*one.parts[0]) + ")";
    case ExpressionForm::kNot: return "(!" + show(*one.parts[0]) + ")";
    case ExpressionForm::kAs: return "(" + show(*one.parts[0]) + " as ..)";
    case ExpressionForm::kTo: return "(" + show(*one.parts[0]) + " to ..)";
    case ExpressionForm::kField: return show(*one.parts[0]) + "." + std::string(one.name.text);
    case ExpressionForm::kElement: return show(*one.parts[0]) + "." + std::string(one.text);
    case ExpressionForm::kIndex: return show(*one.parts[0]) + "[" + show(*one.parts[1]) + "]";
    case ExpressionForm::kCall: return std::string(one.name.text) + parts("(", ")");
    case ExpressionForm::kNew: return "new " + std::string(one.name.text) + parts("(", ")");
    case ExpressionForm::kTuple:
    case ExpressionForm::kNamedTuple: return parts("<", ">");
    case ExpressionForm::kChoose: return parts("choose(", ")");
    case ExpressionForm::kFairChoose: return "fair choose()";
    case ExpressionForm::kTrue: return "true";
    case ExpressionForm::kThis: return "this";
    case ExpressionForm::kName: return std::string(one.name.text);
    default: return std::string(one.text);
  }
}

// What `return TEXT;` returns, or what is said.
std::string read(std::string_view text) {
  Sources sources;
  Arena arena;
  Diagnostics diagnostics;
  const std::uint32_t file = sources.add("t", "fun f() { return\n" + std::string(text) + "; }");
  const FileSyntax syntax = parse(sources, file, arena, diagnostics);
  if (diagnostics.has_errors()) return to_string(diagnostics, sources);
  return show(*syntax.functions[0]->body->statements[0]->expressions[0]);
}

std::string said(std::string_view text) {
  Sources sources;
  Arena arena;
  Diagnostics diagnostics;
  parse(sources, sources.add("t", std::string(text)), arena, diagnostics);
  return to_string(diagnostics, sources);
}

TEST(Parser, OperatorsBindAsP) {
  EXPECT_EQ(read("a + b * c - d"), "((a + (b * c)) - d)");
  EXPECT_EQ(read("-a * b + -c.d"), "(((-a) * b) + (-c.d))");
  EXPECT_EQ(read("!a && b || c == d < e"), "(((!a) && b) || (c == (d < e)))");
  EXPECT_EQ(read("a + b as int < c"), "(((a + b) as ..) < c)");
  EXPECT_EQ(read("a as int + b"), "((a as ..) + b)");
  EXPECT_EQ(read("a < b as int"), "(a < (b as ..))");
  EXPECT_EQ(read("a ==> b ==> c <==> d || e"), "(((a ==> b) ==> c) <==> (d || e))");
  EXPECT_EQ(read("!a in b"), "((!a) in b)");
  EXPECT_EQ(read("a in b == c"), "((a in b) == c)");
  EXPECT_EQ(read("!-!a"), "(!(-(!a)))");
  EXPECT_EQ(read("(a + b) * c"), "((a + b) * c)");
}

TEST(Parser, OperandsAreTakenApart) {
  EXPECT_EQ(read("a.b.0.1[c].d"), "a.b.0.1[c].d");
  EXPECT_EQ(read("f(a, g())[0].1"), "f(a, g())[0].1");
  EXPECT_EQ(read("(a,).0"), "<a>.0");
  EXPECT_EQ(read("(a, b)"), "<a, b>");
  EXPECT_EQ(read("(x = a, y = (z = b,))"), "<x = a, y = <z = b>>");
  EXPECT_EQ(read("(a == b)"), "(a == b)");
  EXPECT_EQ(read("new M(this, true)"), "new M(this, true)");
  EXPECT_EQ(read("1.5 + .5 + 2 . 5"), "((1.5 + 0.5) + 2.5)");
  EXPECT_EQ(read("$ && $$ && choose(3)"), "((choose() && fair choose()) && choose(3))");
}

TEST(Parser, SaysWhatItExpected) {
  EXPECT_EQ(read("a +"), "t:2:4: expected an expression; found `;`\n");
  EXPECT_EQ(read("a b"), "t:2:3: expected `;`; found `b`\n");
  EXPECT_EQ(read("(a"), "t:2:3: expected `,`; found `;`\n");
  EXPECT_EQ(read("a."), "t:2:3: expected a name or a number of a field; found `;`\n");
  EXPECT_EQ(read("f(a,)"), "t:2:5: expected an expression; found `)`\n");
  EXPECT_EQ(read("float(1, 2)"),
            "t:2:1: `float(base, exponent)` is no literal that P implements; write digits and a point\n");
  EXPECT_EQ(said("machine M { start state S {"), "t:1:28: expected `}`; found the end of the file\n");
  EXPECT_EQ(said("event e"), "t:1:8: expected `;`; found the end of the file\n");
  EXPECT_EQ(said("x"), "t:1:1: expected a declaration; found `x`\n");
  EXPECT_EQ(said("}"), "t:1:1: expected a declaration; found `}`\n");
  EXPECT_EQ(
      said("fun f()"),
      "t:1:8: expected the `{` of a body, or `;` if the function is foreign; found the end of the file\n");
}

TEST(Parser, GoesOnBehindAFault) {
  EXPECT_EQ(said("event ; event f event g; type T = ;\nfun f() { x = ; y = (1; if (a { b = 1; } c = ]; }"),
            "t:1:7: expected a name of an event; found `;`\n"
            "t:1:17: expected `;`; found `event`\n"
            "t:1:35: expected a type; found `;`\n"
            "t:2:15: expected an expression; found `;`\n"
            "t:2:23: expected `,`; found `;`\n"
            "t:2:31: expected `)`; found `{`\n"
            "t:2:46: expected an expression; found `]`\n");
  EXPECT_EQ(said("machine M {\n var : int;\n start state S { on e; defer ; entry { x y; } }\n stat T { }\n "
                 "state U { }\n}"),
            "t:2:6: expected a name of a variable; found `:`\n"
            "t:3:22: expected `do` or `goto`; found `;`\n"
            "t:3:30: expected a name of an event; found `;`\n"
            "t:3:42: expected `=`, `+=`, `-=` or `(`; found `y`\n"
            "t:4:2: expected a state, `fun`, `var`, or the `}` of the machine; found `stat`\n");
}

TEST(Parser, AWordThatIsTakenForANameIsToldOnce) {
  EXPECT_EQ(said("machine Main { var values: int;\nstart state S { entry { values = 1; x = sizeof(values); y "
                 "= ; } } }"),
            "t:1:20: expected a name of a variable; found `values`, which is a word of P\n"
            "t:2:61: expected an expression; found `;`\n");
}

}  // namespace
}  // namespace ravel::p
