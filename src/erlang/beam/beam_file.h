// A compiled Erlang module, read from its .beam file and checked.
//
// The idea: everything that can be wrong with a file is found here, once, so that the machine's loader
// indexes without looking. Literals stay raw bytes of the external term format, since this component
// knows no terms. Operands are decoded into one flat vector, in file order, and an instruction is a
// range of it.
//
// Invariants of a BeamFile that read_beam() returned:
//  1. Every index fits its table: atoms (from 1), imports, lambdas, literals, line items, big integers,
//     allocation lists, string pool ranges, labels. Atom 1 is the module.
//  2. Every operand is of a kind that its opcode's signature allows (opcodes.def), and in its range.
//  3. A list is the last operand of its instruction: kList with the number of elements, then the elements,
//     none of which is a list. Their number is a multiple of what the signature repeats.
//  4. Every label that is used is defined, exactly once.
//  5. The code is a sequence of functions (see Function) and a final int_code_end. func_info occurs
//     only at a function's start, and names this module.
//  6. Exports, locals, lambdas and call, call_last, call_only lead to the entry of a function of the
//     arity they state; call_ext*, bif* and gc_bif* have the arity of their import.
//  7. Literals are external terms' bytes (131 first); what follows is not checked here.
//
// What is not checked: the use of registers and of the stack frame (that a y register lies inside the frame,
// that x registers hold something). OTP's loader trusts the compiler there, too.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "erlang/beam/md5.h"
#include "erlang/beam/opcode.h"

namespace ravel::erlang {

inline constexpr std::uint32_t kNoIndex = 0xffffffff;

// Limits of OTP's own machine.
inline constexpr std::uint32_t kRegistersMax = 1024;  // x, y and float registers are numbered from 0 to 1023
inline constexpr std::uint32_t kArityMax = 255;

enum class OperandKind : std::uint8_t {
  kNil,            // []
  kAtom,           // value: index into atoms, at least 1
  kInteger,        // value: the integer
  kBigInteger,     // value: index into big_integers; it does not fit 64 bits
  kLiteral,        // value: index for literal()
  kX,              // value: register number
  kY,              // value: register number, 0 is the top of the stack frame
  kFloatRegister,  // value: register number
  kLabel,          // value: label number, at least 1
  kNoLabel,        // a failure raises an exception instead of jumping
  kUnsigned,       // value: a number that is no term: an arity, an index, a size
  kAllocList,      // value: index into alloc_lists
  kList,           // value: number of operands that follow and belong to it
};

struct Operand {
  std::int64_t value = 0;
  OperandKind kind = OperandKind::kNil;

