// Copies of the program's process, which search parts of a test (search/searched_program.h).
//
// All memory is a copy by itself. What processes would still have in common is separated: the output, places
// in files that are open from the start, and the folder of files that the program has changed. What
// executions of a copy have shown is told to the process that has the search, since each notes it for itself.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "threads/protocol/search_parts.h"
#include "threads/runtime/discoveries.h"
#include "threads/search/searched_program.h"

namespace ravel::threads {

class CopiesOfProcess final : public ProgramCopies {
 public:
  std::string why_none() const override;
  Result<ChildProcess::Forked> make() override;
  void begin_part() override;
  void begin_alone() override { known_.emplace(); }
  std::string news() override;
  bool learn(const std::string& news) override;
  void tidy() override;

 private:
  // What was known when this copy was made; nothing, where all is news.
  struct Known {
    Discoveries discoveries;
    LoopUses loops;
  };

  std::optional<Known> known_;
  std::uint64_t made_ = 0;
};

}  // namespace ravel::threads
