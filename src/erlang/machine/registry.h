// Registered names.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "erlang/machine/machine_part.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

class Registry final : public MachinePart {
 public:
  explicit Registry(Machine& its_machine) : MachinePart(its_machine) {}

  Term whereis(Term name) const;  // pid, or none
  // The process with a name, or none, for the program: a name of one of OTP's own processes, which do not run
  // here, is refused. `decides`: what else the operation touches depends on it.
  Term named_process(Term name, bool decides = true);
  bool register_name(Term name, Term pid);
  bool unregister_name(Term name);
  // Name and pid, in the order of the names. The device has the names `user` and `standard_error`, unless
  // they stand here: with another process, or with `undefined` if nobody has that name.
  std::span<const std::pair<Term, Term>> entries() const { return entries_; }

  Term freeze(std::vector<Term>& scratch);
  void thaw(Term image);

 private:
  std::size_t place_of(Term name) const;  // where it is or belongs
  bool give_back_device_name(Term name);
  void note_naming(Term name, Term pid);
  void refuse_to_name_victim(Term name, Term pid);

  std::vector<std::pair<Term, Term>> entries_;
};

}  // namespace ravel::erlang
