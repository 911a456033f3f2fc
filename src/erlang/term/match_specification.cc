#include "erlang/term/match_specification.h"

#include <algorithm>
#include <string_view>

#include "erlang/term/compare.h"
#include "erlang/term/header.h"
#include "erlang/term/list.h"
#include "erlang/term/map.h"
#include "erlang/term/print.h"

namespace ravel::erlang {

namespace {

// Deeper expressions are refused: lowering recurses.
constexpr std::size_t kNestingMax = 2000;

}  // namespace

std::optional<std::uint64_t> match_variable(const Names& names, Term term) {
  if (!term.is_atom()) return std::nullopt;
  const std::string_view text = names.atoms.text(term);
  if (text.size() < 2 || text[0] != '$') return std::nullopt;
  if (text[1] == '0' && text.size() > 2) return std::nullopt;
  std::uint64_t number = 0;
  for (const char digit : text.substr(1)) {
    if (digit < '0' || digit > '9') return std::nullopt;
    number = number * 10 + static_cast<std::uint64_t>(digit - '0');
  }
  return number;
}

bool has_match_variable(const Names& names, Term pattern) {
  std::vector<Term> pending{pattern};
  while (!pending.empty()) {
    const Term t = pending.back();
    pending.pop_back();
    if (t.is_cons()) {
      pending.push_back(t.tail());
      pending.push_back(t.head());
    } else if (is_tuple(t)) {
      pending.insert(pending.end(), t.object() + 1, t.object() + 1 + tuple_size(t));
    } else if (t.is_boxed() && is_map(t)) {
      for (MapIterator pairs(t); pairs.next();) pending.insert(pending.end(), {pairs.key(), pairs.value()});
    } else if (t == atoms::kUnderscore || match_variable(names, t)) {
      return true;
    }
  }
  return false;
}

// The parts are compared in the order of term order, up to the first variable.
int compare_pattern(const Names& names, Term pattern, Term term) {
  std::vector<std::pair<Term, Term>> pending{{pattern, term}};
  while (!pending.empty()) {
    const auto [a, b] = pending.back();
    pending.pop_back();
    if (a == atoms::kUnderscore || match_variable(names, a)) return 0;
    if (a.is_cons() && b.is_cons()) {
      pending.emplace_back(a.tail(), b.tail());
      pending.emplace_back(a.head(), b.head());
    } else if (is_tuple(a) && is_tuple(b)) {
      if (tuple_size(a) != tuple_size(b)) return tuple_size(a) < tuple_size(b) ? -1 : 1;
      for (Word i = tuple_size(a); i > 0; --i) pending.emplace_back(element(a, i), element(b, i));
    } else if (const int order = compare_silently(names, a, b); order != 0) {
      return order;
    }
  }
  return 0;
}

class MatchCompiler {
 public:
  MatchCompiler(Heap& heap, const Names& names, MatchDialect dialect, GuardFunctions& functions,
                std::vector<std::string>* errors)
      : heap_(heap), names_(names), functions_(functions), errors_(errors) {
    result_.dialect_ = dialect;
  }

  std::optional<MatchSpecification> compile(Term source) {
    if (!source.is_cons()) {
      error("Match programs are not in a list.");
      return std::nullopt;
    }
    if (!list_length(source)) {
      error("Match programs are not in a proper list.");
      return std::nullopt;
    }
    // The form of all clauses is looked at before any is lowered.
    for (Term list = source; list.is_cons(); list = list.tail())
      if (!check_form(list.head())) return std::nullopt;
    for (Term list = source; list.is_cons(); list = list.tail()) {
      const Term clause = list.head();
      if (!compile_clause(element(clause, 1), element(clause, 2), element(clause, 3)) || has_error_)
        return std::nullopt;
    }
    return std::move(result_);
  }

 private:
  using PatternOp = MatchSpecification::PatternOp;
  using PatternStep = MatchSpecification::PatternStep;
  using Op = MatchSpecification::Op;
  using Step = MatchSpecification::Step;

