// The states of an ErlangSystem that were met, each once and with a number.
//
// The idea: a saved state (machine/freezer.cc) is a short sequence of stored terms. Of each process the table
// has the three parts of its image, so that two states share what two versions of a process have in common:
// its stack, its mailbox, its attributes. These parts are roots of the store. For the machine, images are
// numbered here as well, by their parts.
//
// Parts differ in how many versions they have, which decides their order (states/variety_order.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/step_memory.h"
#include "engine/system.h"
#include "erlang/machine/machine.h"
#include "erlang/machine/process_image.h"
#include "erlang/system/known_steps.h"
#include "erlang/system/state_at_hand.h"
#include "erlang/system/visited_states.h"
#include "states/keyed_numbers.h"
#include "states/state_table.h"
#include "states/variety_order.h"

namespace ravel::erlang {

class StateNumbers final : public VisitedStates, public ImageTable {
 public:
  explicit StateNumbers(const Store& store) : store_(store) {}

  Term image_of(const ImageParts& parts) override;
  ImageParts parts_of(Term image) const override;
  Term with_note(const NotedImage& noted) override;
  NotedImage without_note(Term image) const override;

  std::optional<MetState> number(std::span<const Term> words, std::span<const Term> key) override;
  void words_of(StateNumber state, std::vector<Term>& words) override;
  bool keeps(StateNumber) const override { return true; }
  void leave(StateNumber) override {}

  void remember_steps(Machine& machine) override;
  bool remembers_steps() const override { return known_ && !known_->has_given_up(); }
  std::optional<StepMemory::Known> repeat(StateNumber from, std::uint32_t index) override;

  std::uint64_t bytes() const override;
  std::optional<HashedStates> told() const override { return std::nullopt; }
  void for_each_root(Roots::Visit visit, void* collector) override;

 private:
  using Node = StateTable::Node;
  using Entry = std::uint32_t;  // of the table (states/keyed_numbers.h)

  Node node_of(Term word) { return table_.node_of_word(word.bits()); }
  StateTable::Insertion insert(std::span<const Term> words);
  StateTable::Insertion insert(std::span<const Term> words, std::span<const Node> parts);
  std::optional<MetState> number_by_key(std::span<const Term> words, std::span<const Term> key);
  void recall(Entry entry);
  void begin_frame(std::span<const Term> words);
  void place_parts();
  Node& node_of_part(std::size_t part) { return nodes_[1 + place_of_part_[part]]; }
  void change_part(std::size_t part, Node node) {
    if (at_hand_.change_part(part, node)) node_of_part(part) = node;
  }
  void reorder();

  const Store& store_;
  StateTable table_;
  KeyedNumbers numbers_;
  StateAtHand at_hand_{table_};
  std::vector<Node> nodes_;  // of the state at hand: its frame, and the parts of its images
  VarietyOrder order_;
  std::vector<std::uint64_t> owners_;                         // of parts
  std::vector<std::uint32_t> place_of_part_, part_at_place_;  // in nodes_, after the first one
  std::optional<KnownSteps> known_;                           // if steps are remembered
};

}  // namespace ravel::erlang
