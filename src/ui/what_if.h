// Executions that a person tries from one that was told: each departs from another one at a step, so they
// form a small tree. Nothing is searched here; each is run once, and kept.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "check/subject.h"
#include "engine/named_step.h"
#include "races/observation.h"

namespace ravel {

// More are refused: each is kept as a whole.
inline constexpr std::size_t kBranchesMax = 200;

struct Branch {
  std::optional<std::size_t> parent = {};  // none: the execution with which everything began
  std::size_t common = 0;                  // how many first steps are those of the parent
  std::string change = {};                 // what was asked for: "P.2 moves instead"
  std::unique_ptr<Observation> observation = {};
  std::string told = {};  // what `tell` has made of it
};

class WhatIf {
 public:
  // Called of each execution when it has ended, while its System still is where it has ended.
  using Tell = std::function<std::string(const Observation&)>;

  // `first` is of this subject, finished, and the last one that its System has run; `told` is what was made
  // of it. The subject must outlive this.
  WhatIf(const Subject& subject, std::unique_ptr<Observation> first, std::string told, Tell tell);

  const std::vector<Branch>& branches() const { return branches_; }

  // Each of these runs an execution, and returns the number of its branch. The error is a sentence. REQUIRES:
  // branch < branches().size(). Steps are positions, from 0.

  // As the branch up to before the step, then this one in its place, then without preemptions. `step` may be
  // the number of all steps.
  Result<std::size_t> choose(std::size_t branch, std::size_t step, const NamedStep& instead);
  // Without the step and all that follows from it: what is left happens in its order, then others go on, and
  // the step's actor moves again when nobody else can.
  Result<std::size_t> roll_back(std::size_t branch, std::size_t step);
  // The race of two steps, named in any order, is decided the other way: one of them, a receive, takes the
  // message that the other one sends, or the later one comes first. That is the race variant (G. Vidal,
  // "Computing Race Variants in Message-Passing Concurrent Programming with Selective Receives", 2022,
  // definition 9).
  Result<std::size_t> vary(std::size_t branch, std::size_t one, std::size_t other);
  // An execution that was found by other means.
  Result<std::size_t> add(std::size_t branch, std::span<const NamedStep> steps, std::string change);

  // The first `count` steps.
  std::vector<NamedStep> steps(std::size_t branch, std::size_t count) const;
  // The branch as a file that `ravel replay` runs again: a ticket of its bug, or, if it has none, a trace.
  std::string saved_text(std::size_t branch) const;

 private:
  Status check_room() const;
  const Observation& at(std::size_t branch) const { return *branches_[branch].observation; }
  std::string actor_of(std::size_t branch, std::size_t step) const;
  Result<std::size_t> keep(std::size_t parent, std::string change, std::unique_ptr<Observation> observation);

  const Subject& subject_;
  const Tell tell_;
  std::vector<Branch> branches_;
};

}  // namespace ravel
