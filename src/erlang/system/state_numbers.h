// The states of an ErlangSystem that were met, each once and with a number.
//
// The idea: a saved state (machine/freezer.cc) is a short sequence of stored terms. Here the images of
// processes are taken apart, so that two states share what two versions of a process have in common: its
// stack, its mailbox, its attributes. What is kept are these parts, which are roots of the store; images are
// made again when they are needed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/system.h"
#include "erlang/machine/machine.h"
#include "erlang/machine/process_image.h"
#include "states/state_table.h"

namespace ravel::erlang {

class StateNumbers {
 public:
  explicit StateNumbers(Store& store) : store_(store) {}

  // Of a state in the form of Freezer::save(). Nothing if there is no room.
  std::optional<MetState> number(std::span<const Term> words);
  // In the same form.
  void words_of(StateNumber state, std::vector<Term>& words);

  std::size_t size() const { return table_.size(); }
  std::uint64_t bytes() const;
  // The store was collected: what is not a root is gone.
  void forget_images();
  void for_each_root(Roots::Visit visit, void* collector);

 private:
  using Node = StateTable::Node;
  struct Known {
    Term image = Term::none();
    Node node{};
  };
  static constexpr std::size_t kKnown = std::size_t{1} << 14;

  // Of an image, all but the stack and the mailbox; the last one is a tuple of registers.
  static constexpr std::size_t kKnownOthers = 1024;
  using Others = std::array<Term, kFixedImageWords - 1>;
  struct KnownOthers {
    Others others = {};
    Node node{};
  };

  Node node_of(Term word) { return table_.node_of_word(word.bits()); }
  Node node_of_image(Term image);
  Node node_of_others(const Others& others);
  Term image_of(Node node);

  Store& store_;
  StateTable table_;
  // What was looked up last, by image and by node
  std::vector<Known> by_image_ = std::vector<Known>(kKnown), by_node_ = std::vector<Known>(kKnown);
  std::vector<KnownOthers> by_others_ = std::vector<KnownOthers>(kKnownOthers);
  // The state that was numbered or asked for last, and its nodes
  std::vector<Term> last_words_;
  std::vector<Node> nodes_;
  std::vector<Node> part_, frame_;
  std::vector<Term> payload_;
};

}  // namespace ravel::erlang
