#include "p/program/timers.h"

#include <algorithm>
#include <cctype>
#include <variant>

namespace ravel::p {
namespace {

// What a machine has that a timer has not.
struct Difference {
  Place place = {};
  std::string why;
};

// `if (CHOICE) { send CLIENT, FIRED; goto Idle; } else { send this, AGAIN; }`, or the other way round.
struct Decision {
  std::uint32_t fires = 0;
  EventId again{};
  StateId idle{};
};

using DecisionOrDifference = std::variant<Decision, Difference>;

// The statements of a block, without blocks inside.
std::vector<const Statement*> flat(const Statement* statement) {
  if (statement == nullptr) return {};
  if (statement->kind != StatementKind::kBlock) return {statement};
  std::vector<const Statement*> all;
  for (const Statement* const one : statement->statements) {
    const std::vector<const Statement*> inner = flat(one);
    all.insert(all.end(), inner.begin(), inner.end());
  }
  return all;
}

// The function itself, or the only one that it calls.
FunctionId innermost(const Program& program, FunctionId function) {
  for (int depth = 0; depth < 8; ++depth) {
    const std::vector<const Statement*> body = flat(program.function(function).body);
    if (body.size() != 1 || body[0]->kind != StatementKind::kCall || !body[0]->expressions.empty()) break;
    function = FunctionId{body[0]->index};
  }
  return function;
}

bool is_plain(const Expression& expression) {
  switch (expression.kind) {
    case ExpressionKind::kField:
    case ExpressionKind::kThis:
    case ExpressionKind::kParameter: return true;
    case ExpressionKind::kTuple:
    case ExpressionKind::kElement:
    case ExpressionKind::kToInterface:
      return std::ranges::all_of(expression.parts, [](const Expression* part) { return is_plain(*part); });
    default: return expression.is_constant();
  }
}

// How a condition chooses: which alternative makes it true, and which one false.
struct Choice {
  std::uint32_t if_true = 0, if_false = 0;
};

// `choose(N) == K` and `K == choose(N)`.
std::optional<Choice> comparison(const Expression& condition) {
  if (condition.kind != ExpressionKind::kBinary || condition.op != BinaryOperator::kEqual)
    return std::nullopt;
  const Expression* chosen = condition.parts[0];
  const Expression* with = condition.parts[1];
  if (chosen->kind != ExpressionKind::kChooseInt) std::swap(chosen, with);
  if (chosen->kind != ExpressionKind::kChooseInt || with->kind != ExpressionKind::kInt) return std::nullopt;
  const Expression& among = *chosen->parts[0];
  if (among.kind != ExpressionKind::kInt || among.integer < 2 || with->integer < 0 ||
      with->integer >= among.integer)
    return std::nullopt;
  const auto alternative = static_cast<std::uint32_t>(with->integer);
  return Choice{.if_true = alternative, .if_false = alternative == 0 ? 1u : 0u};
}

std::optional<Choice> choice_of(const Expression& condition) {
  if (condition.kind == ExpressionKind::kChooseBool) return Choice{.if_true = 0, .if_false = 1};
  if (condition.kind == ExpressionKind::kNot) {
    const std::optional<Choice> inside = choice_of(*condition.parts[0]);
    if (!inside) return std::nullopt;
    return Choice{.if_true = inside->if_false, .if_false = inside->if_true};
  }
  return comparison(condition);
}

// `send this, AGAIN;`
std::optional<EventId> asks_itself(const std::vector<const Statement*>& branch) {
  if (branch.size() != 1 || branch[0]->kind != StatementKind::kSend || branch[0]->expressions.size() != 2)
    return std::nullopt;
  const Expression& target = *branch[0]->expressions[0];
  const Expression& event = *branch[0]->expressions[1];
  if (target.kind != ExpressionKind::kThis || event.kind != ExpressionKind::kEvent) return std::nullopt;
  return EventId{event.index};
}

// `send CLIENT, FIRED; goto Idle;`
std::optional<StateId> fires(const std::vector<const Statement*>& branch) {
  if (branch.size() != 2 || branch[0]->kind != StatementKind::kSend ||
      branch[1]->kind != StatementKind::kGoto)
    return std::nullopt;
  const auto is_of_fields = [](const Expression* expression) { return is_plain(*expression); };
  if (branch[0]->expressions[0]->kind == ExpressionKind::kThis ||
      !std::ranges::all_of(branch[0]->expressions, is_of_fields) ||
      !std::ranges::all_of(branch[1]->expressions, is_of_fields))
    return std::nullopt;
  return StateId{branch[1]->index};
}

DecisionOrDifference decision_of(const Program& program, FunctionId function) {
  const Function& decides = program.function(function);
  const std::vector<const Statement*> body = flat(decides.body);
  if (decides.parameters != 0) return Difference{decides.place, "the function that chooses has a parameter"};
  if (body.size() != 1 || body[0]->kind != StatementKind::kIf)
    return Difference{decides.place, "the function that chooses is more than one `if`"};
  const std::optional<Choice> choice = choice_of(*body[0]->expressions[0]);
  if (!choice)
    return Difference{body[0]->place, "the condition is not `$`, `choose()` or `choose(N) == K` itself"};
  if (body[0]->statements.size() != 2)
    return Difference{body[0]->place,
                      "there is no `else` in which it sends itself the event that asks it again"};
  const std::vector<const Statement*> yes = flat(body[0]->statements[0]), no = flat(body[0]->statements[1]);
  const bool is_swapped = asks_itself(yes).has_value();
  const std::optional<EventId> again = asks_itself(is_swapped ? yes : no);
  const std::optional<StateId> idle = fires(is_swapped ? no : yes);
  if (!again)
    return Difference{body[0]->place,
                      "no branch is just `send this, EVENT`, with which it asks itself again"};
  if (!idle)
    return Difference{body[0]->place, "the other branch is not `send CLIENT, EVENT; goto STATE;` alone"};
  return Decision{.fires = is_swapped ? choice->if_false : choice->if_true, .again = *again, .idle = *idle};
}

std::string in_ticks(std::string_view name) { return "`" + std::string(name) + "`"; }

bool ignores(const Program& program, StateId state, EventId event) {
  const Action* const action = program.state(state).action(event);
  return action != nullptr && action->kind == ActionKind::kIgnore;
}

// What keeps the event from being of no use to anybody but the state itself.
std::optional<Difference> around(const Program& program, StateId armed, const Decision& decision,
                                 FunctionId decides) {
  const State& state = program.state(armed);
  const std::string again = in_ticks(program.event(decision.again).name);
  if (state.exit) return Difference{state.place, "the state " + in_ticks(state.name) + " has an exit"};
  const Action* const action = state.action(decision.again);
  const bool asks_again = action != nullptr && (action->kind == ActionKind::kGoto
                                                    ? action->target == armed && !action->function
                                                    : action->kind == ActionKind::kDo &&
                                                          innermost(program, *action->function) == decides);
  if (!asks_again)
    return Difference{action == nullptr ? state.place : action->place,
                      "on " + again + " the state " + in_ticks(state.name) + " does not choose again"};
  std::vector<StateId> left_to = {decision.idle};
  for (const Action& one : state.actions)
    if (one.kind == ActionKind::kGoto && one.target != armed) left_to.push_back(one.target);
  for (const StateId target : left_to)
    if (target == armed || !ignores(program, target, decision.again))
      return Difference{program.state(target).place, "the state " + in_ticks(program.state(target).name) +
                                                         ", which may come next, does not ignore " + again};
  for (const Machine& machine : program.machines)
    if (machine.is_monitor() && machine.observes.contains(decision.again))
      return Difference{machine.place, in_ticks(machine.name) + " observes " + again};
  return std::nullopt;
}

std::variant<Timer, Difference> timer_of(const Program& program, MachineId machine, StateId armed) {
  const FunctionId decides = innermost(program, *program.state(armed).entry);
  const DecisionOrDifference decision = decision_of(program, decides);
  if (const auto* difference = std::get_if<Difference>(&decision)) return *difference;
  const Decision& found = std::get<Decision>(decision);
  if (std::optional<Difference> difference = around(program, armed, found, decides)) return *difference;
  return Timer{
      .machine = machine, .armed = armed, .again = found.again, .decides = decides, .fires = found.fires};
}

bool has_name_of_timer(std::string_view name) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower.find("timer") != std::string::npos;
}

}  // namespace

Timers find_timers(const Program& program) {
  Timers timers;
  for (std::size_t number = 0; number < program.machines.size(); ++number) {
    const Machine& machine = program.machines[number];
    if (machine.is_monitor()) continue;
    const auto id = id_at<MachineId>(number);
    std::optional<Difference> nearest;
    bool is_known = false;
    for (const StateId state : machine.states) {
      if (!program.state(state).entry) continue;
      const std::variant<Timer, Difference> found = timer_of(program, id, state);
      if (const auto* timer = std::get_if<Timer>(&found)) {
        timers.known.push_back(*timer);
        is_known = true;
      } else if (program.function(innermost(program, *program.state(state).entry)).effects.chooses) {
        nearest = std::get<Difference>(found);
      }
    }
    if (is_known || !has_name_of_timer(machine.name)) continue;
    if (!nearest) nearest = Difference{machine.place, "no entry of a state chooses whether it fires"};
    timers.unknown.push_back({.machine = id, .place = nearest->place, .why = nearest->why});
  }
  return timers;
}

}  // namespace ravel::p
