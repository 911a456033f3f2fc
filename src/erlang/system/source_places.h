// Where in the source of a program something is: places in code, and what stands there.
//
// A library's place says little to the user, so the best one of a stack is the innermost of the user's own
// code. The compiler writes no line for a receive; it is found in the source (receive_line.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "engine/system.h"
#include "erlang/machine/machine.h"
#include "erlang/system/program.h"
#include "erlang/system/receive_place.h"

namespace ravel::erlang {

class SourcePlaces {
 public:
  // Both must outlive this object.
  SourcePlaces(const Machine& machine, Program& program) : machine_(machine), program_(program) {}

  bool is_own(const CodeWord* place) const;  // of one of the user's modules
  // The first place of the user's own code among these, else the first of all; null: there are none.
  const CodeWord* best_place(std::span<const CodeWord* const> places) const;

  // Fills in the file, the line and its text, and whether it is aside, of where a process is.
  void describe_where(const Process& process, EventDescription& description) const;
  enum class Place : std::uint8_t { kReceive, kOther };  // the line of a receive is not in the code
  // The file, the line and its text; nothing where there is no line.
  void describe_where(const CodeWord* place, EventDescription& description, Place what) const;
  // The text of a line without its indentation.
  std::string line_text(const std::string& file, std::uint32_t line) const;

  // Of a receive that was found there in the code. If it is not in the source, the line of some call before
  // it.
  ReceivePlace receive_place(const CodeWord* receive, const CodePlace& found, const std::string& file) const;

 private:
  const Machine& machine_;
  Program& program_;  // reads the sources
};

}  // namespace ravel::erlang
