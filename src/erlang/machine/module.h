// A loaded module: what its code belongs to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "erlang/machine/builtin.h"
#include "erlang/machine/code.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

// A function name as callers know it. `address` always leads somewhere: to the function, to a
// built-in, or to an instruction that loads the module first.
struct Export {
  Term module, function;
  std::uint32_t arity = 0;
  const CodeWord* address = nullptr;
  // Where a call of a watched module goes on in the state as it is; null: nowhere
  const CodeWord* target = nullptr;
  const Builtin* builtin = nullptr;
  const CodeWord* own_body = nullptr;  // of the built-in; null: it is none
  bool is_watched = false;             // calls are noticed at `address` (run_time_code.cc)
  bool is_defined = false;             // by a loaded module
  CodeWord stub[2];                    // the instruction for what is not loaded
};

struct LoadedFunction {
  std::uint32_t start;  // code index of its func_info
  Term name;
  std::uint32_t arity;
};

struct LineMark {
  std::uint32_t start;  // code index from which it holds
  std::uint32_t line;   // 0: none
  std::uint32_t file;   // index in `files`
};

// A native record that a module defines.
struct RecordDefinition {
  Term name;
  Term definition;             // as native_record.h has it
  std::vector<Term> defaults;  // in the order of the fields; none for one without
};

struct Module {
  Term name;
  std::uint32_t version = 0;  // place among all modules that were loaded, from 1
  std::string path;           // of the .beam file
  std::uint8_t md5[16] = {};
  std::uint32_t begin = 0, end = 0;                     // code indices
  std::vector<LoadedFunction> functions;                // by start
  std::vector<LineMark> lines;                          // by start
  std::vector<std::string> files;                       // 0: the module's own source
  std::vector<Term> file_terms;                         // {file, Name} of each, stored
  std::vector<std::pair<Term, std::uint32_t>> exports;  // name, arity
  std::vector<RecordDefinition> records;                // with stored terms
  std::vector<std::uint8_t> attributes, compile_info;   // external term format
  // Entries of `exports`: index of the export, code index
  std::vector<std::pair<std::uint32_t, std::uint32_t>> entries;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> funs;  // entry of Names, code index
  Term on_load_entry = Term::none();                          // name of the function
  bool has_on_load = false;  // a function that runs when it is loaded and does not only load native code:
                             // exported as kOnLoadEntry
};

// A place in code as users know it.
struct CodePlace {
  const Module* module = nullptr;  // null: machine-made code
  Term function;
  std::uint32_t arity = 0;
  std::string_view file;  // as the compiler was given it; empty: unknown
  Term file_term;         // {file, Name}; set if there is a line
  std::uint32_t line = 0;
};

}  // namespace ravel::erlang