  struct Variable {
    std::uint64_t number;
    std::uint32_t slot;
    bool is_bound;  // in this clause
  };

  enum class Part : std::uint8_t { kGuard, kBody };

  // Whether an expression's value is known; if so, the code ends in one kConstant for it.
  enum class Value : std::uint8_t { kKnown, kComputed, kStop };

  bool is_trace() const { return result_.dialect_ == MatchDialect::kTrace; }

  // Notes what is wrong. True: go on, to find more that is wrong.
  bool error(std::string text) {
    has_error_ = true;
    if (errors_ == nullptr) return false;
    errors_->push_back(std::move(text));
    return true;
  }
  Value wrong(std::string text) {
    if (!error(std::move(text))) return Value::kStop;
    emit({.op = Op::kConstant});
    return Value::kComputed;
  }
  std::string show(Term t) const { return print_term(names_, t, {.style = PrintStyle::kDisplay}); }

  bool check_form(Term clause) {
    if (!is_tuple_of(clause, 3)) {
      error("Match program part is not a tuple of arity 3.");
      return false;
    }
    const Term pattern = element(clause, 1);
    if (is_trace() && is_list(pattern) && !list_length(pattern)) {
      error("Match expression part " + show(pattern) + " is not a proper list.");
      return false;
    }
    return true;
  }

  bool compile_clause(Term pattern, Term guards, Term body) {
    for (Variable& variable : variables_) variable.is_bound = false;
    result_.clauses_.emplace_back();
    if (is_trace()) {
      // Arguments are matched as a list; a tuple stands for the list of its elements.
      if (is_tuple(pattern)) {
        pattern = tuple_to_list(heap_, pattern);
      } else if (!is_list(pattern) && pattern != atoms::kUnderscore && !match_variable(names_, pattern)) {
        error("Match head is invalid in this context.");
        return false;
      }
    }
    if (!compile_pattern(pattern)) return false;
    if (!compile_sequence(guards, Part::kGuard)) return false;
    if (!is_trace() && !body.is_cons()) {
      error("Body clause does not return anything.");
      return false;
    }
    return compile_sequence(body, Part::kBody);
  }

  // Patterns: in the order in which the machine takes terms from its stack.
  bool compile_pattern(Term top) {
    // A map's value stands after its key: `key` is none for other terms.
    struct Pending {
      Term key;
      Term pattern;
    };
    std::vector<PatternStep>& code = result_.clauses_.back().pattern;
    std::vector<Pending> pending{{Term::none(), top}};
    while (!pending.empty()) {
      const auto [key, t] = pending.back();
      pending.pop_back();
      if (!key.is_none()) code.push_back({.op = PatternOp::kKey, .term = key});
      if (t.is_cons()) {
        code.push_back({.op = PatternOp::kCons});
        pending.push_back({Term::none(), t.tail()});
        pending.push_back({Term::none(), t.head()});
      } else if (is_tuple(t)) {
        const Word size = tuple_size(t);
        code.push_back({.op = PatternOp::kTuple, .number = static_cast<std::uint32_t>(size)});
        for (Word i = size; i > 0; --i) pending.push_back({Term::none(), element(t, i)});
      } else if (t.is_boxed() && is_map(t)) {
        code.push_back({.op = PatternOp::kMap, .number = static_cast<std::uint32_t>(map_size(t))});
        const std::size_t first = pending.size();
        for (MapIterator pairs(t); pairs.next();) {
          if (match_variable(names_, pairs.key())) return error("Variable found in map key."), false;
          if (pairs.key() == atoms::kUnderscore) return error("Underscore found in map key."), false;
          pending.push_back({pairs.key(), pairs.value()});
        }
        std::reverse(pending.begin() + static_cast<std::ptrdiff_t>(first), pending.end());
      } else {
        code.push_back(leaf(t));
      }
    }
    return true;
  }

