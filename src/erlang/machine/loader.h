// Turns a checked module file into code of the machine.
//
// One pass over the instructions: each becomes one of the machine's own, specialised by the kinds of its
// operands; frequent pairs become one. Jumps are relative, so code can be built first and placed afterwards.
// A function that is a built-in gets a body that calls it. Imports resolve to exports (module.h), whose
// address may change when their module is loaded later.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "erlang/beam/beam_file.h"
#include "erlang/machine/code.h"
#include "erlang/machine/instruction.h"
#include "erlang/machine/module.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

// The name under which the machine finds the on_load function of a module; no program can have it.
inline constexpr std::string_view kOnLoadEntry = "$on_load";

struct InstructionRow;
class Machine;
struct Part;

class Loader {
 public:
  // A file that is found where modules are installed, or one that the program made: only in the former
  // built-ins and redirects take the place of functions.
  enum class Origin : std::uint8_t { kInstalled, kGiven };
  Loader(Machine& machine, const BeamFile& file, Origin origin = Origin::kInstalled)
      : machine_(machine), file_(file), origin_(origin) {}

  // Adds the module to the machine, without making its functions known. Nothing is changed if it fails.
  Result<const Module*> load(std::string path);

 private:
  using Operands = std::span<const Operand>;
  Status decode_literals();
  void make_lambdas();
  void make_records();
  void translate();
  // Translates instruction `i`; returns how many were taken (more than one for a fused pair).
  std::size_t translate_instruction(std::size_t i);
  void translate_row(const InstructionRow& row, Operands operands);
  void add_part(const Part& part, Operands operands);
  void halves(std::int64_t low, std::int64_t high);
  const Instruction* instruction_after(std::size_t i) const;
  void note_line(Operands operands);
  std::size_t translate_move(std::size_t i);
  std::size_t translate_deallocate(std::size_t i);
  std::size_t translate_call_fun(std::size_t i);
  std::size_t translate_get_tuple_element(std::size_t i);
  bool fuse_with_get_list(std::size_t i);
  bool fuse_with_test_arity(std::size_t i);
  void translate_nil_to(const Operand& to);
  void translate_init_yregs(std::size_t i);
  void translate_comparison(Opcode opcode, Operands operands);
  void translate_select(Operands operands);
  void translate_select_arity(Operands operands);
  void translate_call_ext(Opcode opcode, Operands operands);
  void translate_bif(Operands operands, std::size_t sources, bool has_fail, bool has_live);
  void translate_arithmetic(const Builtin& builtin, const Operand& fail, std::uint16_t to,
                            const Operand& left, const Operand& right, bool& done);
  void translate_get_list(Operands operands);
  void translate_put_list(Operands operands);
  void translate_put_tuple(Operands operands);
  void translate_update_record(Operands operands);
  void translate_put_map(Opcode opcode, Operands operands);
  void translate_map_fields(Opcode opcode, Operands operands);
  void translate_make_fun(Opcode opcode, Operands operands);
  void translate_float_move(Operands operands);
  void translate_create_binary(Operands operands);
  void translate_match_commands(Operands operands);
  void translate_native_record(Opcode opcode, Operands operands);
  void translate_match_string(Operands operands);
  void translate_put_string(Operands operands);
  void place();
  void mark_execution(std::uint32_t base);

  // Operands.
  Term constant(const Operand& operand);
  std::uint64_t source(const Operand& operand);                              // a word: constant or register
  std::uint16_t reg(const Operand& operand);                                 // with kYBit; REQUIRES kX or kY
  std::uint16_t in_register(const Operand& operand, std::uint16_t scratch);  // constants move to scratch
  // Everything but x moves to scratch
  std::uint16_t in_x(const Operand& operand, std::uint16_t scratch);
  Term atom(std::uint32_t index) const { return atoms_[index]; }
  std::uint16_t bit_flags(const Operand& operand);
  std::uint64_t heap_words(const Operand& operand) const;

  // Emission.
  void begin(Op op, std::uint64_t a = 0, std::uint64_t b = 0);
  void word(std::uint64_t bits) { out_.push_back({.bits = bits}); }
  void pointer(const void* p) { out_.push_back({.pointer = p}); }
  void jump_word(const Operand& label);  // relative to the instruction begun last; 0 if none
  void jump_word(std::uint32_t label);
  void jump_half(std::size_t word_index, int half, std::uint32_t label);

  struct Fixup {
    std::uint32_t word;         // to be patched
    std::uint32_t instruction;  // start of the instruction
    std::uint32_t label;
    enum class How : std::uint8_t { kLow, kHigh, kCatch } how;
  };

  Machine& machine_;
  const BeamFile& file_;
  const Origin origin_;
  std::vector<Term> atoms_;
  std::vector<Term> literals_;
  std::vector<Export*> imports_;
  std::vector<std::uint32_t> lambdas_;  // fun entries
  std::vector<CodeWord> out_;
  std::uint32_t start_ = 0;            // of the instruction begun last
  std::vector<std::uint32_t> starts_;  // of all; only if execution is marked, as is the next
  // Where the code for an instruction of the file begins
  std::vector<std::pair<std::uint32_t, Opcode>> opcode_starts_;
  std::vector<std::uint32_t> labels_;  // where each is, in out_
  std::vector<Fixup> fixups_;
  std::unique_ptr<Module> module_;
  Term function_;                         // being translated
  std::optional<std::uint32_t> on_load_;  // where the on_load function begins in out_
  std::uint32_t arity_ = 0;
};

}  // namespace ravel::erlang
