// Match specifications: the small language in which ets:select/2 and its like say what to find and what to
// make of it. [{Pattern, Guards, Body}, ...]: the first clause whose pattern matches and whose guards are all
// true gives the value of its body's last expression.
//
// The idea: a specification is lowered once into instructions of two stack machines, one that takes a term
// apart and one that computes, and then run for each row. Constant parts are computed when it is lowered.
// Guard functions come from outside (`GuardFunctions`), so that this file knows no built-in.
//
// A pattern's $N binds at its first place and compares with =:= at the others; `_` fits everything; a map
// fits a map that has its keys. An expression that fails makes a guard false, and in a body has the value
// 'EXIT'.
//
// The dialect of tracing matches a list of arguments and has actions; those that would change how a process
// is traced do nothing here, as there is no tracing.
//
// REQUIRES: the specification's term is neither moved nor freed while the lowered form is used.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "erlang/term/heap.h"
#include "erlang/term/names.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

// The functions that guards and bodies may call.
class GuardFunctions {
 public:
  virtual ~GuardFunctions() = default;
  // A number for the function, if the language of match specifications has it.
  virtual std::optional<std::uint32_t> find(Term name, std::uint32_t arity) = 0;
  // None if it fails. REQUIRES: `function` comes from `find` of this object.
  virtual Term call(std::uint32_t function, const Term* arguments) = 0;
};

enum class MatchDialect : std::uint8_t { kTable, kTrace };

class MatchSpecification {
 public:
  // The lowered form, or nothing if the specification is wrong. `errors`, unless null, gets what is wrong in
  // the emulator's words; without it, lowering stops at the first error.
  static std::optional<MatchSpecification> compile(Heap& heap, const Names& names, Term source,
                                                   MatchDialect dialect, GuardFunctions& functions,
                                                   std::vector<std::string>* errors = nullptr);

 private:
  friend class MatchCompiler;
  friend class MatchRunner;

  // Takes the top of the stack of terms that are still to be matched.
  enum class PatternOp : std::uint8_t {
    kSkip,
    kBind,   // number: slot
    kSame,   // number: slot
    kWord,   // term: an immediate
    kEqual,  // term, =:=
    kFloat,  // term, bit for bit
    kCons,   // leaves head and tail
    kTuple,  // number: size; leaves the elements
    kMap,    // number: keys; leaves the map that many times
    kKey,    // term: key; takes a map, leaves the value
  };
  struct PatternStep {
    PatternOp op;
    std::uint32_t number = 0;
    Term term = Term::nil();
  };

  enum class Op : std::uint8_t {
    kConstant,  // pushes term
    kVariable,  // number: slot
    kBindings,  // number: index in `bindings`; pushes the list of their values
    kSubject,   // pushes the whole term
    kSelf,
    kList,   // number: elements on the stack; above them the tail
    kTuple,  // number: elements
    kMap,    // number: keys and values
    kCall,   // number: function, count: arguments
    kAnd,    // count: arguments
    kOr,
    kAndAlso,  // number: where to go on if false
    kOrElse,   // number: where to go on if true
    kRequire,  // pops; the clause fails unless true
    kDrop,
    kReturn,  // pops the value of the body
    kReturnTrace,
    kExceptionTrace,
  };
  struct Step {
    Op op;
    std::uint32_t number = 0;
    std::uint32_t count = 0;
    Term term = Term::nil();
  };

  struct Clause {
    std::vector<PatternStep> pattern;
    std::vector<Step> guards;
    std::vector<Step> body;
  };

  MatchDialect dialect_ = MatchDialect::kTable;
  std::vector<Clause> clauses_;
  std::vector<std::vector<std::uint32_t>> bindings_;  // slots in the order of their variables' numbers
  std::uint32_t slots_ = 0;
};

// Runs a lowered specification on one term after the other.
class MatchRunner {
 public:
  MatchRunner(const MatchSpecification& specification, Heap& heap, const Names& names,
              GuardFunctions& functions, Term self)
      : specification_(specification),
        heap_(heap),
        names_(names),
        functions_(functions),
        self_(self),
        variables_(specification.slots_, Term::nil()) {}

  // The value, or none if no clause fits.
  Term run(Term subject);

  // Only in the dialect of tracing: which traces the last run asked for.
  bool wants_return_trace() const { return wants_return_trace_; }
  bool wants_exception_trace() const { return wants_exception_trace_; }

 private:
  enum class Failure : std::uint8_t { kFailsClause, kIsValue };

  bool matches(const std::vector<MatchSpecification::PatternStep>& pattern, Term subject);
  bool execute(const std::vector<MatchSpecification::Step>& steps, Term subject, Failure failure);
  Term conjunction(std::size_t count, Term neutral) const;

  const MatchSpecification& specification_;
  Heap& heap_;
  const Names& names_;
  GuardFunctions& functions_;
  Term self_;
  std::vector<Term> variables_;
  std::vector<Term> stack_;
  Term result_ = Term::none();
  bool wants_return_trace_ = false;
  bool wants_exception_trace_ = false;
};

// The number N of a variable `$N`; nothing for any other term.
std::optional<std::uint64_t> match_variable(const Names& names, Term term);
// Does a pattern hold a variable or `_` anywhere? If not, it fits only what is equal to it, unless it holds a
// map.
bool has_match_variable(const Names& names, Term pattern);
// Where what a pattern fits can stand in the order of terms, beside `term`: -1 all before it, 1 all after
// it, 0 nothing is known. For the terms of a set in order, the answers are in order, too: 1 ... 0 ... -1.
// REQUIRES: the pattern holds no map.
int compare_pattern(const Names& names, Term pattern, Term term);

}  // namespace ravel::erlang
