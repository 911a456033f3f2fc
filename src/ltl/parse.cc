#include "ltl/parse.h"

#include <algorithm>
#include <optional>
#include <string>

#include "ltl/atom_text.h"
#include "ltl/operator_table.h"

namespace ravel::ltl {
namespace {

// The part of UTF-8 characters that are counted as columns.
std::size_t column_of(std::string_view text, std::size_t at) {
  return 1 + static_cast<std::size_t>(
                 std::count_if(text.begin(), text.begin() + static_cast<long>(at),
                               [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string in_ticks(std::string_view text) { return "`" + std::string(text) + "`"; }

class Parser {
 public:
  Parser(std::string_view text, FormulaPool& pool) : text_(text), pool_(pool) {}

  Result<Formula> whole() {
    auto formula = operators(0);
    if (!formula) return formula;
    skip_blanks();
    if (at_ < text_.size()) return wrong(kOperatorExpected + ", or the end");
    return formula;
  }

 private:
  struct Match {
    const OperatorRow* row;
    std::size_t length;
  };

  static inline const std::string kOperatorExpected = "expected an operator such as `and`, `->` or `until`";
  static inline const std::string kOperandExpected =
      "expected a proposition, `true`, `false`, `(`, or an operator such as `not` or `always`";

  // Operands joined by operators of at least that level.
  Result<Formula> operators(int level_min) {
    auto left = operand();
    while (left) {
      const std::optional<Match> match = operator_here(is_binary);
      if (!match || match->row->level < level_min) break;
      if (++count_ > kOperatorsMax) return too_many();
      at_ += match->length;
      const OperatorRow& row = *match->row;
      const auto right = operators(row.grouping == Grouping::kRight ? row.level : row.level + 1);
      if (!right) return right;
      left = pool_.binary(row.op, *left, *right);
    }
    return left;
  }

  Result<Formula> operand() {
    skip_blanks();
    if (at_ == text_.size()) return wrong(kOperandExpected);
    const char c = text_[at_];
    if (c == '(') return in_parentheses();
    if (c == '\'' || c == '"') return atom();
    const std::string_view name = name_at(text_, at_);
    if (name.empty() || separator_at(text_, at_ + name.size()) == 0) {
      if (const auto match = operator_here(is_unary)) {
        if (++count_ > kOperatorsMax) return too_many();
        at_ += match->length;
        const auto inner = operand();
        return inner ? pool_.unary(match->row->op, *inner) : inner;
      }
      if (name == "true" || c == '1') return constant(kTrue, name);
      if (name == "false" || c == '0') return constant(kFalse, name);
      const std::size_t letters = std::min(name.find_first_not_of("GFX"), name.size());
      if (letters > 1 && letters == name.size()) return row_of_letters(name);
      if (letters > 1) return may_be_letters(name, letters);
      if (name != "release" && operator_here(is_binary)) return misses_left_operand();
    }
    return name.empty() ? wrong(kOperandExpected) : atom();
  }

  Result<Formula> in_parentheses() {
    if (++count_ > kOperatorsMax) return too_many();
    const std::size_t open = at_++;
    auto inner = operators(0);
    if (!inner) return inner;
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != ')')
      return wrong(kOperatorExpected + ", or the `)` for the `(` of column " +
                   std::to_string(column_of(text_, open)));
    ++at_;
    return inner;
  }

  Result<Formula> atom() {
    auto read = read_atom(text_, at_);
    if (!read) return error(at_, "of this proposition " + read.error().message);
    at_ += read->length;
    return pool_.atom(read->text);
  }

  Result<Formula> constant(Formula formula, std::string_view name) {
    at_ += std::max<std::size_t>(name.size(), 1);
    return formula;
  }

  // `GFX`: three operators in a row.
  Result<Formula> row_of_letters(std::string_view letters) {
    at_ += letters.size();
    count_ += letters.size();
    if (count_ > kOperatorsMax) return too_many();
    auto inner = operand();
    for (std::size_t i = letters.size(); inner && i-- > 0;) {
      const Operator op = letters[i] == 'G'   ? Operator::kAlways
                          : letters[i] == 'F' ? Operator::kEventually
                                              : Operator::kNext;
      inner = pool_.unary(op, *inner);
    }
    return inner;
  }

  // The operator of that kind which is written here; the longest sign, or a whole word.
  std::optional<Match> operator_here(bool (*is_wanted)(Operator)) {
    skip_blanks();
    std::optional<Match> found;
    for (const OperatorRow& row : kOperatorTable) {
      if (!is_wanted(row.op)) continue;
      for (const std::string_view spelling : row.spellings) {
        const std::size_t length = spelling.empty() ? 0 : length_if_here(spelling);
        if (length > (found ? found->length : 0)) found = Match{&row, length};
      }
    }
    return found;
  }

  // How much of the text is this spelling, in which a blank stands for any number of them; 0 if it is not
  // here.
  std::size_t length_if_here(std::string_view spelling) const {
    if (!begins_name(spelling[0])) return text_.substr(at_).starts_with(spelling) ? spelling.size() : 0;
    std::size_t at = at_;
    for (std::size_t begin = 0; begin < spelling.size();) {
      const std::string_view word = name_at(spelling, begin);
      if (name_at(text_, at) != word) return 0;
      begin += word.size() + 1;
      at += word.size();
      if (begin < spelling.size())
        while (at < text_.size() && is_blank(text_[at])) ++at;
    }
    return at - at_;
  }

  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }

  // A whole name or sign, for messages.
  std::string found_here() const {
    if (at_ == text_.size()) return "the end";
    const std::string_view name = name_at(text_, at_);
    if (!name.empty()) return in_ticks(name);
    std::size_t end = at_ + 1;
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xc0) == 0x80) ++end;
    constexpr std::string_view kSigns = "<>=-[]&|/\\";
    if (kSigns.find(text_[at_]) != std::string_view::npos)
      while (end < text_.size() && kSigns.find(text_[end]) != std::string_view::npos) ++end;
    return in_ticks(text_.substr(at_, end - at_));
  }

  Error error(std::size_t at, const std::string& message) const {
    return Error{"column " + std::to_string(column_of(text_, at)) + ": " + message};
  }
  Error wrong(const std::string& expected) const { return error(at_, expected + "; found " + found_here()); }
  Error too_many() const {
    return error(at_,
                 "more than " + std::to_string(kOperatorsMax) + " operators and parentheses in a formula");
  }
  Error misses_left_operand() const {
    const std::string_view name = name_at(text_, at_);
    if (name.empty()) return wrong(kOperandExpected);
    return error(at_, "the operator " + in_ticks(name) +
                          " has no left operand; if a proposition is meant, write it in quotes: '" +
                          std::string(name) + "'");
  }
  Error may_be_letters(std::string_view name, std::size_t letters) const {
    return error(
        at_, in_ticks(name) + " may be operators and a proposition; write " +
                 in_ticks(std::string(name.substr(0, letters)) + " " + std::string(name.substr(letters))) +
                 ", or '" + std::string(name) + "' in quotes if it is one proposition");
  }

  std::string_view text_;
  FormulaPool& pool_;
  std::size_t at_ = 0;
  std::size_t count_ = 0;  // of operators and parentheses
};

}  // namespace

Result<Formula> parse(std::string_view text, FormulaPool& pool) { return Parser(text, pool).whole(); }

}  // namespace ravel::ltl