  PatternStep leaf(Term t) {
    if (t == atoms::kUnderscore) return {.op = PatternOp::kSkip};
    if (const auto number = match_variable(names_, t)) {
      Variable& variable = variable_with(*number);
      const PatternOp op = variable.is_bound ? PatternOp::kSame : PatternOp::kBind;
      variable.is_bound = true;
      return {.op = op, .number = variable.slot};
    }
    if (t.is_immediate()) return {.op = PatternOp::kWord, .term = t};
    return {.op = is_float(t) ? PatternOp::kFloat : PatternOp::kEqual, .term = t};
  }

  Variable& variable_with(std::uint64_t number) {
    const auto found = std::ranges::find(variables_, number, &Variable::number);
    if (found != variables_.end()) return *found;
    return variables_.emplace_back(Variable{number, result_.slots_++, false});
  }

  // Guards and bodies.
  bool compile_sequence(Term list, Part part) {
    part_ = part;
    auto& clause = result_.clauses_.back();
    code_ = part == Part::kGuard ? &clause.guards : &clause.body;
    if (!is_list(list)) return error("Match expression is not a list.");
    for (; list.is_cons(); list = list.tail()) {
      if (expression(list.head()) == Value::kStop) return false;
      const bool is_last = list.tail().is_nil();
      emit({.op = part == Part::kGuard ? Op::kRequire : is_last && !is_trace() ? Op::kReturn : Op::kDrop});
    }
    return list.is_nil() || error("Match expression is not a proper list.");
  }

  void emit(Step step) { code_->push_back(step); }
  Value known(Term value) {
    emit({.op = Op::kConstant, .term = value});
    return Value::kKnown;
  }

  Value expression(Term t) {
    if (depth_ == kNestingMax) return wrong("Excessive nesting; system limit reached near: " + show(t));
    ++depth_;
    const Value value = expression_inside(t);
    --depth_;
    return value;
  }

  Value expression_inside(Term t) {
    if (t.is_cons()) return list_expression(t);
    if (is_tuple(t)) {
      const Word size = tuple_size(t);
      if (size == 1 && is_tuple(element(t, 1))) return tuple_expression(element(t, 1));
      if (size >= 1 && element(t, 1).is_atom() && !match_variable(names_, element(t, 1)))
        return call_expression(t);
      return wrong(show(t) + " is neither a function call, nor a tuple (tuples are written {{ ... }}).");
    }
    if (t.is_boxed() && is_map(t)) return map_expression(t);
    if (const auto number = match_variable(names_, t)) {
      const auto found = std::ranges::find(variables_, *number, &Variable::number);
      if (found == variables_.end() || !found->is_bound)
        return wrong("Variable $" + std::to_string(*number) + " is unbound.");
      emit({.op = Op::kVariable, .number = found->slot});
      return Value::kComputed;
    }
    if (t == atoms::kDollarUnderscore) {
      emit({.op = Op::kSubject});
      return Value::kComputed;
    }
    if (t == atoms::kDollarDollar) return all_bindings();
    return known(t);
  }

  Value all_bindings() {
    std::vector<Variable> bound;
    std::ranges::copy_if(variables_, std::back_inserter(bound), &Variable::is_bound);
    std::ranges::sort(bound, {}, &Variable::number);
    std::vector<std::uint32_t>& slots = result_.bindings_.emplace_back();
    for (const Variable& variable : bound) slots.push_back(variable.slot);
    emit({.op = Op::kBindings, .number = static_cast<std::uint32_t>(result_.bindings_.size() - 1)});
    return Value::kComputed;
  }

