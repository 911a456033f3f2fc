#include "tests/ltl/other_translators.h"

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>

namespace ravel::ltl {
namespace {

std::string output_of(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  std::string output;
  char buffer[4096];
  for (std::size_t read; pipe != nullptr && (read = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    output.append(buffer, read);
  if (pipe != nullptr) pclose(pipe);
  return output;
}

// In prefix order, as lbt reads it.
std::string in_prefix_order(const FormulaPool& pool, Formula formula) {
  const auto a = [&] { return in_prefix_order(pool, pool.left(formula)); };
  const auto b = [&] { return in_prefix_order(pool, pool.right(formula)); };
  switch (pool.op(formula)) {
    case Operator::kFalse: return "f ";
    case Operator::kTrue: return "t ";
    case Operator::kAtom: return std::string(pool.text(formula)) + " ";
    case Operator::kNot: return "! " + a();
    case Operator::kNext: return "X " + a();
    case Operator::kEventually: return "F " + a();
    case Operator::kAlways: return "G " + a();
    case Operator::kAnd: return "& " + a() + b();
    case Operator::kOr: return "| " + a() + b();
    case Operator::kImplies: return "i " + a() + b();
    case Operator::kIff: return "e " + a() + b();
    case Operator::kUntil: return "U " + a() + b();
    case Operator::kRelease: return "V " + a() + b();
    case Operator::kWeakUntil: return "V " + b() + "| " + a() + b();
    case Operator::kStrongRelease: return "U " + b() + "& " + a() + b();
  }
  return "";
}

// With parentheses everywhere, and the operators that spin has.
std::string in_parentheses(const FormulaPool& pool, Formula formula) {
  const auto a = [&] { return in_parentheses(pool, pool.left(formula)); };
  const auto b = [&] { return in_parentheses(pool, pool.right(formula)); };
  switch (pool.op(formula)) {
    case Operator::kFalse: return "false";
    case Operator::kTrue: return "true";
    case Operator::kAtom: return std::string(pool.text(formula));
    case Operator::kNot: return "(!" + a() + ")";
    case Operator::kNext: return "(X" + a() + ")";
    case Operator::kEventually: return "(<>" + a() + ")";
    case Operator::kAlways: return "([]" + a() + ")";
    case Operator::kAnd: return "(" + a() + " && " + b() + ")";
    case Operator::kOr: return "(" + a() + " || " + b() + ")";
    case Operator::kImplies: return "(" + a() + " -> " + b() + ")";
    case Operator::kIff: return "(" + a() + " <-> " + b() + ")";
    case Operator::kUntil: return "(" + a() + " U " + b() + ")";
    case Operator::kRelease: return "(" + a() + " V " + b() + ")";
    case Operator::kWeakUntil: return "(" + b() + " V (" + a() + " || " + b() + "))";
    case Operator::kStrongRelease: return "(" + b() + " U (" + a() + " && " + b() + "))";
  }
  return "";
}

constexpr std::uint64_t kAllLetters = (std::uint64_t{1} << kLetters) - 1;

std::optional<std::uint64_t> letters_with(const std::string& name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] != name) continue;
    std::uint64_t letters = 0;
    for (std::uint64_t letter = 0; letter < kLetters; ++letter)
      if (letter >> i & 1) letters |= std::uint64_t{1} << letter;
    return letters;
  }
  return std::nullopt;
}

// The letters that a condition in prefix order allows.
std::optional<std::uint64_t> read_prefix(std::istream& in) {
  std::string word;
  if (!(in >> word)) return std::nullopt;
  if (word == "t") return kAllLetters;
  if (word == "f") return 0;
  if (word != "!" && word != "&" && word != "|") return letters_with(word);
  const auto a = read_prefix(in);
  if (!a || word == "!") return a ? std::optional(kAllLetters & ~*a) : a;
  const auto b = read_prefix(in);
  if (!b) return b;
  return word == "&" ? *a & *b : *a | *b;
}

// The letters that a condition of Promela allows.
class Condition {
 public:
  explicit Condition(std::string text) : text_(std::move(text)) {}

  std::optional<std::uint64_t> letters() {
    const auto value = disjunction();
    return at_ == text_.size() ? value : std::nullopt;
  }

