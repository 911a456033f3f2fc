// Runs processes: the registers, and what instructions need besides their own few lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "erlang/machine/builtin.h"
#include "erlang/machine/code.h"
#include "erlang/machine/instruction.h"
#include "erlang/machine/machine_part.h"
#include "erlang/machine/process.h"
#include "erlang/term/bit_syntax.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

// Scratch registers that hold module and function while apply/3 is resolved.
inline constexpr std::size_t kUnpackedModule = kProgramRegisters, kUnpackedFunction = kProgramRegisters + 1;

class Interpreter final : public MachinePart {
 public:
  explicit Interpreter(Machine& its_machine);

  // Where the handler of each instruction is, relative to the first.
  static std::vector<std::int32_t> find_handlers();

  // Runs a process until it rests again: from its operation, or only up to that; or, with Steps::kReceives,
  // from its beginning.
  enum class Grant : std::uint8_t { kOperation, kLocalOnly, kBeginning };
  void run(Process& process, Grant grant);
  // Which way the next choice takes, from 0.
  void set_choice(std::uint32_t choice) { choice_ = choice; }
  std::uint32_t choice() const { return choice_; }
  // The process that runs; null: none.
  Process* running() const { return running_; }
  // What the operation was given that is being executed.
  std::span<const Term> operands() const { return {x_.data(), operand_count_}; }

  // Make a new process call a function when it runs.
  void prepare_start(Process& process, Term module, Term function, std::span<const Term> arguments);
  void prepare_start_fun(Process& process, Term fun, std::span<const Term> arguments);

  void forget_last_run();  // what is left of it in registers
  void for_each_term(Roots::Visit visit, void* collector);

 private:
  // Without an interpreter: only fills in the handlers.
  static void execute(Interpreter* interpreter, Process* process, bool granted, std::int32_t* handlers);

  // Null: an exception is noted.
  const CodeWord* resolve_fun(Term fun, Term* x, std::size_t arity);
  const CodeWord* resolve_apply(Term module, Term function, std::uint32_t arity);
  // Spread the arguments of apply/3 (x0, x1, x2) and apply/2 over the x registers; false: exception noted,
  // and the registers are as they were. The fun ends up after its arguments.
  bool unpack_apply(Term* x);
  bool unpack_apply_fun(Term* x);
  Term run_operation(Process& process, const Builtin& builtin, const CodeWord* pc);
  bool run_send(Process& process, Term target, Term content, const CodeWord* pc);
  bool could_expire(const Process& process) const;
  void take_message(Process& process, const CodeWord* pc);
  void take_timeout(Process& process, const CodeWord* pc);
  void keep_slots(const Term* frame, const CodeWord* cp);
  void put_back_slots(Term* frame, const CodeWord* cp) const;
  const CodeWord* find_handler(Process& process);  // unwinds the stack; null: nobody catches
  void end_by_exception(Process& process);
  Term create_binary(const CodeWord* segments, std::size_t count, std::uint64_t append_unit);

  Process* running_ = nullptr;
  Call call_;
  std::vector<Term> x_;  // x registers
  std::vector<double> float_registers_;
  std::size_t operand_count_ = 0;
  std::size_t live_ = 0;  // x registers that hold terms, while a collection may happen
  std::uint32_t unpacked_arity_ = 0;
  std::vector<Term> kept_slots_;      // of the frame in which a receive began
  std::vector<Term> pairs_;           // of a map instruction
  std::vector<Term> segment_values_;  // of bs_create_bin: value, size, ...
  BitBuilder bits_;
  std::int64_t reductions_left_ = 0;
  std::uint32_t choice_ = 0;
};

}  // namespace ravel::erlang
