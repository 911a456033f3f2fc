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
#include "erlang/system/visited_states.h"
#include "states/keyed_numbers.h"
#include "states/last_step.h"
#include "states/state_table.h"
#include "states/variety_order.h"

namespace ravel::erlang {

class StateNumbers final : public VisitedStates, public ImageTable {
 public:
  explicit StateNumbers(const Store& store) : store_(store) {}

  // From now on steps are remembered. REQUIRES: states are their own keys.
  void remember_steps(Machine& machine) { known_.emplace(machine, table_); }
  // The machine takes a step of which something may be known, or is in some other state, none that was
  // numbered or asked for.
  void note_step(const KnownSteps::Step& step) { last_step_.take(step); }
  void note_other_state() { last_step_.forget(); }
  // StepMemory.
  bool remembers_steps() const { return known_ && !known_->has_given_up(); }
  std::optional<StepMemory::Known> repeat(StateNumber from, std::uint32_t index);

  Term image_of(const ImageParts& parts) override;
  ImageParts parts_of(Term image) const override;
  Term with_note(const NotedImage& noted) override;
  NotedImage without_note(Term image) const override;

  std::optional<MetState> number(std::span<const Term> words, std::span<const Term> key) override;
  void words_of(StateNumber state, std::vector<Term>& words) override;
  bool keeps(StateNumber) const override { return true; }
  void leave(StateNumber) override {}

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
  void complete_images();
  bool has_frame(std::span<const Term> words) const;
  void begin_frame(std::span<const Term> words);
  void place_parts();
  void change_part(std::size_t part, Node node);
  void reorder();

  const Store& store_;
  StateTable table_;
  KeyedNumbers numbers_;
  // The state that was numbered or asked for last: its words, of which an image may be missing; the parts of
  // its images, kPartsOfImage of each; and its nodes.
  std::vector<Term> last_words_;
  std::vector<Node> parts_, nodes_;
  std::vector<Node> part_, frame_;
  VarietyOrder order_;
  std::vector<std::uint64_t> owners_;                         // of parts
  std::vector<std::uint32_t> place_of_part_, part_at_place_;  // in nodes_, after the first one
  std::optional<KnownSteps> known_;                           // if steps are remembered
  LastStep<KnownSteps::Step> last_step_;
};

}  // namespace ravel::erlang
