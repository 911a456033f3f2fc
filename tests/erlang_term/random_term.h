// Random terms for tests: all types but pids, references, ports and funs, with a taste for the edges
// (integers at the limits of small ones and of floats, both zeros, unaligned bit strings, maps around 32
// keys), and their Erlang text, so that the installed erl can read them.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "erlang/term/heap.h"
#include "erlang/term/names.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

class RandomTerms {
 public:
  RandomTerms(Heap& heap, Names& names, std::uint64_t seed) : heap_(heap), names_(names), generator_(seed) {}

  std::uint64_t below(std::uint64_t bound) { return generator_() % bound; }

  Term any(int depth);
  Term integer();
  Term floating();
  Term number() { return below(2) == 0 ? integer() : floating(); }
  Term atom();
  Term bitstring();
  Term map(std::size_t pairs, int depth);
  // A term that is equal or nearly so: some part may be changed, integers may become floats.
  Term variation(Term t);

 private:
  Heap& heap_;
  Names& names_;
  std::mt19937_64 generator_;
};

// Text that erl reads as the same term.
std::string erlang_text(const Names& names, Term t);

// A copy of `t` that shares nothing with it.
Term deep_copy(Heap& heap, Term t);

}  // namespace ravel::erlang
