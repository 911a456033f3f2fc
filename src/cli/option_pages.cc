#include "cli/option_pages.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <vector>

#include "base/version.h"

namespace ravel {

namespace {

// The names of an option, each by itself; none for what is given without one.
std::vector<std::string> names_of(const OptionRow& row) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin < row.names.size();) {
    const std::size_t end = std::min(row.names.find(',', begin), row.names.size());
    names.push_back(row.names.substr(begin, end - begin));
    begin = end + 1;
  }
  if (!names.front().starts_with('-')) names.clear();
  return names;
}

std::string replaced(std::string_view text, std::string_view what, std::string_view by) {
  std::string result(text);
  for (std::size_t at = result.find(what); at != std::string::npos; at = result.find(what, at + by.size()))
    result.replace(at, what.size(), by);
  return result;
}

// As troff reads it: no control line, and hyphens that can be searched for.
std::string roff(std::string_view text) {
  const std::string escaped = replaced(replaced(replaced(text, "\\", "\\e"), "-", "\\-"), "\n", "\n.br\n");
  return escaped.starts_with('.') || escaped.starts_with('\'') ? "\\&" + escaped : escaped;
}

std::string man_page(std::string_view about, std::span<const CommandRows> commands) {
  std::string page = fmt::format(
      ".TH RAVEL 1 \"\" \"ravel {}\"\n.SH NAME\nravel \\- finds concurrency bugs\n"
      ".SH SYNOPSIS\n.B ravel\n.I COMMAND\n[\\fIOPTION\\fR]... [\\fIFILE\\fR]...\n.SH DESCRIPTION\n{}\n.SH "
      "COMMANDS\n",
      kVersion, roff(replaced(about, "\n", " ")));
  for (const CommandRows& command : commands) {
    page += fmt::format(".SS ravel {}\n{}\n", command.name, roff(command.help));
    for (const OptionRow& row : command.table->rows()) {
      std::string names;
      for (const std::string& name : names_of(row))
        names += (names.empty() ? "\\fB" : "\\fR, \\fB") + roff(name) + "\\fR";
      const std::string argument =
          row.argument.empty() ? "" : (names.empty() ? "\\fI" : " \\fI") + roff(row.argument) + "\\fR";
      page += fmt::format(".TP\n{}{}\n{}\n", names, argument, roff(row.help));
    }
  }
  return page;
}

std::string bash_completions(std::span<const CommandRows> commands) {
  std::string names, options, words;
  for (const CommandRows& command : commands) {
    names += " " + command.name;
    std::string all;
    for (const OptionRow& row : command.table->rows()) {
      for (const std::string& name : names_of(row)) {
        all += " " + name;
        if (!row.words.empty())
          words += fmt::format("    {}:{}) COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n",
                               command.name, name, fmt::join(row.words, " "));
      }
    }
    options += fmt::format("    {}) options='{}' ;;\n", command.name, all.empty() ? "" : all.substr(1));
  }
  return fmt::format(R"(# bash completion for ravel
_ravel() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} options=''
  if [ "$COMP_CWORD" = 1 ]; then COMPREPLY=($(compgen -W '{}' -- "$word")); return; fi
  case ${{COMP_WORDS[1]}}:$before in
{}  esac
  case ${{COMP_WORDS[1]}} in
{}  esac
  [[ $word != -* ]] || COMPREPLY=($(compgen -W "$options" -- "$word"))
}}
complete -o default -F _ravel ravel
)",
                     names.substr(1), words, options);
}

// What _arguments reads in brackets or after a colon.
std::string zsh(std::string_view text) {
  const std::string line(text.substr(0, text.find('\n')));
  return replaced(replaced(replaced(replaced(line, "'", "'\\''"), "[", "\\["), "]", "\\]"), ":", "\\:");
}

std::string zsh_completions(std::span<const CommandRows> commands) {
  std::string names, cases;
  for (const CommandRows& command : commands) {
    names += fmt::format("    '{}:{}'\n", command.name, zsh(command.help));
    cases += fmt::format("    {}) _arguments", command.name);
    for (const OptionRow& row : command.table->rows()) {
      const std::string values =
          row.words.empty() ? "_files" : fmt::format("({})", fmt::join(row.words, " "));
      for (const std::string& name : names_of(row))
        cases += fmt::format(" \\\n      '{}{}[{}]{}'", row.repeats ? "*" : "", name, zsh(row.help),
                             row.argument.empty() ? "" : fmt::format(":{}:{}", zsh(row.argument), values));
    }
    cases += " \\\n      '*:file:_files' ;;\n";
  }
  return fmt::format(R"(#compdef ravel
_ravel() {{
  local -a commands=(
{}  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  local command=$words[2]
  shift words; (( CURRENT-- ))
  case $command in
{}  esac
}}
_ravel "$@"
)",
                     names, cases);
}

std::string fish_completions(std::span<const CommandRows> commands) {
  const auto quoted = [](std::string_view text) {
    return "'" + replaced(replaced(text.substr(0, text.find('\n')), "\\", "\\\\"), "'", "\\'") + "'";
  };
  std::string page = "# fish completions for ravel\n";
  for (const CommandRows& command : commands) {
    page += fmt::format("complete -c ravel -n __fish_use_subcommand -a {} -d {}\n", command.name,
                        quoted(command.help));
    for (const OptionRow& row : command.table->rows()) {
      const std::vector<std::string> names = names_of(row);
      if (names.empty()) continue;
      page += fmt::format("complete -c ravel -n '__fish_seen_subcommand_from {}'", command.name);
      for (const std::string& name : names)
        page += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!row.argument.empty()) page += " -r";
      if (!row.words.empty()) page += fmt::format(" -f -a '{}'", fmt::join(row.words, " "));
      page += " -d " + quoted(row.help) + "\n";
    }
  }
  return page;
}

}  // namespace

std::string print_page(Page page, std::string_view about, std::span<const CommandRows> commands) {
  switch (page) {
    case Page::kMan: return man_page(about, commands);
    case Page::kBash: return bash_completions(commands);
    case Page::kZsh: return zsh_completions(commands);
    case Page::kFish: return fish_completions(commands);
  }
  return "";
}

}  // namespace ravel
