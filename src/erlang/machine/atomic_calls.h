// Steps of many operations: those during a call of an atomic module, or, with Steps::kReceives, all up to the
// next receive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "erlang/machine/code.h"
#include "erlang/machine/machine_part.h"
#include "erlang/machine/process.h"

namespace ravel::erlang {

class AtomicCalls final : public MachinePart {
 public:
  explicit AtomicCalls(Machine& its_machine);

  bool is_atomic(Term module) const;
  // The code of an atomic module that was loaded: from, to.
  void add_code(std::uint32_t begin, std::uint32_t end) { code_.emplace_back(begin, end); }
  std::size_t code_count() const { return code_.size(); }
  void forget_code_from(std::size_t count) { code_.resize(count); }

  // Before a step that executes an operation (true), or none.
  void begin_step(const Process& process, bool executes);
  // The step began in a call of an atomic module, which has not ended; or goes on to the next receive.
  bool is_in_step() const { return is_in_step_; }
  // Whether the code at `pc` (null: only its callers), which returns to `cp`, runs in such a call.
  bool is_in_call(const Process& process, const CodeWord* pc, const CodeWord* cp) const;
  // Whether the operation at `pc` belongs to the step; if so, it is noted as a further one.
  bool continues_step(const Process& process, const CodeWord* pc, const CodeWord* cp);
  // A function of an atomic module is called from outside, or by its full name.
  void enter(const Process& process, const CodeWord* cp);

 private:
  std::vector<Term> modules_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> code_;
  bool is_in_step_ = false;
};

}  // namespace ravel::erlang