 private:
  std::optional<std::uint64_t> disjunction() {
    auto value = conjunction();
    while (value && take("||")) {
      const auto other = conjunction();
      if (!other) return other;
      *value |= *other;
    }
    return value;
  }
  std::optional<std::uint64_t> conjunction() {
    auto value = operand();
    while (value && take("&&")) {
      const auto other = operand();
      if (!other) return other;
      *value &= *other;
    }
    return value;
  }
  std::optional<std::uint64_t> operand() {
    if (take("!")) {
      const auto value = operand();
      return value ? std::optional(kAllLetters & ~*value) : value;
    }
    if (take("(")) {
      const auto value = disjunction();
      return take(")") ? value : std::nullopt;
    }
    if (take("1") || take("true")) return kAllLetters;
    if (take("0") || take("false")) return 0;
    std::string name;
    while (at_ < text_.size() && std::isalnum(static_cast<unsigned char>(text_[at_])) != 0)
      name += text_[at_++];
    skip();
    return letters_with(name);
  }
  bool take(const std::string& sign) {
    skip();
    if (text_.compare(at_, sign.size(), sign) != 0) return false;
    at_ += sign.size();
    skip();
    return true;
  }
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  std::string text_;
  std::size_t at_ = 0;
};

}  // namespace

bool is_installed(const std::string& program) {
  return std::system(("command -v " + program + " > /dev/null").c_str()) == 0;
}

// Output: numbers of states and acceptance sets; for each state its number, whether it is initial, its
// acceptance sets, -1, its edges as target and condition, -1.
std::optional<TestAutomaton> translated_by_lbt(const FormulaPool& pool, Formula formula) {
  std::istringstream in(output_of("echo '" + in_prefix_order(pool, formula) + "' | lbt"));
  std::size_t states = 0, sets = 0;
  if (!(in >> states >> sets)) return std::nullopt;
  TestAutomaton automaton;
  automaton.states.resize(states);
  automaton.all_acceptance_sets = (std::uint64_t{1} << sets) - 1;
  for (std::size_t i = 0; i < states; ++i) {
    std::size_t state = 0;
    int is_initial = 0, set = 0;
    if (!(in >> state >> is_initial) || state >= states) return std::nullopt;
    if (is_initial != 0) automaton.initial.push_back(static_cast<std::uint32_t>(state));
    std::uint64_t acceptance = 0;
    while (in >> set && set >= 0) acceptance |= std::uint64_t{1} << set;
    for (long target = 0; in >> target && target >= 0;) {
      const auto letters = read_prefix(in);
      if (!letters || target >= static_cast<long>(states)) return std::nullopt;
      automaton.states[state].push_back({*letters, acceptance, static_cast<std::uint32_t>(target)});
    }
  }
  return in ? std::optional(automaton) : std::nullopt;
}

// Output: a process of Promela whose labels are the states, the first one initial; labels in a row are
// names of one state. Those of which a name begins with "accept" have to come again and again.
std::optional<TestAutomaton> translated_by_spin(const FormulaPool& pool, Formula formula) {
  std::istringstream in(output_of("spin -f '" + in_parentheses(pool, formula) + "'"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  const auto is_label = [](const std::string& line) {
    return !line.starts_with('\t') && line.ends_with(':');
  };
  std::map<std::string, std::uint32_t> numbers;
  std::vector<std::uint64_t> acceptance;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!is_label(lines[i])) continue;
    if (!is_label(lines[i - 1])) acceptance.push_back(0);
    numbers[lines[i].substr(0, lines[i].size() - 1)] = static_cast<std::uint32_t>(acceptance.size() - 1);
    if (lines[i].starts_with("accept")) acceptance.back() = 1;
  }
  TestAutomaton automaton{.states = {}, .initial = {0}, .all_acceptance_sets = 1};
  automaton.states.resize(acceptance.size());
  std::uint32_t state = 0;
  for (const std::string& line : lines) {
    if (is_label(line)) state = numbers.at(line.substr(0, line.size() - 1));
    if (line == "\tskip") automaton.states[state].push_back({kAllLetters, acceptance[state], state});
    const auto begin = line.find(":: "), arrow = line.find(" -> ");
    if (begin == std::string::npos || line == "\t:: false") continue;
    if (arrow == std::string::npos) return std::nullopt;
    // An edge to where everything is accepted: `atomic { CONDITION -> assert(!(CONDITION)) }`.
    const bool is_last = line.compare(begin + 3, 9, "atomic { ") == 0;
    const std::size_t condition = begin + (is_last ? 12 : 3);
    const auto letters = Condition(line.substr(condition, arrow - condition)).letters();
    const auto target = numbers.find(is_last ? "accept_all" : line.substr(arrow + 9));
    if (!letters || target == numbers.end()) return std::nullopt;
    automaton.states[state].push_back({*letters, acceptance[state], target->second});
  }
  return automaton.states.empty() ? std::nullopt : std::optional(automaton);
}

}  // namespace ravel::ltl
