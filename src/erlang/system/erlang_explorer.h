// A delaying explorer of the user's that is a module in Erlang, a behaviour of lib/ravel_explorer.erl. The
// machine of the program that is explored calls its callbacks, as functions that only compute
// (machine/pure_calls.h), between two steps.
//
// The explorer's state is a term. A search keeps the number that the term has here.
//
// Cost: what is young is stored before each call, and a call (pure_calls.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "erlang/term/heap.h"
#include "erlang/term/term.h"
#include "explorers/delaying_explorer.h"

namespace ravel::erlang {

class ErlangSystem;

// Stored terms, each once, by number.
class NumberedTerms {
 public:
  std::uint32_t number_of(Term stored) {
    const auto [known, is_new] =
        numbers_.try_emplace(stored.bits(), static_cast<std::uint32_t>(terms_.size()));
    if (is_new) terms_.push_back(stored);
    return known->second;
  }
  Term term_of(std::uint32_t number) const { return terms_[number]; }
  void for_each_root(Roots::Visit visit, void* collector) { visit(collector, terms_.data(), terms_.size()); }

 private:
  std::vector<Term> terms_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;  // by Term::bits(): stored terms do not move
};

class ErlangExplorer final : public DelayingExplorer {
 public:
  // The System has opened the module, and must outlive this object.
  ErlangExplorer(ErlangSystem& system, std::string name, std::uint64_t checksum)
      : system_(system), name_(std::move(name)), checksum_(checksum) {}

  std::string name() const override { return name_; }
  std::uint64_t checksum() const override { return checksum_; }
  void note_enabled(ExplorerState& state, ActorId actor, std::optional<ActorId> by,
                    const ActorNames& names) const override;
  void note_blocked(ExplorerState& state, ActorId actor) const override;
  void note_message(ExplorerState& state, const ExplorerMessage& message) const override;
  ActorId next(const ExplorerState& state, std::span<const ActorId> enabled) const override;
  void delay(ExplorerState& state, std::span<const ActorId> enabled) const override;

 private:
  ErlangSystem& system_;
  const std::string name_;
  const std::uint64_t checksum_;
};

}  // namespace ravel::erlang
