#include "options/option_table.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>

#include "base/check.h"

namespace ravel {

std::string_view OptionRow::name() const {
  const std::size_t comma = names.rfind(',');
  return comma == std::string::npos ? std::string_view(names) : std::string_view(names).substr(comma + 1);
}

void OptionTable::begin(std::string group, std::string owner) {
  group_ = std::move(group);
  owner_ = std::move(owner);
}

OptionRow& OptionTable::add(std::string names, std::string argument, std::string help,
                            std::function<Status(const std::string&)> take) {
  const auto known = std::ranges::find(rows_, names, &OptionRow::names);
  last_ = static_cast<std::size_t>(known - rows_.begin());
  if (known == rows_.end()) {
    rows_.push_back({.names = std::move(names),
                     .argument = std::move(argument),
                     .help = std::move(help),
                     .group = group_});
  } else {
    CHECK(known->argument == argument && !owner_.empty());
    known->help += "; " + help;
    known->group = "Options for programs of several kinds";
  }
  last().meanings.push_back({.owner = owner_, .take = std::move(take)});
  return last();
}

void OptionTable::words(const std::vector<std::string>& words) {
  for (const std::string& word : words)
    if (std::ranges::find(last().words, word) == last().words.end()) last().words.push_back(word);
}

Status OptionRow::take(const std::string& value) {
  given = value;
  std::optional<Error> refused;
  bool is_taken = false;
  for (Meaning& meaning : meanings) {
    if (Status taken = meaning.take(value); taken) {
      is_taken = meaning.is_given = true;
    } else if (!refused) {
      refused = taken.error();
    }
  }
  if (is_taken) return Success{};
  return meanings.size() > 1 && !words.empty() ? none_of(value, words) : *refused;
}

void OptionTable::flag(std::string names, std::string help, std::function<void()> take) {
  add(std::move(names), "", std::move(help), [take = std::move(take)](const std::string&) -> Status {
    take();
    return Success{};
  });
}

void OptionTable::value(std::string names, std::string argument, std::string help,
                        std::function<Status(const std::string&)> take) {
  add(std::move(names), std::move(argument), std::move(help), std::move(take));
}

void OptionTable::text(std::string names, std::string argument, std::string& to, std::string help) {
  value(std::move(names), std::move(argument), std::move(help), [&to](const std::string& given) -> Status {
    to = given;
    return Success{};
  });
}

void OptionTable::list(std::string names, std::string argument, std::vector<std::string>& to,
                       std::string help) {
  list(std::move(names), std::move(argument), std::move(help), [&to](const std::string& given) -> Status {
    to.push_back(given);
    return Success{};
  });
}

void OptionTable::list(std::string names, std::string argument, std::string help,
                       std::function<Status(const std::string&)> take) {
  add(std::move(names), std::move(argument), std::move(help), std::move(take)).repeats = true;
}

Error none_of(const std::string& value, const std::vector<std::string>& words) {
  std::string known;
  for (const std::string& word : words) known += (known.empty() ? "" : ", ") + word;
  return Error{"'" + value + "' is none of " + known};
}

Result<std::int64_t> OptionTable::parse_number(const std::string& text, std::int64_t least,
                                               std::int64_t most) {
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem == std::errc() && end == text.data() + text.size() && number >= least && number <= most)
    return number;
  return Error{"'" + text + "' is no whole number from " + std::to_string(least) +
               (most < std::numeric_limits<std::int64_t>::max() ? " to " + std::to_string(most) : " on")};
}

namespace {

// The short form of a help text that explains each word in a line of its own: what it is about, and the
// words.
std::string without_lines(const OptionRow& row) {
  const std::size_t end = row.help.find('\n');
  if (end == std::string::npos) return row.help;
  std::string text = row.help.substr(0, end);
  for (const std::string& word : row.words) text += (&word == row.words.data() ? " " : ", ") + word;
  return text;
}

}  // namespace

void OptionTable::common(std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    const auto row = std::ranges::find(rows_, name, &OptionRow::name);
    CHECK(row != rows_.end());
    row->is_common = true;
  }
}

bool OptionTable::has_common_rows() const { return std::ranges::any_of(rows_, &OptionRow::is_common); }

std::string OptionTable::others_text() const {
  constexpr std::size_t kColumns = 96;
  std::string text;
  std::vector<std::string_view> groups;
  for (const OptionRow& row : rows_)
    if (std::ranges::find(groups, row.group) == groups.end()) groups.push_back(row.group);
  for (const std::string_view group : groups) {
    std::string line;
    for (const OptionRow& row : rows_) {
      if (row.group != group || row.is_common || !row.names.starts_with('-')) continue;
      const std::string name = std::string(row.name()) + (row.argument.empty() ? "" : " " + row.argument);
      if (line.empty()) {
        text += "\n" + std::string(group.empty() ? "Options of the search" : group) + ":";
        line = "\n ";
      } else if (line.size() + 2 + name.size() > kColumns) {
        text += line + ",";
        line = "\n ";
      } else {
        line += ",";
      }
      line += " " + name;
    }
    text += line;
  }
  return text;
}

void OptionTable::add_to(CLI::App& command, Help help) {
  const bool is_short = help == Help::kShort && has_common_rows();
  for (OptionRow& row : rows_) {
    const std::string text = is_short ? without_lines(row) : row.help;
    const auto take = [&row](const std::string& given) {
      if (Status taken = row.take(given); !taken)
        throw CLI::ValidationError(std::string(row.name()), taken.error().message);
    };
    CLI::Option* option = nullptr;
    if (row.argument.empty()) {
      option = command.add_flag_function(
          row.names, [take](std::int64_t) { take(""); }, text);
    } else if (row.repeats && row.names.starts_with('-')) {
      // One value each time: of an option for many, newer versions of the parser take "[a,b]" apart.
      const auto take_all = [take](const CLI::results_t& all) {
        for (const std::string& one : all) take(one);
        return true;
      };
      option = command.add_option(row.names, take_all, text);
      option->type_name(row.argument);
      option->type_size(1)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    } else if (row.repeats) {
      const auto take_all = [take](const std::vector<std::string>& all) {
        for (const std::string& one : all) take(one);
      };
      option = command.add_option_function<std::vector<std::string>>(row.names, take_all, text);
      option->type_name("");
    } else {
      option = command.add_option_function<std::string>(row.names, take, text);
      option->type_name(row.names.starts_with('-') ? row.argument : "");
      option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    }
    const bool is_hidden = is_short && !row.is_common && row.names.starts_with('-');
    if (is_hidden) {
      option->group("");
    } else if (!is_short && !row.group.empty()) {
      option->group(row.group);
    }
  }
}

Status OptionTable::parse(std::span<const std::string> arguments) {
  CLI::App app;
  add_to(app);
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    return Error{error.what()};
  }
  return Success{};
}

std::vector<GivenOption> OptionTable::given() const {
  std::vector<GivenOption> given;
  for (const OptionRow& row : rows_) {
    const std::string name(row.name());
    const bool value_decides =
        !std::ranges::all_of(row.meanings, [](const OptionRow::Meaning& one) { return one.is_given; });
    for (const OptionRow::Meaning& meaning : row.meanings)
      if (meaning.is_given)
        given.push_back({.name = name,
                         .owner = meaning.owner,
                         .is_of_search = meaning.is_of_search,
                         .text = value_decides ? name + " " + row.given : name});
  }
  return given;
}

}  // namespace ravel
