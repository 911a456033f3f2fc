#include <array>

#include "p/syntax/parser_rules.h"

namespace ravel::p {

FileSyntax Parser::file() {
  FileSyntax result;
  while (!at(TokenKind::kEnd)) {
    declaration(result);
    if (!has_failed()) continue;
    skip_to(0, [this] { return starts_declaration(); });
    while (open_braces() == 0 && accept(TokenKind::kCloseBrace))
      skip_to(0, [this] { return starts_declaration(); });
  }
  return result;
}

bool Parser::starts_declaration() const {
  switch (peek().kind) {
    case TokenKind::kType:
    case TokenKind::kEnum:
    case TokenKind::kEventset:
    case TokenKind::kInterface:
    case TokenKind::kSpec:
    case TokenKind::kFun:
    case TokenKind::kModule:
    case TokenKind::kTest:
    case TokenKind::kImplementation: return true;
    // These two are types as well.
    case TokenKind::kEvent:
    case TokenKind::kMachine: return at(TokenKind::kName, 1);
    default: return (at_word("scenario") || at_word("param")) && at(TokenKind::kName, 1);
  }
}

void Parser::declaration(FileSyntax& file) {
  switch (peek().kind) {
    case TokenKind::kType: file.typedefs.push_back(type_definition()); return;
    case TokenKind::kEnum: file.enums.push_back(enum_declaration()); return;
    case TokenKind::kEvent: file.events.push_back(event_declaration()); return;
    case TokenKind::kInterface: file.interfaces.push_back(interface_declaration()); return;
    case TokenKind::kMachine: file.machines.push_back(machine(MachineKind::kMachine)); return;
    case TokenKind::kSpec: file.machines.push_back(machine(MachineKind::kSpec)); return;
    case TokenKind::kFun: file.functions.push_back(function()); return;
    case TokenKind::kTest: file.tests.push_back(test(false)); return;
    case TokenKind::kImplementation: file.implementations.push_back(test(true)); return;
    case TokenKind::kEventset: {
      take();
      const Name name = expect_name("a name of an event set");
      expect(TokenKind::kAssign);
      expect(TokenKind::kOpenBrace);
      file.event_sets.push_back({name, arena_.copy(events(false))});
      expect(TokenKind::kCloseBrace);
      expect(TokenKind::kSemicolon);
      return;
    }
    case TokenKind::kModule: {
      take();
      const Name name = expect_name("a name of a module");
      expect(TokenKind::kAssign);
      file.modules.push_back({name, module_expression()});
      expect(TokenKind::kSemicolon);
      return;
    }
    case TokenKind::kName:
      if (at_word("scenario")) {
        file.machines.push_back(machine(MachineKind::kScenario));
        return;
      }
      if (at_word("param")) {
        variables(file.parameters);
        return;
      }
      if (verifier_declaration(file)) return;
      break;
    default: break;
  }
  fail_expected("a declaration");
}

// Read and dropped. Whether it was one.
bool Parser::verifier_declaration(FileSyntax& file) {
  if (at_word("invariant") || at_word("axiom")) {
    take();
    skip_verifier_clause();
  } else if (at_word("pure")) {
    take();
    file.pure_functions.push_back(expect_name("a name of a function"));
    skip_verifier_clause();
  } else if (at_word("init") && at(TokenKind::kMinus, 1) && at_word("condition", 2)) {
    take();
    skip_verifier_clause();
  } else if (at_word("Lemma") || at_word("Theorem") || at_word("Proof")) {
    const bool may_be_nameless = at_word("Proof");
    take();
    if (!may_be_nameless || at(TokenKind::kName)) expect_name("a name");
    skip_braces();
  } else {
    return false;
  }
  return true;
}

TypedefSyntax Parser::type_definition() {
  take();
  TypedefSyntax result{.name = expect_name("a name of a type")};
  if (accept(TokenKind::kAssign)) result.type = type();
  expect(TokenKind::kSemicolon);
  return result;
}

EnumSyntax Parser::enum_declaration() {
  take();
  const Name name = expect_name("a name of an enum");
  std::vector<EnumElementSyntax> elements;
  expect(TokenKind::kOpenBrace);
  do {
    EnumElementSyntax element{.name = expect_name("a name of an element")};
    const bool is_numbered = at(TokenKind::kAssign);
    if (!elements.empty() && is_numbered != elements.front().value.has_value())
      fail(peek().place, "either all elements of an enum have numbers, or none has");
    if (accept(TokenKind::kAssign)) {
      const Token digits = expect(TokenKind::kInteger);
      element.value = Name{digits.text, digits.place};
    }
    elements.push_back(element);
  } while (accept(TokenKind::kComma));
  expect(TokenKind::kCloseBrace);
  return {name, arena_.copy(elements)};
}

// `assume N` and `assert N`: bounds of queues in older versions.
void Parser::skip_queue_bounds() {
  while (at(TokenKind::kAssert) || at_word("assume")) {
    take();
    expect(TokenKind::kInteger);
  }
}

EventSyntax Parser::event_declaration() {
  take();
  EventSyntax result{.name = expect_name("a name of an event")};
  skip_queue_bounds();
  if (accept(TokenKind::kColon)) result.payload = type();
  expect(TokenKind::kSemicolon);
  return result;
}

InterfaceSyntax Parser::interface_declaration() {
  take();
  InterfaceSyntax result{.name = expect_name("a name of an interface")};
  expect(TokenKind::kOpenParenthesis);
  if (!at(TokenKind::kCloseParenthesis)) result.payload = type();
  expect(TokenKind::kCloseParenthesis);
  if (accept(TokenKind::kReceives)) {
    result.receives.emplace();
    if (!at(TokenKind::kSemicolon)) result.receives = arena_.copy(events(false));
  }
  expect(TokenKind::kSemicolon);
  return result;
}

MachineSyntax Parser::machine(MachineKind kind) {
  take();
  MachineSyntax result{.kind = kind};
  result.name = expect_name("a name of a machine");
  result.place = result.name.place;
  if (kind != MachineKind::kMachine) {
    expect(TokenKind::kObserves);
    result.observes = arena_.copy(events(false));
  } else {
    skip_queue_bounds();
    std::vector<Name> received, sent;
    while (at(TokenKind::kReceives) || at(TokenKind::kSends)) {
      const bool is_received = take().kind == TokenKind::kReceives;
      if (!at(TokenKind::kSemicolon))
        for (const Name& name : events(false)) (is_received ? received : sent).push_back(name);
      expect(TokenKind::kSemicolon);
      if (is_received)
        result.receives = arena_.copy(received);
      else
        result.sends = arena_.copy(sent);
    }
  }
  expect(TokenKind::kOpenBrace);
  machine_body(result);
  expect(TokenKind::kCloseBrace);
  return result;
}

void Parser::machine_body(MachineSyntax& machine) {
  std::vector<VariableSyntax> fields;
  std::vector<const FunctionSyntax*> functions;
  std::vector<StateSyntax> states;
  const std::size_t braces = open_braces();
  const auto starts_state = [this] {
    return at(TokenKind::kStart) || at(TokenKind::kHot) || at(TokenKind::kCold) || at(TokenKind::kState);
  };
  while (!at(TokenKind::kEnd) && !at(TokenKind::kCloseBrace)) {
    if (at(TokenKind::kVar))
      variables(fields);
    else if (at(TokenKind::kFun))
      functions.push_back(function());
    else if (starts_state())
      states.push_back(state());
    else
      fail_expected("a state, `fun`, `var`, or the `}` of the machine");
    if (has_failed())
      skip_to(braces, [&] { return at(TokenKind::kVar) || at(TokenKind::kFun) || starts_state(); });
  }
  machine.fields = arena_.copy(fields);
  machine.functions = arena_.copy(functions);
  machine.states = arena_.copy(states);
}

// [start] [hot|cold] state NAME { ... }
StateSyntax Parser::state() {
  StateSyntax result{.place = peek().place};
  result.is_start = accept(TokenKind::kStart);
  if (accept(TokenKind::kHot))
    result.temperature = Temperature::kHot;
  else if (accept(TokenKind::kCold))
    result.temperature = Temperature::kCold;
  expect(TokenKind::kState);
  result.name = expect_name("a name of a state");
  expect(TokenKind::kOpenBrace);
  std::vector<StateItemSyntax> items;
  const std::size_t braces = open_braces();
  while (!at(TokenKind::kEnd) && !at(TokenKind::kCloseBrace)) {
    state_item(items);
    if (has_failed())
      skip_to(braces, [this] {
        return at(TokenKind::kEntry) || at(TokenKind::kExit) || at(TokenKind::kDefer) ||
               at(TokenKind::kIgnore) || at(TokenKind::kOn);
      });
  }
  expect(TokenKind::kCloseBrace);
  result.items = arena_.copy(items);
  return result;
}

void Parser::state_item(std::vector<StateItemSyntax>& items) {
  StateItemSyntax item{.place = peek().place};
  switch (peek().kind) {
    case TokenKind::kEntry:
      take();
      handler_or_name(item, "`{`, `(` or a name of a function after `entry`");
      break;
    case TokenKind::kExit:
      take();
      item.form = StateItemForm::kExit;
      if (at(TokenKind::kOpenParenthesis)) fail(peek().place, "what `exit` does takes no parameter");
      handler_or_name(item, "`{` or a name of a function after `exit`");
      break;
    case TokenKind::kDefer:
    case TokenKind::kIgnore:
      item.form = take().kind == TokenKind::kDefer ? StateItemForm::kDefer : StateItemForm::kIgnore;
      item.events = arena_.copy(events(false));
      expect(TokenKind::kSemicolon);
      break;
    case TokenKind::kOn:
      take();
      item.events = arena_.copy(events(true));
      if (accept(TokenKind::kDo)) {
        item.form = StateItemForm::kDo;
        handler_or_name(item, "`{`, `(` or a name of a function after `do`");
      } else if (accept(TokenKind::kGoto)) {
        item.form = StateItemForm::kGoto;
        item.target = expect_name("a name of a state");
        if (accept(TokenKind::kWith))
          handler_or_name(item, "`{`, `(` or a name of a function after `with`");
        else
          expect(TokenKind::kSemicolon);
      } else if (at_word("push")) {
        fail(peek().place, "`push` is no longer part of P: states are not stacked; write `goto`");
      } else {
        fail_expected("`do` or `goto`");
      }
      break;
    default: fail_expected("`entry`, `exit`, `on`, `defer`, `ignore`, or the `}` of the state");
  }
  items.push_back(item);
}

void Parser::handler_or_name(StateItemSyntax& item, std::string_view what) {
  if (at(TokenKind::kName)) {
    item.name = expect_name(what);
    expect(TokenKind::kSemicolon);
  } else if (at(TokenKind::kOpenBrace) || at(TokenKind::kOpenParenthesis)) {
    item.handler = handler(true);
  } else {
    fail_expected(what);
  }
}

const FunctionSyntax* Parser::function() {
  take();
  FunctionSyntax result;
  result.name = expect_name("a name of a function");
  result.place = result.name.place;
  result.parameters = arena_.copy(parameters());
  if (accept(TokenKind::kColon)) result.result = type();
  if (at(TokenKind::kOpenBrace)) {
    function_body(result);
    return arena_.make(result);
  }
  result.is_foreign = true;
  bool has_contract = false;
  if (accept(TokenKind::kReturn)) {
    // Only P's verifier names what a function returns.
    has_contract = true;
    expect(TokenKind::kOpenParenthesis);
    expect_name("a name of what is returned");
    expect(TokenKind::kColon);
    result.result = type();
    expect(TokenKind::kCloseParenthesis);
    expect(TokenKind::kSemicolon);
  }
  while (at_word("requires") || at_word("ensures")) {
    has_contract = true;
    take();
    skip_verifier_clause();
  }
  if (!has_contract) {
    if (accept(TokenKind::kCreates))
      result.creates = arena_.copy(std::vector<Name>{expect_name("a name of an interface")});
    if (at(TokenKind::kSemicolon))
      take();
    else
      fail_expected("the `{` of a body, or `;` if the function is foreign");
  }
  return arena_.make(result);
}

std::vector<VariableSyntax> Parser::parameters() {
  std::vector<VariableSyntax> result;
  expect(TokenKind::kOpenParenthesis);
  if (!at(TokenKind::kCloseParenthesis)) do {
      const Name name = expect_name("a name of a parameter");
      expect(TokenKind::kColon);
      result.push_back({name, type()});
    } while (accept(TokenKind::kComma));
  expect(TokenKind::kCloseParenthesis);
  return result;
}

// `var a, b: T;`; `param` reads the same.
void Parser::variables(std::vector<VariableSyntax>& into) {
  take();
  const std::vector<Name> declared = names("a name of a variable");
  expect(TokenKind::kColon);
  const TypeSyntax* of = type();
  expect(TokenKind::kSemicolon);
  for (const Name& name : declared) into.push_back({name, of});
}

std::vector<Name> Parser::names(std::string_view what) {
  std::vector<Name> result;
  do {
    result.push_back(expect_name(what));
  } while (accept(TokenKind::kComma));
  return result;
}

std::vector<Name> Parser::events(bool may_be_null) {
  std::vector<Name> result;
  do {
    if (at(TokenKind::kHalt) || (may_be_null && at(TokenKind::kNull))) {
      const Token token = take();
      result.push_back({token.text, token.place});
    } else {
      result.push_back(expect_name("a name of an event"));
    }
  } while (accept(TokenKind::kComma));
  return result;
}

}  // namespace ravel::p
