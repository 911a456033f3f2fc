#include "tests/p_checker/well_formed.h"

#include <algorithm>

namespace ravel::p {
namespace {

class Inspector {
 public:
  explicit Inspector(const Program& program) : program_(program) {}

  std::string fault() {
    for (const Event& event : program_.events) require(is_type(event.payload), "an event has no type");
    for (const Interface& interface : program_.interfaces)
      require(is_type(interface.payload) && interface.receives != nullptr, "an interface lacks something");
    for (const Function& one : program_.functions) function(one);
    for (const Machine& one : program_.machines) machine(one);
    for (const TestCase& one : program_.tests) test(one);
    return fault_;
  }

 private:
  void require(bool holds, const std::string& what) {
    if (!holds && fault_.empty()) fault_ = what;
  }

  bool is_type(const Type* type) const { return type != nullptr && !type->is(TypeKind::kError); }

  void function(const Function& one) {
    current_ = &one;
    require(is_type(one.result), "a function has no type of its result");
    require(one.parameters <= one.first_slots || one.is_foreign, "a function has more parameters than slots");
    require(one.first_slots <= one.slots.size(), "a function has more first slots than slots");
    for (const Variable& slot : one.slots) require(is_type(slot.type), "a slot has no type");
    require(one.is_foreign == (one.body == nullptr), "a function has no body, or a foreign one has");
    for (const FunctionId callee : one.callees)
      require(index(callee) < program_.functions.size(), "a callee is none");
    loops_ = cases_ = 0;
    if (one.body != nullptr) statement(*one.body);
  }

  void machine(const Machine& one) {
    require(is_type(one.payload), "a machine has no payload");
    require(!one.states.empty(), "a machine has no state");
    require(std::ranges::find(one.states, one.start) != one.states.end(),
            "a machine starts in a state of another");
    require(one.is_monitor() != one.interface.has_value(), "a machine has no interface, or a spec has");
    for (const Variable& field : one.fields) require(is_type(field.type), "a field has no type");
    for (const StateId id : one.states) {
      const State& state = program_.state(id);
      require(&program_.machine(state.machine) == &one, "a state is another machine's");
      for (const auto& handler : {state.entry, state.exit})
        if (handler) require(owner_is(*handler, one), "a handler is another machine's");
      require(std::ranges::is_sorted(state.actions, {}, &Action::event), "actions are not sorted");
      for (const Action& action : state.actions) {
        require(index(action.event) < program_.events.size(), "an action is for no event");
        require(state.action(action.event) == &action, "an action is not found");
        if (action.kind == ActionKind::kDo) require(action.function.has_value(), "nothing is done");
        if (action.function) require(owner_is(*action.function, one), "an action is another machine's");
        if (action.kind == ActionKind::kGoto)
          require(&program_.machine(program_.state(action.target).machine) == &one,
                  "a target is another machine's");
      }
    }
  }

  bool owner_is(FunctionId id, const Machine& machine) const {
    const Function& handler = program_.function(id);
    return handler.owner && &program_.machine(*handler.owner) == &machine && handler.parameters <= 1;
  }

  void test(const TestCase& one) {
    const Binding* main = one.binding(one.main);
    require(main != nullptr && !one.bindings.empty(), "a test does not implement its main machine");
    require(one.parameters.size() == program_.parameters.size(), "a test forgets parameters");
    for (const Binding& binding : one.bindings) {
      require(binding.links.size() == program_.interfaces.size(), "a binding forgets interfaces");
      for (const InterfaceId created : program_.machine(binding.machine).creates.ids()) {
        const auto& link = binding.links[index(created)];
        require(link && one.binding(*link) != nullptr, "what is created is bound to nothing");
      }
    }
    for (const Monitor& monitor : one.monitors) {
      require(program_.machine(monitor.machine).is_monitor(), "a monitor is none");
      for (const InterfaceId id : monitor.interfaces)
        require(one.binding(id) != nullptr, "a monitor watches nothing");
    }
  }

  // -- Trees

