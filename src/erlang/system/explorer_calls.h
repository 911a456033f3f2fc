// The callbacks of a delaying explorer that is a module in Erlang (erlang_explorer.h), as calls on the
// machine of the program that is explored; and what the program tells an explorer.
//
// What fails in a callback ends the search with the next step: until then, the explorer's state stays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "engine/transition.h"
#include "erlang/machine/machine.h"
#include "erlang/system/actor_table.h"
#include "erlang/system/erlang_explorer.h"
#include "erlang/system/property_verdicts.h"
#include "erlang/system/store_collection.h"
#include "erlang/system/texts.h"
#include "explorers/explorer_messages.h"

namespace ravel::erlang {

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

class ExplorerCalls final : public TermKeeper {
 public:
  // `explorer`: its module or file, or empty. All must outlive this object.
  struct Parts {
    Machine& machine;
    ActorTable& actors;
    const Texts& texts;
    PropertyVerdicts& verdicts;
    StoreCollection& collection;
    const std::string& explorer;
    bool listens;  // whether anybody takes what ravel:explorer/1 tells
  };
  explicit ExplorerCalls(const Parts& parts)
      : machine_(parts.machine),
        actors_(parts.actors),
        texts_(parts.texts),
        verdicts_(parts.verdicts),
        collection_(parts.collection),
        explorer_(parts.explorer),
        listens_(parts.listens) {}

  // An error: there is no such explorer.
  Status open();
  // What is told before the first step belongs to each execution.
  void note_start();
  void go_back_to_start();

  // That of the module. This object must outlive it.
  std::unique_ptr<DelayingExplorer> make_explorer() {
    return std::make_unique<ErlangExplorer>(*this, explorer_, checksum_);
  }
  // How it has failed.
  const std::optional<Refusal>& refusal() const { return refusal_; }
  bool takes_messages() const { return takes_messages_; }

  // What the program has told since it was taken last.
  std::vector<ExplorerMessage> take_messages();

  // For the arguments of its callbacks: young terms, as long as nothing is called.
  Term explored_actor(ActorId actor);
  Term explored_actors(std::span<const ActorId> actors);
  Term heard(std::size_t message) const { return heard_[message]; }  // of those that were taken last
  // What a callback makes of a state; both by number. If it fails, the state stays.
  std::uint32_t tell(const char* callback, std::uint32_t state,
                     const std::function<void(std::vector<Term>&)>& add_arguments);
  // The place of the actor that it names, from 1; 0: it names none of these.
  std::size_t ask(std::uint32_t state, std::span<const ActorId> actors);

  void for_each(Visit visit, void* collector) override;

 private:
  Term call(const char* function, const std::string& callback, std::span<const Term> arguments);

  Machine& machine_;
  ActorTable& actors_;
  const Texts& texts_;
  PropertyVerdicts& verdicts_;
  StoreCollection& collection_;
  const std::string& explorer_;
  const bool listens_;
  Term module_ = Term::none();
  bool takes_messages_ = false;
  std::uint64_t checksum_ = 0;
  NumberedTerms states_;
  std::optional<Refusal> refusal_;
  std::vector<Term> heard_;  // what was taken last
  // What was told before the first step
  std::vector<Term> initial_tellers_, initially_told_;
};

}  // namespace ravel::erlang