  // Lowers the parts of a compound; `make` computes its value if all are known.
  template <class Parts, class Make>
  Value compound(const Parts& parts, Op op, Make make) {
    const std::size_t start = code_->size();
    bool all_known = true;
    for (const Term part : parts) {
      const Value value = expression(part);
      if (value == Value::kStop) return value;
      all_known &= value == Value::kKnown;
    }
    if (!all_known) {
      emit({.op = op, .number = static_cast<std::uint32_t>(parts.size())});
      return Value::kComputed;
    }
    std::vector<Term> values;
    for (std::size_t i = start; i < code_->size(); ++i) values.push_back((*code_)[i].term);
    code_->resize(start);
    return known(make(values));
  }

  Value list_expression(Term list) {
    std::vector<Term> parts;
    for (; list.is_cons(); list = list.tail()) parts.push_back(list.head());
    parts.push_back(list);
    return compound(parts, Op::kList, [&](std::vector<Term>& values) {
      const Term tail = values.back();
      values.pop_back();
      return heap_.list(values, tail);
    });
  }

  Value tuple_expression(Term tuple) {
    const std::span<const Term> parts(tuple.object() + 1, tuple_size(tuple));
    return compound(parts, Op::kTuple, [&](const std::vector<Term>& values) { return heap_.tuple(values); });
  }

  Value map_expression(Term map) {
    std::vector<Term> parts;
    for (MapIterator pairs(map); pairs.next();) parts.insert(parts.end(), {pairs.key(), pairs.value()});
    return compound(parts, Op::kMap,
                    [&](const std::vector<Term>& values) { return map_from_pairs(heap_, names_, values); });
  }

  bool expressions(Term tuple, Word first) {
    for (Word i = first; i <= tuple_size(tuple); ++i)
      if (expression(element(tuple, i)) == Value::kStop) return false;
    return true;
  }

  Value call_expression(Term t) {
    const Term name = element(t, 1);
    const auto count = static_cast<std::uint32_t>(tuple_size(t) - 1);
    if (name == atoms::kConst) {
      if (count == 1) return known(element(t, 2));
      return wrong("Special form 'const' called with more than one argument in " + show(t) + ".");
    }
    if (name == atoms::kAnd || name == atoms::kOr) {
      if (count == 0) return without_arguments(t);
      if (!expressions(t, 2)) return Value::kStop;
      emit({.op = name == atoms::kAnd ? Op::kAnd : Op::kOr, .count = count});
      return Value::kComputed;
    }
    if (name == atoms::kAndalso || name == atoms::kAndthen) return lazy_expression(t, Op::kAndAlso);
    if (name == atoms::kOrelse) return lazy_expression(t, Op::kOrElse);
    if (name == atoms::kSelf) {
      if (count != 0) return wrong("Special form 'self' called with arguments in " + show(t) + ".");
      emit({.op = Op::kSelf});
      return Value::kComputed;
    }
    if (const auto action = trace_action(t)) return *action;
    return function_call(t, name, count);
  }

  Value without_arguments(Term t) {
    return wrong("Special form '" + std::string(names_.atoms.text(element(t, 1))) +
                 "' called without arguments in " + show(t) + ".");
  }

  // The last argument's value counts, whatever it is.
  Value lazy_expression(Term t, Op op) {
    const Word size = tuple_size(t);
    if (size < 2) return without_arguments(t);
    std::vector<std::size_t> jumps;
    for (Word i = 2; i <= size; ++i) {
      if (expression(element(t, i)) == Value::kStop) return Value::kStop;
      if (i == size) break;
      jumps.push_back(code_->size());
      emit({.op = op});
    }
    for (const std::size_t jump : jumps) (*code_)[jump].number = static_cast<std::uint32_t>(code_->size());
    return Value::kComputed;
  }