  void statement(const Statement& one) {
    for (const Expression* part : one.expressions) expression(*part);
    const auto count = [&](std::size_t low, std::size_t high) {
      require(one.expressions.size() >= low && one.expressions.size() <= high,
              "a statement has a wrong number of parts");
    };
    switch (one.kind) {
      case StatementKind::kBlock: count(0, 0); break;
      case StatementKind::kAssert: count(1, 2); break;
      case StatementKind::kPrint: count(1, 1); break;
      case StatementKind::kReturn:
        count(current_->result->is(TypeKind::kNull) ? 0 : 1, current_->result->is(TypeKind::kNull) ? 0 : 1);
        break;
      case StatementKind::kBreak:
      case StatementKind::kContinue: require(loops_ > 0, "a loop is left where there is none"); break;
      case StatementKind::kLeaveCase: require(cases_ > 0, "a case is left where there is none"); break;
      case StatementKind::kAssign:
      case StatementKind::kAdd:
      case StatementKind::kRemove: count(2, 2), location(*one.expressions[0]); break;
      case StatementKind::kInsert: count(3, 3), location(*one.expressions[0]); break;
      case StatementKind::kWhile:
        count(1, 1), require(one.statements.size() == 1, "a loop has no body");
        break;
      case StatementKind::kForeach:
        count(1, 1), require(one.statements.size() == 1, "a loop has no body");
        require(one.index < (one.is_field ? fields() : current_->slots.size()), "a loop has no variable");
        break;
      case StatementKind::kIf:
        count(1, 1);
        require(one.statements.size() == 1 || one.statements.size() == 2,
                "a branch has a wrong number of ways");
        break;
      case StatementKind::kNew:
        count(0, 1), require(one.index < program_.interfaces.size(), "nothing is created");
        break;
      case StatementKind::kCall: call(one.index, one.expressions.size()); break;
      case StatementKind::kRaise:
      case StatementKind::kAnnounce: count(1, 2); break;
      case StatementKind::kSend: count(2, 3); break;
      case StatementKind::kGoto:
        count(0, 1);
        require(current_->owner && index(program_.states[one.index].machine) == index(*current_->owner),
                "a state of another machine is entered");
        break;
      case StatementKind::kReceive: require(!one.cases.empty(), "nothing is received"); break;
    }
    const bool is_loop = one.kind == StatementKind::kWhile || one.kind == StatementKind::kForeach;
    loops_ += is_loop;
    for (const Statement* part : one.statements) statement(*part);
    loops_ -= is_loop;
    for (const ReceiveCase& way : one.cases) {
      require(way.first_slot + way.slots <= current_->slots.size(), "a case uses slots that are not there");
      require(!way.has_parameter || way.slots > 0, "a case has no slot for its parameter");
      ++cases_;
      statement(*way.body);
      --cases_;
    }
  }

  void location(const Expression& one) {
    const Expression* at = &one;
    while (at->kind == ExpressionKind::kElement || at->kind == ExpressionKind::kSeqElement ||
           at->kind == ExpressionKind::kMapValue)
      at = at->parts[0];
    require(at->kind == ExpressionKind::kLocal || at->kind == ExpressionKind::kField, "a location is none");
  }

  std::size_t fields() const {
    return current_->owner ? program_.machine(*current_->owner).fields.size() : 0;
  }

  void call(std::uint32_t callee, std::size_t arguments) {
    require(callee < program_.functions.size() && program_.functions[callee].parameters == arguments,
            "a call has other arguments than its function");
  }

  void expression(const Expression& one) {
    require(is_type(one.type), "an expression has no type");
    for (const Expression* part : one.parts) expression(*part);
    const auto count = [&](std::size_t wanted) {
      require(one.parts.size() == wanted, "an expression has a wrong number of parts");
    };
    switch (one.kind) {
      case ExpressionKind::kLocal: require(one.index < current_->slots.size(), "a local is none"); break;
      case ExpressionKind::kField: require(one.index < fields(), "a field is none"); break;
      case ExpressionKind::kParameter:
        require(one.index < program_.parameters.size(), "a parameter is none");
        break;
      case ExpressionKind::kEvent: require(one.index < program_.events.size(), "an event is none"); break;
      case ExpressionKind::kElement:
        count(1), require(one.index < one.parts[0]->type->parts.size(), "an element is none");
        break;
      case ExpressionKind::kTuple: count(one.type->parts.size()); break;
      case ExpressionKind::kBinary:
      case ExpressionKind::kSeqElement:
      case ExpressionKind::kSetElement:
      case ExpressionKind::kMapValue: count(2); break;
      case ExpressionKind::kNegate:
      case ExpressionKind::kNot:
      case ExpressionKind::kCast:
      case ExpressionKind::kKeys:
      case ExpressionKind::kValues:
      case ExpressionKind::kSizeof:
      case ExpressionKind::kChooseInt:
      case ExpressionKind::kChooseFrom: count(1); break;
      case ExpressionKind::kCall: call(one.index, one.parts.size()); break;
      case ExpressionKind::kNew:
        require(one.parts.size() <= 1 && one.index < program_.interfaces.size(), "nothing is created");
        break;
      case ExpressionKind::kFormat:
        for (const FormatPiece& piece : one.pieces)
          require(piece.argument == FormatPiece::kNone || piece.argument < one.parts.size(),
                  "an argument is none");
        break;
      default: break;
    }
  }

  const Program& program_;
  const Function* current_ = nullptr;
  unsigned loops_ = 0;
  unsigned cases_ = 0;
  std::string fault_;
};

}  // namespace

std::string fault_of(const Program& program) { return Inspector(program).fault(); }

}  // namespace ravel::p
