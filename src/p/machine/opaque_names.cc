#include "p/machine/opaque_names.h"

#include "p/value/object.h"
#include "p/value/ordered_tree.h"

namespace ravel::p {

// Such a machine, or one that is below one and so has its name in its own; none: the value holds none.
std::optional<MachineNames::Index> OpaqueNames::found_in(Value value) const {
  if (value.is_machine()) {
    for (MachineNames::Index who = machines_.index_of(value); who != MachineNames::kRoot;
         who = machines_.names().parent(who))
      if (machines_.exists(who) && symmetric_.contains(machines_.live(who).machine)) return who;
    return std::nullopt;
  }
  if (!value.is_object() || is_raw(kind_of(value))) return std::nullopt;
  for (const Word word : raw_words(value))
    if (const auto found = found_in(Value(word))) return found;
  return std::nullopt;
}

std::optional<std::string> OpaqueNames::refuse(std::span<const Value> values, const char* use) const {
  for (const Value value : values) {
    const std::optional<MachineNames::Index> who = found_in(value);
    if (!who) continue;
    return "the machines of --symmetric " +
           std::string(code_.program->machine(machines_.live(*who).machine).name) +
           " are told apart: the name of one of them, " + machines_.names().text(*who) + ", is " + use +
           ", so they are not interchangeable; leave --symmetric out, or use their names only to "
           "send to them, to choose one, and to compare them by ==";
  }
  return std::nullopt;
}

std::optional<std::string> OpaqueNames::refuse_to_list(Value collection) const {
  if (is_seq(collection) || ordered::size(collection) < 2) return std::nullopt;
  return refuse(ordered::keys(collection),
                "seen in the order of a set or map (by foreach, keys, values or an index)");
}

std::optional<std::string> OpaqueNames::refuse_to_format(const LiveMachine& live,
                                                         std::span<const Value> values) const {
  const Opcode next = code_.instructions[live.pc + 1].op;
  if (next == Opcode::kPrint || next == Opcode::kFail) return std::nullopt;
  return refuse(values, "made into text");
}

std::optional<std::string> OpaqueNames::refuse_to_give(std::span<const Value> values) const {
  return refuse(values, "given to a foreign function");
}

}  // namespace ravel::p
