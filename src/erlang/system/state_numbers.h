// The states of an ErlangSystem that were met, each once and with a number.
//
// The idea: a saved state (machine/freezer.cc) is a short sequence of stored terms. Images of processes are
// numbered here as well, by their parts, so that two states share what two versions of a process have in
// common: its stack, its mailbox, its attributes. These parts are roots of the store.
//
// Processes differ in how many images they have: a server that everybody uses is in a new one in nearly every
// state. After some states they are counted, and the numbers made anew with the most varied process last,
// where a new image costs least (StateTable).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/system.h"
#include "erlang/machine/machine.h"
#include "erlang/machine/process_image.h"
#include "erlang/system/visited_states.h"
#include "states/keyed_numbers.h"
#include "states/state_table.h"

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

  std::uint64_t bytes() const override;
  std::optional<HashedStates> told() const override { return std::nullopt; }
  void for_each_root(Roots::Visit visit, void* collector) override;

 private:
  using Node = StateTable::Node;
  using Entry = std::uint32_t;  // of the table (states/keyed_numbers.h)
  // States after which varieties are counted, and by which factor more there are when they are counted again.
  static constexpr std::size_t kFirstCount = 4096, kCountFactor = 64, kLastCount = kFirstCount * kCountFactor;
  static constexpr std::size_t kNever = ~std::size_t{0};

  Node node_of(Term word) { return table_.node_of_word(word.bits()); }
  StateTable::Insertion insert(std::span<const Term> words);
  std::optional<MetState> number_by_key(std::span<const Term> words, std::span<const Term> key);
  void words_of_entry(Entry entry, std::vector<Term>& words);
  void place_images(std::span<const Term> words);
  void reorder();

  const Store& store_;
  StateTable table_;
  KeyedNumbers numbers_;
  // The state that was numbered or asked for last, and its nodes
  std::vector<Term> last_words_;
  std::vector<Node> nodes_;
  std::vector<Node> part_, frame_;
  std::vector<std::uint32_t> place_of_image_;               // in nodes_
  std::unordered_map<std::uint64_t, std::size_t> variety_;  // of a pid: how many images it had at last count
  std::size_t next_count_ = kFirstCount;
};

}  // namespace ravel::erlang
