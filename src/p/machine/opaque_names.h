// Whether a program tells machines apart that are said to be interchangeable, otherwise than by equality.
//
// The idea (scalarsets: C. N. Ip and D. L. Dill, "Better verification through symmetry", 1996): what such a
// machine is called decides nothing as long as its name is only compared for equality, sent, stored, sent to.
// Who sees the order of a set or map with such names, makes text of one, or gives it to a foreign function,
// may tell them apart, and that is refused. `choose` is fine: which place an element has makes no difference
// where all of them are tried. What is printed, or said when an assertion does not hold, nobody in the
// program gets to see.
//
// Cost: without such machines a comparison in the few instructions that can show a name.

#pragma once

#include <optional>
#include <span>
#include <string>

#include "p/machine/machines.h"

namespace ravel::p {

class OpaqueNames {
 public:
  // `symmetric`: machines of these types are interchangeable. The references must outlive this object.
  OpaqueNames(const Code& code, const Machines& machines, IdSet<MachineId> symmetric)
      : code_(code), machines_(machines), symmetric_(std::move(symmetric)) {}

  // Whether there is anything to watch.
  bool are_watched() const { return !symmetric_.is_empty(); }
  const IdSet<MachineId>& symmetric() const { return symmetric_; }

  // Why it is refused; nothing: it is fine. Somebody is to see in which order the elements of a set or the
  // keys of a map lie; ...
  std::optional<std::string> refuse_to_list(Value collection) const;
  // ... the machine is to make text of these values by the instruction that it is at; ...
  std::optional<std::string> refuse_to_format(const LiveMachine& live, std::span<const Value> values) const;
  // ... a foreign function is to get these values.
  std::optional<std::string> refuse_to_give(std::span<const Value> values) const;

 private:
  std::optional<MachineNames::Index> found_in(Value value) const;
  std::optional<std::string> refuse(std::span<const Value> values, const char* use) const;

  const Code& code_;
  const Machines& machines_;
  const IdSet<MachineId> symmetric_;
};

}  // namespace ravel::p
