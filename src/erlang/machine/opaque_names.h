// Processes that are said to be interchangeable (MachineOptions::symmetric), and whether a program tells them
// apart otherwise than by equality.
//
// The idea (scalarsets: C. N. Ip and D. L. Dill, "Better verification through symmetry", 1996): what such a
// process is called decides nothing as long as its name is only compared for equality, sent, stored, sent to.
// Names that are put in an order, hashed, or made into text or bytes are used; a process whose name is used
// must be in no group. A group is known for a process from then on where it has what the group asks for, and
// a name may have been used before: so what was used is noted of all names, and for all executions.
//
// What is printed may hold names: nothing in the program gets to see it.
//
// Cost: without groups a comparison in the few built-ins that can show a name. With groups a walk over what
// they are given.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "erlang/machine/machine_part.h"
#include "erlang/machine/process.h"
#include "erlang/machine/process_pattern.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

// In which way names are used.
enum class NameUse : std::uint8_t { kOrder, kHash, kText, kBytes, kSize, kNumber };

class OpaqueNames final : public MachinePart {
 public:
  explicit OpaqueNames(Machine& its_machine) : MachinePart(its_machine) {}

  // A test begins: nothing was used. Before that, nothing is watched.
  void begin();
  bool are_watched() const { return names.uses.are_watched(); }

  // The group of a process: the first one that it fits, from 1; 0: none.
  std::uint32_t group_of(const Process& process) const;
  // The one of which a fun is that a process begins with (Attributes::fun_group).
  std::uint32_t group_of_fun(Term fun) const;
  // Refuses if a process that has changed now belongs to a group and its name was used before. Call after
  // each step.
  void look_at_members();

  // The running process uses the names in these terms. False: that is refused.
  bool may_use(Term term, NameUse use) { return !are_watched() || try_use({&term, 1}, use); }
  bool may_use(std::span<const Term> terms, NameUse use) { return !are_watched() || try_use(terms, use); }
  // It sees the order of the keys of a map, which hold names.
  bool may_list(Term map) { return !are_watched() || try_list(map); }
  // It goes by the order that names have, as Names::uses has noted.
  bool may_go_on() { return !names.uses.has_noted() || settle(NameUse::kOrder); }

  // Uses do not count while this is there: what they lead to shows nothing (abstractions).
  class Pause {
   public:
    explicit Pause(OpaqueNames& its_names) : names_(its_names), was_watched_(its_names.are_watched()) {
      names_.names.uses.watch(false);
    }
    ~Pause() { names_.names.uses.watch(was_watched_); }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    OpaqueNames& names_;
    const bool was_watched_;
  };

 private:
  struct OfName {
    std::uint32_t group = 0;  // which it has belonged to
    bool is_used = false;
    NameUse use = NameUse::kOrder;
  };
  OfName& of_name(Term pid);
  bool try_use(std::span<const Term> terms, NameUse use);
  bool try_list(Term map);
  bool settle(NameUse use);
  bool only_prints() const;
  void refuse(Term pid, const OfName& known, NameUse use, bool is_later);

  std::vector<OfName> of_names_;  // by pid name
};

}  // namespace ravel::erlang
