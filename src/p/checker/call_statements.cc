// Statements that call a function, or give an event or a state a payload.

#include "p/checker/function_checker.h"

namespace ravel::p {

const Statement* FunctionChecker::call(const StatementSyntax& syntax) {
  Expressions arguments;
  const auto id = callee(syntax.name, syntax.expressions, arguments);
  if (!id) return nothing(syntax.place);
  return make({.kind = StatementKind::kCall, .index = index(*id), .place = syntax.place}, arguments);
}

const Statement* FunctionChecker::creation(const StatementSyntax& syntax) {
  Expressions carried;
  const auto id = created(syntax.name, syntax.place, syntax.expressions, carried);
  if (!id) return nothing(syntax.place);
  return make({.kind = StatementKind::kNew, .index = index(*id), .place = syntax.place}, carried);
}

// `raise` and `goto` end the handler, which a function that owes a value cannot.
bool FunctionChecker::may_leave(Place place, std::string_view word) {
  if (function().result->is(TypeKind::kNull) || function().result->is(TypeKind::kError)) return true;
  context_.error(place, quoted(word) + " in a function that returns a value: it would never return it");
  return false;
}

const Statement* FunctionChecker::raise_or_announce(const StatementSyntax& syntax) {
  const bool is_raise = syntax.form == StatementForm::kRaise;
  if (is_raise)
    may_leave(syntax.place, "raise");
  else
    is_forbidden_in_spec(syntax.place, "announce events");
  const Expression* event = event_operand(*syntax.expressions[0], is_raise ? "raised" : "announced");
  Expressions parts = {event};
  for (const Expression* part :
       payload(syntax.place, syntax.expressions.subspan(1), payload_of(*event), "the event carries"))
    parts.push_back(part);
  (is_raise ? function().effects.raises : function().effects.sends) = true;
  return make({.kind = is_raise ? StatementKind::kRaise : StatementKind::kAnnounce, .place = syntax.place},
              parts);
}

const Statement* FunctionChecker::send(const StatementSyntax& syntax) {
  is_forbidden_in_spec(syntax.place, "send events");
  const Expression* target = value(*syntax.expressions[0], types().of(TypeKind::kMachine));
  const Expression* event = event_operand(*syntax.expressions[1], "sent");
  Expressions parts = {target, event};
  for (const Expression* part :
       payload(syntax.place, syntax.expressions.subspan(2), payload_of(*event), "the event carries"))
    parts.push_back(part);
  function().effects.sends = true;
  return make({.kind = StatementKind::kSend, .place = syntax.place}, parts);
}

const Statement* FunctionChecker::goto_statement(const StatementSyntax& syntax) {
  may_leave(syntax.place, "goto");
  const StateId* state = nullptr;
  if (const auto machine = function().owner)
    state = find(context_.machine_names[index(*machine)].states, syntax.name.text);
  if (state == nullptr) {
    context_.error(syntax.name.place, quoted(syntax.name.text) + " is not declared: " +
                                          (owner() == nullptr ? "outside of machines there are no states"
                                                              : "this machine has no such state"));
    expressions(syntax.expressions);
    return nothing(syntax.place);
  }
  const auto entry = context_.program.state(*state).entry;
  const Type* expected = types().null();
  // What has more parameters is reported where the state is.
  if (entry && context_.program.function(*entry).parameters > 0)
    expected = context_.program.function(*entry).slots[0].type;
  const Expressions carried = payload(syntax.place, syntax.expressions, expected,
                                      "the entry of " + quoted(syntax.name.text) + " takes");
  function().effects.changes_state = true;
  return make({.kind = StatementKind::kGoto, .index = index(*state), .place = syntax.place}, carried);
}

}  // namespace ravel::p
