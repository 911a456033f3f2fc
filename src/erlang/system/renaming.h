// A part of a state as it would be if some processes had other names.
//
// The idea: stored terms in which no name lies are passed over, and what was made anew under the same names
// before is looked up. What lies in the order of names is put in order again, so that the result is what the
// machine itself would have saved.
//
// Cost: what holds names is stored anew, mostly.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "erlang/machine/machine.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

class Renaming {
 public:
  explicit Renaming(Machine& machine) : machine_(machine) {}

  // From now on these processes, and all below them, have the names of the others: each pid occurs once on
  // either side, with the same parent. The nursery belongs to this until end().
  void begin(std::span<const std::pair<Term, Term>> names);
  void end() { machine_.heap.reset(); }
  // The store was collected.
  void forget_terms() { known_.clear(); }

  // REQUIRES for these: begin(), and stored terms.
  Term pid(Term pid);
  Term image(Term image);
  Term note(Term note);
  Term shared(Term image);
  Term tables(Term image);
  Term term(Term t);
  // Whether something was so deep that it was left as it is: then nothing is right.
  bool has_failed() const { return has_failed_; }

 private:
  struct Known {
    Term from = Term::none();
    std::uint32_t renaming = 0;
    Term to = Term::none();
  };
  static constexpr std::size_t kKnown = 1 << 14;
  static constexpr int kDepthMax = 2'000;

  Term reference(Term reference);
  Term object(Term t);
  Term list(Term t);
  Term frames(Term t);
  Term map(Term t);
  Term hash_map(Term t);
  Term table(Term image);
  Term channels(Term image);
  Term tuple_of_things(Term tuple, std::size_t each);
  bool is_before(std::span<const Term> a, std::span<const Term> b) const;
  Known* find_known(Term t);
  Term store_tuple(std::span<const Term> words) { return machine_.store.intern_object(Kind::kTuple, words); }

  Machine& machine_;
  std::map<std::vector<std::pair<Word, Word>>, std::uint32_t> renamings_;
  std::uint32_t renaming_ = 0;
  std::vector<std::pair<Term, Term>> names_;
  std::vector<Term> renamed_;  // by pid name, of this renaming; none: not known yet
  std::vector<Known> known_;
  int depth_ = 0;
  bool has_failed_ = false;
};

}  // namespace ravel::erlang
