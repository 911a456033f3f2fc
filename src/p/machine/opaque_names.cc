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

#include <string>

#include "p/machine/world.h"
#include "p/value/object.h"
#include "p/value/ordered_tree.h"

namespace ravel::p {

// Such a machine, or one that is below one and so has its name in its own; none: the value holds none.
std::optional<std::uint32_t> World::symmetric_in(Value value) const {
  if (value.is_machine()) {
    for (MachineNames::Index who = names_.index_of(value.machine_number()); who != MachineNames::kRoot;
         who = names_.parent(who))
      if (actors_[who].exists && symmetric_.contains(actors_[who].live.machine)) return who;
    return std::nullopt;
  }
  if (!value.is_object() || is_raw(kind_of(value))) return std::nullopt;
  for (const Word word : raw_words(value))
    if (const auto found = symmetric_in(Value(word))) return found;
  return std::nullopt;
}

// False: that is refused.
bool World::may_use_names(LiveMachine& live, std::span<const Value> values, const char* use) {
  for (const Value value : values) {
    const std::optional<std::uint32_t> who = symmetric_in(value);
    if (!who) continue;
    refuse(live, "the machines of --symmetric " +
                     std::string(program_.machine(actors_[*who].live.machine).name) +
                     " are told apart: the name of one of them, " + names_.text(*who) + ", is " + use +
                     ", so they are not interchangeable; leave --symmetric out, or use their names only to "
                     "send to them, to choose one, and to compare them by ==");
    return false;
  }
  return true;
}

// Somebody sees in which order the elements of a set or the keys of a map lie.
bool World::may_list(LiveMachine& live, Value collection) {
  if (is_seq(collection) || ordered::size(collection) < 2) return true;
  return may_use_names(live, ordered::keys(collection),
                       "seen in the order of a set or map (by foreach, keys, values or an index)");
}

bool World::may_format(LiveMachine& live, std::span<const Value> values) {
  const Opcode next = code_.instructions[live.pc + 1].op;
  if (next == Opcode::kPrint || next == Opcode::kFail) return true;
  return may_use_names(live, values, "made into text");
}

}  // namespace ravel::p
