// What program counters and addresses of a program are called in its source: functions, lines, global
// variables.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/exploration.h"
#include "threads/protocol/messages.h"

namespace ravel::threads {

struct SourcePlace {
  std::string function;  // empty: not known
  std::string file;      // empty: not known
  std::uint32_t line = 0;
};

// Whether a file is of the system's or the compiler's headers, or of their sources.
bool is_system_file(const std::string& file);

class Symbols {
 public:
  explicit Symbols(const std::vector<Module>& modules);
  ~Symbols();
  Symbols(const Symbols&) = delete;
  Symbols& operator=(const Symbols&) = delete;

  SourcePlace place_of(std::uint64_t pc) const;
  // The innermost place of a stack that is in code of the user, not of the compiler's or the system's
  // headers.
  SourcePlace user_place(std::span<const std::uint64_t> stack) const;
  // All such places, innermost first, those of functions that were compiled in place among them.
  std::vector<SourcePlace> user_places(std::span<const std::uint64_t> stack) const;
  // "balance", "accounts+16"; nothing if no symbol is there.
  std::optional<std::string> global_at(std::uint64_t address) const;
  // "main::total", "pay::accounts+16"; nothing if the call has no variable there, or that is not told.
  std::optional<std::string> local_at(const StackPlace& place, std::uint64_t address) const;
  // The global variables that are longer than a word, by address.
  std::vector<Extent> arrays() const;
  // The functions that the user has written, without those of the compiler's and the system's headers, by
  // address.
  std::vector<Extent> own_code() const;
  // Where code with debugging information locks memory by instructions of its own (locking_instructions.h),
  // each place once.
  std::vector<SourcePlace> locking_places() const;
  // The words of the global variables of this name, or the one word of NAME+OFFSET.
  std::vector<std::uint64_t> words_of(const std::string& name) const;
  // Where a source is that places name so: one whose name counts from where the compiler has run is looked
  // for there if it is not here.
  std::string path_of(const std::string& file) const;
  // The text of a line, without indentation; empty if the file can't be read.
  std::string source_line(const std::string& file, std::uint32_t line) const;

 private:
  struct State;
  const std::vector<SourcePlace>& places_of(std::uint64_t pc) const;

  std::unique_ptr<State> state_;
};

// A word of a block, or all of it.
NamedVariable block_variable(const Symbols& symbols, const HeapVariable& block,
                             std::optional<std::uint64_t> offset);

// The symbols of a program: finding places takes long, and several processes run one program.
class SymbolsCache {
 public:
  // The same object for the same modules as before.
  std::shared_ptr<const Symbols> of(const std::vector<Module>& modules);

 private:
  std::vector<Module> modules_;
  std::shared_ptr<const Symbols> symbols_;
};

}  // namespace ravel::threads
