// The words for what a program is made of: terms, processes, functions, receives. They are those of Erlang or
// of Elixir: of the module in which something happens.
//
// Whoever tells something chooses the language first; it stays until the next one chooses.
#pragma once

#include <cstdint>
#include <string>

#include "erlang/machine/machine.h"
#include "erlang/system/program.h"
#include "erlang/system/source_places.h"

namespace ravel::erlang {

enum class Language : std::uint8_t { kErlang, kElixir };

class Texts {
 public:
  // `of_test`: in which the test is written. All must outlive this object.
  Texts(const Machine& machine, Program& program, const SourcePlaces& places, Language of_test)
      : machine_(machine), program_(program), places_(places), of_test_(of_test), language_(of_test) {}

  Language language() const { return language_; }
  Language language_of_test() const { return of_test_; }
  // Of the user's own code in which it is, else of the test.
  Language language_of(const Process& process) const;
  void choose(Language language) { language_ = language; }

  std::string text_of(Term term) const;
  std::string name_of(Term pid) const;                    // "P.1 (server)"
  std::string function_of(const Process& process) const;  // in which it is, the user's own if possible
  // A function for readers. Those that the compiler makes of funs (-start/0-fun-0-) are numbered, and the
  // numbers would change with edits of the program, so they are named after the function that holds them.
  std::string text_of_function(Term module, Term function, std::uint32_t arity) const;
  // Of {Module, Function, Arity}; empty if it is no such tuple.
  std::string text_of_call(Term call) const;
  // What a spawned fun is; nothing of what is no fun.
  std::string text_of_fun(Term fun) const;
  std::string text_of_spawned(Term module, Term function, Term arguments) const;
  // Which messages the receive can take in which the process is. REQUIRES: it is in one.
  std::string constraint_of(const Process& process) const;

 private:
  const Machine& machine_;
  Program& program_;
  const SourcePlaces& places_;
  const Language of_test_;
  Language language_;  // of the texts that are being made
};

// What proc_lib has noted in the dictionary of a process that it started: {Module, Function, Arity}, or none.
Term initial_call_of(const Machine& machine, const Process& process);

}  // namespace ravel::erlang
