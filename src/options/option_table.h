// The options of a command as rows of one table, from which its parser, its --help and its refusals are
// made (as in CaDiCaL's options.hpp).
//
// A row is added together with the variable that it sets. The table must not outlive these variables. Two
// front ends may have an option of one name: that is one row with two meanings, and a value is taken by each
// that knows it.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace CLI {
class App;
}

namespace ravel {

// The words that an option's value can be, and what each stands for.
template <class Value>
using Words = std::vector<std::pair<std::string, Value>>;

struct OptionRow {
  // What the option is for programs of one front end.
  struct Meaning {
    std::string owner;  // the front end whose programs have it; empty: all have it
    std::function<Status(const std::string&)> take;
    bool is_of_search = false;  // says how a test is searched, not how its program is run
    bool is_given = false;      // with a value that it takes
  };

  std::string names;                    // "-k,--keep-going"; without a dash: what is given without a name
  std::string argument;                 // the value's name in --help, "N"; empty: a flag, which takes ""
  std::string help;                     // without a full stop
  std::string group;                    // the heading in --help
  bool repeats = false;                 // each time adds a value; else the last one counts
  bool is_common = false;               // --help explains it, while others are only named there
  std::vector<std::string> words = {};  // possible values, of any meaning; none: anything
  std::vector<Meaning> meanings = {};   // of each front end that has such an option
  std::string given = {};               // the last value

  // The longest name: "--keep-going".
  std::string_view name() const;
  // Hands the value to each meaning. An error if none takes it.
  Status take(const std::string& value);
};

// An option that a command line has. One that several front ends have is there once for each of them that
// takes its value.
struct GivenOption {
  std::string name;
  std::string owner;
  bool is_of_search = false;
  std::string text = {};  // with its value if that decides who takes it: "--steps receives"
};

// The error that a value is none of these words.
Error none_of(const std::string& value, const std::vector<std::string>& words);

class OptionTable {
  template <class Target>
  struct PlainOf {
    using Type = Target;
  };
  template <class Value>
  struct PlainOf<std::optional<Value>> {
    using Type = Value;
  };
  template <class Target>
  using Plain = typename PlainOf<Target>::Type;
  template <class Target>
  static constexpr std::int64_t kMost =
      sizeof(Plain<Target>) < 8 ? static_cast<std::int64_t>(std::numeric_limits<Plain<Target>>::max())
                                : std::numeric_limits<std::int64_t>::max();

 public:
  // The heading and the owner of the rows that are added from now on.
  void begin(std::string group, std::string owner = {});

  void flag(std::string names, std::string help, std::function<void()> take);
  void value(std::string names, std::string argument, std::string help,
             std::function<Status(const std::string&)> take);
  void text(std::string names, std::string argument, std::string& to, std::string help);
  // An option that may be repeated, or what is given without a name ("FILE").
  void list(std::string names, std::string argument, std::vector<std::string>& to, std::string help);
  void list(std::string names, std::string argument, std::string help,
            std::function<Status(const std::string&)> take);

  // Numbers from `least` to `most`, handed to `take`.
  void number_to(std::string names, std::string argument, std::function<void(std::int64_t)> take,
                 std::string help, std::int64_t least, std::int64_t most) {
    const auto parse = [take = std::move(take), least, most](const std::string& text) -> Status {
      const auto number = parse_number(text, least, most);
      if (!number) return number.error();
      take(*number);
      return Success{};
    };
    value(std::move(names), std::move(argument), std::move(help), parse);
  }

  // A number from `least` to `most`. `to` is an integer or an optional one.
  template <class Target>
  void number(std::string names, std::string argument, Target& to, std::string help, std::int64_t least = 0,
              std::int64_t most = kMost<Target>) {
    const auto take = [&to](std::int64_t number) { to = static_cast<Plain<Target>>(number); };
    number_to(std::move(names), std::move(argument), take, std::move(help), least, most);
  }

  // A word out of a few. `to` is what the words stand for, or an optional one.
  template <class Target>
  void choice(std::string names, std::string argument, Target& to, Words<Plain<Target>> words,
              std::string help) {
    std::vector<std::string> known;
    for (const auto& word : words) known.push_back(word.first);
    const auto take = [&to, words = std::move(words), known](const std::string& text) -> Status {
      for (const auto& [word, meaning] : words) {
        if (word != text) continue;
        to = meaning;
        return Success{};
      }
      return none_of(text, known);
    };
    value(std::move(names), std::move(argument), std::move(help), take);
    this->words(known);
  }

  // The row that was added last says how a test is searched.
  void of_search() { last().meanings.back().is_of_search = true; }
  // The value of the row that was added last is one of these words.
  void words(const std::vector<std::string>& words);

  // These rows are what most people need first. REQUIRES: there are such rows.
  void common(std::initializer_list<std::string_view> names);

  // What --help explains: the options that most people need, and the names of the others; or everything.
  enum class Help : std::uint8_t { kShort, kWhole };
  // Adds all rows to a parser. What it parses is taken by this table, which must outlive the parser. A short
  // help of a table without common rows is the whole one.
  void add_to(CLI::App& command, Help help = Help::kWhole);
  // Whether a short help leaves something out.
  bool has_common_rows() const;
  // The names of all rows that a short help does not explain, by group; empty: it explains all.
  std::string others_text() const;
  // Takes these arguments, without the name of a command. The error names the option.
  Status parse(std::span<const std::string> arguments);

  const std::vector<OptionRow>& rows() const { return rows_; }
  std::vector<GivenOption> given() const;

 private:
  static Result<std::int64_t> parse_number(const std::string& text, std::int64_t least, std::int64_t most);
  OptionRow& last() { return rows_[last_]; }
  // Of an option that another front end has, too: its help goes on with this one.
  OptionRow& add(std::string names, std::string argument, std::string help,
                 std::function<Status(const std::string&)> take);

  std::vector<OptionRow> rows_;
  std::size_t last_ = 0;  // the row that was added to last
  std::string group_, owner_;
};

}  // namespace ravel
