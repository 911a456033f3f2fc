// The states that a search has visited, exactly: each is a sequence of 64-bit words, of any length.
//
// The idea (tree compression: S. Blom, B. Lisser, J. van de Pol, M. Weber, "A Database Approach to
// Distributed State Space Generation", 2009; for sequences whose length varies: F. van den Berg, "Model
// Checking with a Dynamic Tree-based Compression", 2020): a word is numbered, and so is each pair of numbers,
// up to one pair for the whole state. Neighbouring states differ in few words, so that nearly all of a
// state's pairs are there already; one new pair a state remains, and one for each level of the tree in which
// it differs from all others. The last node of a state is joined with all the others at the top: if it is the
// one that varies most, hardly any other pair is new.
//
// A node is such a number: of a word, or of a pair and so of a sequence of nodes. A state's parts (a process,
// a table) are sequences of their own, whose nodes its owner may keep: the same part is the same node.
//
// Who has numbers for its words already uses those as leaves, and needs no table of words.
//
// The nodes of the state before are kept with their tree: what has not changed since is not looked up again,
// neither when a state is inserted nor when it is recalled.
//
// Cost: 13 to 19 bytes for each distinct word, pair and state; a look-up for each pair above a changed node.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "states/pair_table.h"

namespace ravel {

class StateTable {
 public:
  enum class Node : std::uint32_t {};
  struct Insertion {
    std::uint32_t number;  // of the state, in the order of insertion, from 0
    bool is_new;
  };

  Node node_of_word(std::uint64_t word);
  // The same of whoever numbers words itself. REQUIRES: number < 2^31; node_of_word() is never called.
  static Node node_of_number(std::uint32_t number) { return of_word(number); }
  // Of a sequence, which is not empty. Who wants it back says how many nodes it has.
  Node node_of(std::span<const Node> nodes);
  // A state is told from a longer one by its first word, with which its first node begins: REQUIRES that
  // states with the same one have equally many nodes, two at least. REQUIRES: !is_full(), or it is there.
  Insertion insert(std::span<const Node> nodes);

  std::uint64_t word_of(Node node) const;  // REQUIRES: of a word
  void append_nodes(Node sequence, std::size_t count, std::vector<Node>& nodes) const;
  // The first word or number of a state, and all nodes.
  Node first_leaf_of(std::uint32_t state) const;
  void append_nodes_of(std::uint32_t state, std::size_t count, std::vector<Node>& nodes) const;

  // Whether a state has the first node of the one that was inserted or recalled last; so it has as many.
  bool has_same_first_node(std::uint32_t state) const;
  // Makes of the nodes of the state that was inserted or recalled last those of this one. `count`: how many
  // it has. The places that have changed, in no order; valid until the next call.
  std::span<const std::size_t> recall(std::uint32_t state, std::size_t count, std::vector<Node>& nodes);
  static std::uint32_t number_of_leaf(Node node) { return number_of(node); }

  // The nodes of a sequence of three.
  std::array<Node, 3> three_of(Node sequence) const;
  // Of words and sequences the nodes stay.
  void forget_states();

  std::size_t size() const { return states_.size(); }
  // Whether the numbers of words, pairs or states come to an end.
  bool is_full() const;
  std::size_t bytes() const { return words_.bytes() + pairs_.bytes() + states_.bytes(); }
  // Calls visit(number) for each leaf, as often as it occurs in a pair.
  template <class Visit>
  void for_each_number(Visit visit) const {
    for (const PairTable* const table : {&pairs_, &states_})
      for (std::size_t number = 0; number < table->size(); ++number) {
        const std::uint64_t pair = table->pair(static_cast<PairTable::Number>(number));
        for (const Node node :
             {Node{static_cast<std::uint32_t>(pair >> 32)}, Node{static_cast<std::uint32_t>(pair)}})
          if (!is_pair(node)) visit(number_of(node));
      }
  }
  // Calls visit(word) for each distinct word.
  template <class Visit>
  void for_each_word(Visit visit) const {
    for (std::size_t number = 0; number < words_.size(); ++number)
      visit(words_.pair(static_cast<PairTable::Number>(number)));
  }

 private:
  static constexpr std::size_t kRoom = 1 << 20;  // more than one state can need

  // What a number stands for: the last bit tells.
  static Node of_word(std::uint32_t number) { return Node{number << 1}; }
  static Node of_pair(std::uint32_t number) { return Node{number << 1 | 1}; }
  static bool is_pair(Node node) { return (static_cast<std::uint32_t>(node) & 1) != 0; }
  static std::uint32_t number_of(Node node) { return static_cast<std::uint32_t>(node) >> 1; }
  Node pair_of(Node left, Node right) {
    return of_pair(pairs_.insert(static_cast<std::uint32_t>(left), static_cast<std::uint32_t>(right)).number);
  }

  void begin_shape(std::size_t count);
  void recall_below(std::size_t level, std::size_t place, Node node, std::vector<Node>& nodes);

  PairTable words_, pairs_, states_;
  // The tree of the state before, but for its last node: the nodes, then those of each level above, up to
  // one.
  std::vector<std::vector<Node>> levels_;
  std::vector<std::size_t> changed_;  // places of a level
  std::vector<Node> level_;           // of node_of()
};

}  // namespace ravel
