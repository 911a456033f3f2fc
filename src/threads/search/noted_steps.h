// Steps that were noted when fewer accesses to memory were operations, taken where more are.
//
// An access that was none of the operations then happened together with the operation before it, so its
// thread takes it directly after that.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "threads/protocol/messages.h"
#include "threads/search/searched_program.h"

namespace ravel::threads {

class NotedSteps {
 public:
  // `tracked`: what was tracked when they were noted, as in Configuration. References to both are kept.
  NotedSteps(SearchedProgram& program, const std::vector<std::uint64_t>& tracked);

  // Begins an execution.
  void begin();
  // False: it can't be taken here.
  bool take(const Transition& noted);
  bool take(const NamedStep& noted);
  // All steps since the beginning.
  std::vector<Transition>& taken() { return taken_; }

 private:
  void step(const Transition& transition);
  bool is_unnoted(ActorId actor) const;
  void take_unnoted();

  SearchedProgram& program_;
  System& system_;
  const std::vector<std::uint64_t>& tracked_;
  std::vector<Transition> taken_;
};

// The steps with which every execution begins. `missing`: the number of the first step, from 1, that cannot
// be taken. `tracked`: what was tracked when the steps were noted. Leaves the System in some state.
struct FoundPrefix {
  std::vector<Transition> transitions;
  std::optional<std::uint64_t> missing;
};
FoundPrefix find_prefix(SearchedProgram& program, std::span<const NamedStep> prefix,
                        const std::vector<std::uint64_t>& tracked);

}  // namespace ravel::threads