  friend bool operator==(const Operand&, const Operand&) = default;
};

struct Instruction {
  Opcode opcode = Opcode::kIntCodeEnd;
  std::uint32_t first_operand = 0;
  std::uint32_t operand_count = 0;  // with the elements of a list
};

struct BigInteger {
  bool negative = false;
  std::vector<std::uint8_t> magnitude;  // most significant byte first, which is not 0
};

// What a heap reservation is for.
struct AllocList {
  std::uint32_t words = 0;
  std::uint32_t floats = 0;
  std::uint32_t funs = 0;
};

struct Import {
  std::uint32_t module_atom = 0;
  std::uint32_t function_atom = 0;
  std::uint32_t arity = 0;
};

// A function by name: exported or local.
struct NamedEntry {
  std::uint32_t function_atom = 0;
  std::uint32_t arity = 0;
  std::uint32_t label = 0;
};

struct Lambda {
  std::uint32_t function_atom = 0;
  std::uint32_t arity = 0;  // of the function that implements it: the fun's own arity and free_count
  std::uint32_t label = 0;
  std::uint32_t index = 0;
  std::uint32_t free_count = 0;
  std::uint32_t old_uniq = 0;
};

// The code of a function:
//   label info_label       <- first_instruction
//   line N                 (optional)
//   func_info M F A
//   label entry_label      <- entry_instruction
//   ...                    up to, not including, end_instruction
struct Function {
  std::uint32_t function_atom = 0;
  std::uint32_t arity = 0;
  std::uint32_t info_label = 0;
  std::uint32_t entry_label = 0;
  std::uint32_t first_instruction = 0;
  std::uint32_t entry_instruction = 0;
  std::uint32_t end_instruction = 0;
};

struct LineItem {
  std::uint32_t file = 0;  // index into files
  std::uint32_t line = 0;  // 0: unknown
};

struct LineTable {
  std::vector<std::string> files;  // UTF-8; [0] is the module's own name with .erl
  std::vector<LineItem> items;     // [0] means no place
};

// A native record that the module defines.
struct NativeRecord {
  struct Field {
    std::uint32_t name_atom = 0;
    Operand standard;  // the value if none is given: a constant, or kUnsigned for none
  };
  std::uint32_t name_atom = 0;
  bool is_exported = false;
  std::vector<Field> fields;  // in their order in the source
};

// A literal as it is encoded, in BeamFile::literal_bytes.
struct EncodedLiteral {
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
};

struct BeamFile {
  std::vector<std::string> atoms;  // UTF-8; [0] stands for [] and is never referred to as an atom
  std::vector<Import> imports;
  std::vector<NamedEntry> exports;
  std::vector<NamedEntry> locals;
  std::vector<Lambda> lambdas;
  std::vector<std::uint8_t> strings;
  LineTable lines;

  std::vector<Instruction> instructions;
  std::vector<Operand> operands;
  std::vector<BigInteger> big_integers;
  std::vector<AllocList> alloc_lists;
  std::vector<Function> functions;                // in the order of the code
  std::vector<std::uint32_t> label_instructions;  // by label; kNoIndex where none is defined
  std::uint32_t opcode_max = 0;                   // the highest opcode, as the compiler states it

  std::vector<NativeRecord> records;

  std::vector<EncodedLiteral> literals;  // of literal_bytes; see literal()
  std::vector<std::uint8_t> literal_bytes;

  std::vector<std::uint8_t> attributes;    // an external term, or empty
  std::vector<std::uint8_t> compile_info;  // an external term, or empty; see compile_info.h
  std::uint32_t debug_info_size = 0;       // of the Dbgi chunk; read_beam_chunk() has its bytes

  // The digest that code:module_md5/1 tells; funs carry it as their unique value.
  Md5Digest md5 = {};

  const std::string& module_name() const { return atoms[1]; }

  // REQUIRES: index < literals.size().
  std::span<const std::uint8_t> literal(std::size_t index) const {
    return std::span(literal_bytes).subspan(literals[index].offset, literals[index].size);
  }
  std::span<const Operand> operands_of(const Instruction& instruction) const {
    return std::span(operands).subspan(instruction.first_operand, instruction.operand_count);
  }
  // The elements of the list that ends the operands of some instructions (select_val, put_tuple2, ...).
  // REQUIRES: the instruction ends in a list whose kList is operand `at`.
  std::span<const Operand> list_of(const Instruction& instruction, std::size_t at) const {
    return operands_of(instruction).subspan(at + 1);
  }
};

// Whether the attributes name the digest, as OTP's compiler has it there (`vsn`, unless the source sets
// another). Then the code is what the compiler wrote and its beam_validator has checked. False is no fault.
bool is_as_compiled(const BeamFile& beam);

// Reads a file that is in memory, compressed by gzip or not. Messages begin with the given name.
Result<BeamFile> read_beam(std::span<const std::uint8_t> bytes, std::string_view name_for_messages);

// Reads a file; messages begin with its path.
Result<BeamFile> read_beam_file(const std::string& path);

// The bytes of one chunk ("Dbgi", "Docs", ...), or an empty vector if the file has none by that name.
Result<std::vector<std::uint8_t>> read_beam_chunk(std::span<const std::uint8_t> bytes, std::string_view chunk,
                                                  std::string_view name_for_messages);

}  // namespace ravel::erlang
