#include "ltl/translate.h"

#include "ltl/normal_form.h"
#include "ltl/reduce.h"
#include "ltl/tableau.h"

namespace ravel::ltl {
namespace {

Result<Automaton> translate_normal(FormulaPool& pool, Formula formula) {
  auto automaton = Tableau(pool, formula).build();
  if (!automaton) return automaton;
  automaton->uses_next = uses_next(pool, formula);
  automaton->is_safety = is_safety(pool, formula);
  reduce(*automaton);
  return automaton;
}

}  // namespace

Result<Automaton> translate(FormulaPool& pool, Formula formula) {
  return translate_normal(pool, NormalForm(pool).of(formula));
}

Result<Automaton> translate_negation(FormulaPool& pool, Formula formula) {
  return translate_normal(pool, NormalForm(pool).of_negation(formula));
}

}  // namespace ravel::ltl
