// Formulas of linear temporal logic over named propositions.
//
// The idea: a pool owns nodes, and a formula is the index of one. Nodes are hash-consed: a node is stored
// once, so equal formulas of one pool are the same number, and what is computed of a formula can be kept in a
// table by its number.
//
// Invariants:
// 1. Two nodes of a pool differ in operator, operand or text.
// 2. An operand has a smaller number than the formula that uses it.
//
// Cost: 12 bytes for each distinct formula, its slot in a hash table, and the text of each proposition. Nodes
// are never freed. Numbers of different pools must not be mixed.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ravel::ltl {

enum class Operator : std::uint8_t {
  kFalse,
  kTrue,
  kAtom,        // a proposition that holds now or not
  kNot,         // here the operators with one operand begin
  kNext,        // X a: a holds after one step
  kEventually,  // F a: now or later
  kAlways,      // G a: now and ever after
  kAnd,         // here the operators with two operands begin
  kOr,
  kImplies,
  kIff,
  kUntil,          // a U b: b holds now or later, and a at each step before
  kRelease,        // a R b: b holds up to and with the first step at which a holds, or for ever
  kWeakUntil,      // a W b: a U b, or a for ever
  kStrongRelease,  // a M b: a R b, and a holds now or later
};

constexpr bool is_unary(Operator op) { return op >= Operator::kNot && op <= Operator::kAlways; }
constexpr bool is_binary(Operator op) { return op >= Operator::kAnd; }

enum class Formula : std::uint32_t {};

// The same in every pool.
inline constexpr Formula kFalse{0};
inline constexpr Formula kTrue{1};

class FormulaPool {
 public:
  FormulaPool();
  FormulaPool(const FormulaPool&) = delete;  // a text is referred to from two places
  FormulaPool& operator=(const FormulaPool&) = delete;

  // A proposition with this text, whatever it means to whoever evaluates it.
  Formula atom(std::string_view text);
  // The formula as it stands: nothing is simplified. REQUIRES: an operator with that many operands.
  Formula unary(Operator op, Formula operand);
  Formula binary(Operator op, Formula left, Formula right);

  Operator op(Formula formula) const { return nodes_[index(formula)].op; }
  // The first operand, or the only one.
  Formula left(Formula formula) const { return Formula{nodes_[index(formula)].left}; }
  Formula right(Formula formula) const { return Formula{nodes_[index(formula)].right}; }
  std::string_view text(Formula atom) const { return texts_[nodes_[index(atom)].left]; }

  // The distinct propositions in a formula, in the order of their first place in it.
  std::vector<Formula> atoms(Formula formula) const;

  std::size_t size() const { return nodes_.size(); }

 private:
  struct Node {
    Operator op;
    std::uint32_t left;  // of an atom: the number of its text
    std::uint32_t right;

    friend bool operator==(const Node&, const Node&) = default;
  };
  struct NodeHash {
    std::size_t operator()(const Node& node) const;
  };

  static std::uint32_t index(Formula formula) { return static_cast<std::uint32_t>(formula); }
  Formula intern(const Node& node);

  std::vector<Node> nodes_;
  std::unordered_map<Node, std::uint32_t, NodeHash> known_;  // looked up, never walked through
  std::vector<std::string_view> texts_;
  std::unordered_map<std::string, std::uint32_t> text_numbers_;  // owns what texts_ refers to
};

// Whether it can be told apart from what it says of the same word with steps repeated: without `next` it
// cannot (Lamport, "What good is temporal logic?", 1983). A test of the syntax: `true` may be a false alarm.
bool uses_next(const FormulaPool& pool, Formula formula);

}  // namespace ravel::ltl