  Value function_call(Term t, Term name, std::uint32_t count) {
    const std::string described = "Function " + show(name) + "/" + std::to_string(count);
    const bool is_get = name == atoms::kGetTcw && count == 0;
    const bool is_set = name == atoms::kSetTcw && count == 1;
    if (is_get || is_set) {  // the trace control word: it is 0 for ever
      if (!is_trace() || (is_set && part_ == Part::kGuard))
        return wrong(described + " cannot be called in this context.");
      if (!expressions(t, 2)) return Value::kStop;
      if (is_set) emit({.op = Op::kDrop});
      emit({.op = Op::kConstant, .term = Term::small(0)});
      return Value::kComputed;
    }
    const auto function = functions_.find(name, count);
    if (!function) return wrong(described + " does_not_exist.");
    if (!expressions(t, 2)) return Value::kStop;
    emit({.op = Op::kCall, .number = *function, .count = count});
    return Value::kComputed;
  }

  struct TraceAction {
    Term name;
    std::uint32_t arguments_min, arguments_max;
    bool is_for_guards;
    Term value;  // what it answers
  };

  // What only the dialect of tracing has; nothing for other functions.
  std::optional<Value> trace_action(Term t) {
    const TraceAction actions[] = {
        {atoms::kMessage, 1, 1, false, atoms::kTrue},
        {atoms::kReturnTrace, 0, 0, false, atoms::kTrue},
        {atoms::kExceptionTrace, 0, 0, false, atoms::kTrue},
        {atoms::kDisplay, 1, 1, false, atoms::kTrue},
        {atoms::kProcessDump, 0, 0, false, Term::nil()},
        {atoms::kEnableTrace, 1, 2, false, atoms::kTrue},
        {atoms::kDisableTrace, 1, 2, false, atoms::kTrue},
        {atoms::kTrace, 2, 3, false, atoms::kFalse},
        {atoms::kSilent, 1, 1, false, atoms::kTrue},
        {atoms::kIsSeqTrace, 0, 0, true, atoms::kFalse},
        {atoms::kSetSeqToken, 2, 2, false, Term::nil()},
        {atoms::kGetSeqToken, 0, 0, false, Term::nil()},
        {atoms::kCaller, 0, 0, false, atoms::kUndefined},
        {atoms::kCallerLine, 0, 0, false, atoms::kUndefined},
    };
    const auto* action = std::ranges::find(actions, element(t, 1), &TraceAction::name);
    if (action == std::end(actions)) return std::nullopt;
    const std::string form = "Special form '" + std::string(names_.atoms.text(action->name)) + "' ";
    if (!is_trace()) return wrong(form + "used in wrong dialect.");
    if (part_ == Part::kGuard && !action->is_for_guards) return wrong(form + "called in guard context.");
    const auto count = static_cast<std::uint32_t>(tuple_size(t) - 1);
    if (count < action->arguments_min || count > action->arguments_max) {
      const bool takes_none = action->arguments_max == 0;
      return wrong(form +
                   (takes_none ? "called with arguments in " : "called with wrong number of arguments in ") +
                   show(t) + ".");
    }
    if (!expressions(t, 2)) return Value::kStop;
    if (action->name == atoms::kReturnTrace) emit({.op = Op::kReturnTrace});
    if (action->name == atoms::kExceptionTrace) emit({.op = Op::kExceptionTrace});
    for (std::uint32_t i = 0; i < count; ++i)
      emit({.op = action->name == atoms::kMessage ? Op::kReturn : Op::kDrop});
    emit({.op = Op::kConstant, .term = action->value});
    return Value::kComputed;
  }

  Heap& heap_;
  const Names& names_;
  GuardFunctions& functions_;
  std::vector<std::string>* errors_;
  MatchSpecification result_;
  std::vector<Variable> variables_;
  std::vector<Step>* code_ = nullptr;
  Part part_ = Part::kGuard;
  std::size_t depth_ = 0;
  bool has_error_ = false;
};

std::optional<MatchSpecification> MatchSpecification::compile(Heap& heap, const Names& names, Term source,
                                                              MatchDialect dialect, GuardFunctions& functions,
                                                              std::vector<std::string>* errors) {
  return MatchCompiler(heap, names, dialect, functions, errors).compile(source);
}

}  // namespace ravel::erlang
