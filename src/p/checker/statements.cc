#include <algorithm>

#include "p/checker/function_checker.h"
#include "p/checker/numbers.h"

namespace ravel::p {

void FunctionChecker::check(const FunctionSyntax& syntax) {
  if (syntax.is_foreign) return;
  std::vector<Variable> parameters;
  parameters.swap(function().slots);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    locals_.declare(syntax.parameters[i].name, parameters[i].type);
  for (const VariableSyntax& variable : syntax.locals)
    locals_.declare(variable.name, types_.resolve(variable.type));
  function().first_slots = static_cast<std::uint32_t>(function().slots.size());
  const Statement* body = block(*syntax.body);
  function().body = body;
  if (!function().result->is(TypeKind::kNull) && !function().result->is(TypeKind::kError) &&
      !always_leaves(*body))
    context_.error(syntax.end, "not every way through the function " + quoted(function().name) + " returns " +
                                   quoted(function().result));
}

const Statement* FunctionChecker::make(Statement statement, const Expressions& expressions,
                                       const std::vector<const Statement*>& statements) {
  statement.expressions = arena().copy(expressions);
  statement.statements = arena().copy(statements);
  return arena().make(statement);
}

const Statement* FunctionChecker::statement(const StatementSyntax& syntax) {
  switch (syntax.form) {
    case StatementForm::kNothing: return nothing(syntax.place);
    case StatementForm::kBlock: return block(syntax);
    case StatementForm::kAssert: return assertion(syntax);
    case StatementForm::kAssume: return assumption_statement(syntax);
    case StatementForm::kPrint: return print(syntax);
    case StatementForm::kReturn: return return_statement(syntax);
    case StatementForm::kBreak:
    case StatementForm::kContinue: return leave_loop(syntax);
    case StatementForm::kAssign: return assignment(syntax);
    case StatementForm::kInsert: return insertion(syntax);
    case StatementForm::kAdd: return addition(syntax);
    case StatementForm::kRemove: return removal(syntax);
    case StatementForm::kWhile: return while_loop(syntax);
    case StatementForm::kForeach: return foreach_loop(syntax);
    case StatementForm::kIf: return branch(syntax);
    case StatementForm::kNew: return creation(syntax);
    case StatementForm::kCall: return call(syntax);
    case StatementForm::kRaise:
    case StatementForm::kAnnounce: return raise_or_announce(syntax);
    case StatementForm::kSend: return send(syntax);
    case StatementForm::kGoto: return goto_statement(syntax);
    case StatementForm::kReceive: return receive(syntax);
  }
  return nothing(syntax.place);
}

const Statement* FunctionChecker::block(const StatementSyntax& syntax) {
  std::vector<const Statement*> statements;
  for (const StatementSyntax* one : syntax.statements)
    if (one->form != StatementForm::kNothing) statements.push_back(statement(*one));
  return make({.kind = StatementKind::kBlock, .place = syntax.place}, {}, statements);
}

const Statement* FunctionChecker::assertion(const StatementSyntax& syntax) {
  Expressions parts = {condition(*syntax.expressions[0])};
  if (syntax.expressions.size() > 1)
    parts.push_back(value(*syntax.expressions[1], types().of(TypeKind::kString)));
  return make({.kind = StatementKind::kAssert, .place = syntax.place}, parts);
}

const Statement* FunctionChecker::assumption_statement(const StatementSyntax& syntax) {
  context_.error(syntax.place,
                 "`assume` as a statement is for P's verifier; a test cannot go back to make it true");
  return nothing(syntax.place);
}

const Statement* FunctionChecker::print(const StatementSyntax& syntax) {
  return make({.kind = StatementKind::kPrint, .place = syntax.place},
              {value(*syntax.expressions[0], types().of(TypeKind::kString))});
}

const Statement* FunctionChecker::return_statement(const StatementSyntax& syntax) {
  const Type* result = function().result;
  const bool returns_nothing = result->is(TypeKind::kNull);
  Expressions parts;
  if (cases_ > 0 && !returns_nothing) {
    context_.error(syntax.place, "inside `receive`, a function that returns a value cannot return");
  } else if (syntax.expressions.empty()) {
    if (!returns_nothing && !result->is(TypeKind::kError))
      context_.error(syntax.place, "this returns nothing, but " + quoted(result) + " is needed");
  } else if (returns_nothing) {
    const Expression* returned = expression(*syntax.expressions[0]);
    if (!returned->type->is(TypeKind::kNull) && !returned->type->is(TypeKind::kError))
      context_.error(syntax.expressions[0]->place,
                     "this function returns nothing, so it cannot return " + quoted(returned->type));
  } else {
    parts.push_back(value(*syntax.expressions[0], result));
  }
  return make({.kind = StatementKind::kReturn, .place = syntax.place}, parts);
}

const Statement* FunctionChecker::leave_loop(const StatementSyntax& syntax) {
  const bool is_break = syntax.form == StatementForm::kBreak;
  if (is_break && loops_ == 0 && cases_ > 0)
    return make({.kind = StatementKind::kLeaveCase, .place = syntax.place});
  if (loops_ + outer_loops_ == 0)
    context_.error(syntax.place,
                   std::string(is_break ? "`break`" : "`continue`") + " stands outside of a loop");
  return make({.kind = is_break ? StatementKind::kBreak : StatementKind::kContinue, .place = syntax.place});
}

const Statement* FunctionChecker::assignment(const StatementSyntax& syntax) {
  const Expression* target = location(*syntax.expressions[0]);
  const Expression* assigned = value(*syntax.expressions[1], target->type);
  return make({.kind = StatementKind::kAssign, .place = syntax.place}, {target, assigned});
}

const Statement* FunctionChecker::insertion(const StatementSyntax& syntax) {
  const Expression* target = location(*syntax.expressions[0]);
  const Type* type = target->type;
  const Type* key = types().error();
  const Type* element = types().error();
  if (type->is(TypeKind::kSeq)) {
    key = types().of(TypeKind::kInt);
    element = type->element();
  } else if (type->is(TypeKind::kMap)) {
    key = type->key();
    element = type->value();
  } else if (!type->is(TypeKind::kError)) {
    context_.error(target->place, "`+= (index, element)` needs a seq or a map; this is " + quoted(type));
  }
  const Expression* at = value(*syntax.expressions[1], key);
  const Expression* inserted = value(*syntax.expressions[2], element);
  return make({.kind = StatementKind::kInsert, .place = syntax.place}, {target, at, inserted});
}

const Statement* FunctionChecker::addition(const StatementSyntax& syntax) {
  const Expression* target = location(*syntax.expressions[0]);
  const bool is_set = target->type->is(TypeKind::kSet);
  if (!is_set && !target->type->is(TypeKind::kError))
    context_.error(target->place, "`+= (element)` needs a set; this is " + quoted(target->type));
  const Expression* added = value(*syntax.expressions[1], is_set ? target->type->element() : types().error());
  return make({.kind = StatementKind::kAdd, .place = syntax.place}, {target, added});
}

const Statement* FunctionChecker::removal(const StatementSyntax& syntax) {
  const Expression* target = location(*syntax.expressions[0]);
  const Type* type = target->type;
  const Type* removed = types().error();
  if (type->is(TypeKind::kSeq))
    removed = types().of(TypeKind::kInt);
  else if (type->is(TypeKind::kMap))
    removed = type->key();
  else if (type->is(TypeKind::kSet))
    removed = type->element();
  else if (!type->is(TypeKind::kError))
    context_.error(target->place, "`-=` needs a seq, a set or a map; this is " + quoted(type));
  return make({.kind = StatementKind::kRemove, .place = syntax.place},
              {target, value(*syntax.expressions[1], removed)});
}

const Statement* FunctionChecker::body_of_loop(const StatementSyntax& syntax) {
  ++loops_;
  const Statement* body = statement(syntax);
  --loops_;
  return body;
}

const Statement* FunctionChecker::while_loop(const StatementSyntax& syntax) {
  const Expression* test = condition(*syntax.expressions[0]);
  return make({.kind = StatementKind::kWhile, .place = syntax.place}, {test},
              {body_of_loop(*syntax.statements[0])});
}

const Statement* FunctionChecker::foreach_loop(const StatementSyntax& syntax) {
  const Expression* item = variable(syntax.name);
  if (item == nullptr) {
    item = undeclared(syntax.name, "no variable has that name");
  } else if (item->kind == ExpressionKind::kParameter) {
    context_.error(syntax.name.place,
                   quoted(syntax.name.text) + " is a parameter of tests, and cannot be changed");
    item = wrong(syntax.name.place);
  }
  const Expression* collection = expression(*syntax.expressions[0]);
  const Type* type = collection->type;
  if (type->is(TypeKind::kSeq) || type->is(TypeKind::kSet)) {
    if (!types().is_same(item->type, type->element()))
      context_.error(syntax.name.place, quoted(syntax.name.text) + " is " + quoted(item->type) +
                                            ", but the elements are " + quoted(type->element()));
  } else if (!type->is(TypeKind::kError)) {
    context_.error(collection->place, "`foreach` needs a seq or a set; this is " + quoted(type));
  }
  const Statement* body = body_of_loop(*syntax.statements[0]);
  return make({.kind = StatementKind::kForeach,
               .is_field = item->kind == ExpressionKind::kField,
               .index = item->index,
               .place = syntax.place},
              {collection}, {body});
}

const Statement* FunctionChecker::branch(const StatementSyntax& syntax) {
  const Expression* test = condition(*syntax.expressions[0]);
  std::vector<const Statement*> ways;
  for (const StatementSyntax* one : syntax.statements) ways.push_back(statement(*one));
  return make({.kind = StatementKind::kIf, .place = syntax.place}, {test}, ways);
}

const Statement* FunctionChecker::receive(const StatementSyntax& syntax) {
  is_forbidden_in_spec(syntax.place, "wait in `receive`");
  function().effects.receives = true;
  std::vector<ReceiveCase> cases;
  for (const ReceiveCaseSyntax& one : syntax.cases) receive_case(one, cases);
  Statement result{.kind = StatementKind::kReceive, .place = syntax.place};
  result.cases = arena().copy(cases);
  return arena().make(result);
}

// The body is one for all events that it is for.
void FunctionChecker::receive_case(const ReceiveCaseSyntax& syntax, std::vector<ReceiveCase>& cases) {
  const std::size_t outer_scope = locals_.enter();
  const unsigned loops = std::exchange(loops_, 0);
  outer_loops_ += loops;
  ++cases_;
  ReceiveCase made{.has_parameter = !syntax.handler->parameters.empty(),
                   .first_slot = static_cast<std::uint32_t>(function().slots.size())};
  for (const VariableSyntax& parameter : syntax.handler->parameters)
    locals_.declare(parameter.name, types_.resolve(parameter.type));
  for (const VariableSyntax& variable : syntax.handler->locals)
    locals_.declare(variable.name, types_.resolve(variable.type));
  made.slots = static_cast<std::uint32_t>(function().slots.size()) - made.first_slot;
  made.body = block(*syntax.handler->body);
  --cases_;
  outer_loops_ -= loops;
  loops_ = loops;
  locals_.leave(outer_scope);
  for (const Name& name : syntax.events) {
    const auto event = event_of(context_, name);
    if (!event) continue;
    if (std::ranges::find(cases, *event, &ReceiveCase::event) != cases.end()) {
      context_.error(name.place, "this `receive` already has a case for " + quoted(name.text));
      continue;
    }
    made.event = *event;
    made.unwraps_payload = false;
    if (made.has_parameter)
      if (const Type* carried = context_.program.event(*event).payload;
          !types().is_assignable(function().slots[made.first_slot].type, carried))
        context_.error(name.place, "the event " + quoted(name.text) + " carries " +
                                       mismatch(carried, function().slots[made.first_slot].type));
    cases.push_back(made);
  }
}

bool always_leaves(const Statement& statement) {
  switch (statement.kind) {
    case StatementKind::kBlock:
      return std::ranges::any_of(statement.statements,
                                 [](const Statement* one) { return always_leaves(*one); });
    case StatementKind::kIf:
      return statement.statements.size() == 2 && always_leaves(*statement.statements[0]) &&
             always_leaves(*statement.statements[1]);
    case StatementKind::kReturn:
    case StatementKind::kGoto:
    case StatementKind::kRaise: return true;
    case StatementKind::kAssert:
      return statement.expressions[0]->kind == ExpressionKind::kBool &&
             statement.expressions[0]->integer == 0;
    case StatementKind::kReceive:
      return std::ranges::all_of(statement.cases,
                                 [](const ReceiveCase& one) { return always_leaves(*one.body); });
    default: return false;
  }
}

}  // namespace ravel::p
