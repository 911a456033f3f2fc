// How the operators of temporal logic are written: the table from which they are read and printed.
//
// Words, signs of logic and the letters of the literature may be mixed. Precedences are those of Spot
// (Duret-Lutz, "Spot's temporal logic formulas", 2023): temporal operators with two operands bind more
// tightly than `and`, that more than `or`, and so on.

#pragma once

#include <array>
#include <string_view>

#include "ltl/formula.h"

namespace ravel::ltl {

// Which of two equal operators in a row belongs together: `a -> b -> c` is `a -> (b -> c)`.
enum class Grouping : std::uint8_t { kLeft, kRight };

struct OperatorRow {
  Operator op;
  int level;  // higher binds more tightly
  Grouping grouping;
  std::array<std::string_view, 4> spellings;  // the first one is printed
};

inline constexpr int kUnaryLevel = 6;
inline constexpr int kTemporalLevel = 5;

inline constexpr auto kOperatorTable = std::to_array<OperatorRow>({
    {Operator::kNot, kUnaryLevel, Grouping::kRight, {"!", "not", "~"}},
    {Operator::kNext, kUnaryLevel, Grouping::kRight, {"next", "X"}},
    {Operator::kEventually, kUnaryLevel, Grouping::kRight, {"eventually", "F", "<>"}},
    {Operator::kAlways, kUnaryLevel, Grouping::kRight, {"always", "G", "[]"}},
    {Operator::kUntil, kTemporalLevel, Grouping::kRight, {"until", "U"}},
    {Operator::kRelease, kTemporalLevel, Grouping::kRight, {"release", "R", "V"}},
    {Operator::kWeakUntil, kTemporalLevel, Grouping::kRight, {"weak until", "W"}},
    {Operator::kStrongRelease, kTemporalLevel, Grouping::kRight, {"strong release", "M"}},
    {Operator::kAnd, 4, Grouping::kLeft, {"&&", "and", "&", "/\\"}},
    {Operator::kOr, 3, Grouping::kLeft, {"||", "or", "|", "\\/"}},
    {Operator::kImplies, 2, Grouping::kRight, {"->", "implies", "=>"}},
    {Operator::kIff, 1, Grouping::kRight, {"<->", "iff", "<=>"}},
});

// REQUIRES: an operator with operands.
constexpr const OperatorRow& row_of(Operator op) {
  for (const OperatorRow& row : kOperatorTable)
    if (row.op == op) return row;
  __builtin_unreachable();
}

}  // namespace ravel::ltl
