// Runs match specifications; match_specification.cc lowers them.
#include "erlang/term/compare.h"
#include "erlang/term/header.h"
#include "erlang/term/map.h"
#include "erlang/term/match_specification.h"

namespace ravel::erlang {

bool MatchRunner::matches(const std::vector<MatchSpecification::PatternStep>& pattern, Term subject) {
  using Op = MatchSpecification::PatternOp;
  stack_.clear();
  stack_.push_back(subject);
  for (const auto& step : pattern) {
    const Term t = stack_.back();
    stack_.pop_back();
    switch (step.op) {
      case Op::kSkip: break;
      case Op::kBind: variables_[step.number] = t; break;
      case Op::kSame:
        if (!equal_exactly(variables_[step.number], t)) return false;
        break;
      case Op::kWord:
        if (t != step.term) return false;
        break;
      case Op::kEqual:
        if (!equal_exactly(t, step.term)) return false;
        break;
      case Op::kFloat:
        if (!is_float(t) || t.object()[1] != step.term.object()[1]) return false;
        break;
      case Op::kCons:
        if (!t.is_cons()) return false;
        stack_.push_back(t.tail());
        stack_.push_back(t.head());
        break;
      case Op::kTuple:
        if (!is_tuple_of(t, step.number)) return false;
        for (Word i = step.number; i > 0; --i) stack_.push_back(element(t, i));
        break;
      case Op::kMap:
        if (!t.is_boxed() || !is_map(t) || map_size(t) < step.number) return false;
        stack_.insert(stack_.end(), step.number, t);
        break;
      case Op::kKey: {
        const Term value = map_get(names_, t, step.term);
        if (value.is_none()) return false;
        stack_.push_back(value);
        break;
      }
    }
  }
  return true;
}

// `and` (neutral: true) or `or` (neutral: false) of the topmost values; none if one is no boolean.
Term MatchRunner::conjunction(std::size_t count, Term neutral) const {
  Term result = neutral;
  for (std::size_t i = stack_.size() - count; i < stack_.size(); ++i) {
    if (stack_[i] != atoms::kTrue && stack_[i] != atoms::kFalse) return Term::none();
    if (stack_[i] != neutral) result = stack_[i];
  }
  return result;
}

// False: a guard is not true, or failed.
bool MatchRunner::execute(const std::vector<MatchSpecification::Step>& steps, Term subject, Failure failure) {
  using Op = MatchSpecification::Op;
  stack_.clear();
  const auto replace = [&](std::size_t count, Term value) {
    stack_.resize(stack_.size() - count, Term::nil());
    if (value.is_none()) {
      if (failure == Failure::kFailsClause) return false;
      value = atoms::kExitMessage;
    }
    stack_.push_back(value);
    return true;
  };
  for (std::size_t at = 0; at < steps.size(); ++at) {
    const auto& step = steps[at];
    const Term* const top = stack_.data() + stack_.size();
    switch (step.op) {
      case Op::kConstant: stack_.push_back(step.term); break;
      case Op::kVariable: stack_.push_back(variables_[step.number]); break;
      case Op::kBindings: {
        Term list = Term::nil();
        const auto& slots = specification_.bindings_[step.number];
        for (auto slot = slots.rbegin(); slot != slots.rend(); ++slot)
          list = heap_.cons(variables_[*slot], list);
        stack_.push_back(list);
        break;
      }
      case Op::kSubject: stack_.push_back(subject); break;
      case Op::kSelf: stack_.push_back(self_); break;
      case Op::kList: {
        const std::span<const Term> elements(top - step.number, step.number - 1);
        replace(step.number, heap_.list(elements, top[-1]));
        break;
      }
      case Op::kTuple:
        replace(step.number, heap_.tuple(std::span<const Term>(top - step.number, step.number)));
        break;
      case Op::kMap:
        replace(step.number,
                map_from_pairs(heap_, names_, std::span<const Term>(top - step.number, step.number)));
        break;
      case Op::kCall:
        if (!replace(step.count, functions_.call(step.number, top - step.count))) return false;
        break;
      case Op::kAnd:
        if (!replace(step.count, conjunction(step.count, atoms::kTrue))) return false;
        break;
      case Op::kOr:
        if (!replace(step.count, conjunction(step.count, atoms::kFalse))) return false;
        break;
      case Op::kAndAlso:
      case Op::kOrElse: {
        const Term decisive = step.op == Op::kAndAlso ? atoms::kFalse : atoms::kTrue;
        const Term value = stack_.back();
        const bool is_boolean = value == atoms::kTrue || value == atoms::kFalse;
        if (is_boolean && value != decisive) {
          stack_.pop_back();
        } else {
          if (!is_boolean && !replace(1, Term::none())) return false;
          at = step.number - 1;
        }
        break;
      }
      case Op::kRequire:
        if (stack_.back() != atoms::kTrue) return false;
        stack_.pop_back();
        break;
      case Op::kDrop: stack_.pop_back(); break;
      case Op::kReturn:
        result_ = stack_.back();
        stack_.pop_back();
        break;
      case Op::kReturnTrace: wants_return_trace_ = true; break;
      case Op::kExceptionTrace: wants_exception_trace_ = true; break;
    }
  }
  return true;
}

Term MatchRunner::run(Term subject) {
  wants_return_trace_ = wants_exception_trace_ = false;
  for (const auto& clause : specification_.clauses_) {
    if (!matches(clause.pattern, subject) || !execute(clause.guards, subject, Failure::kFailsClause))
      continue;
    result_ = atoms::kTrue;
    execute(clause.body, subject, Failure::kIsValue);
    return result_;
  }
  return Term::none();
}

}  // namespace ravel::erlang
