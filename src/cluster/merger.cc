#include "cluster/merger.h"

#include <cstdio>
#include <sstream>

namespace ravel::cluster {

namespace {

std::vector<std::string> command(const Options& options) {
  std::vector<std::string> words = {options.ravel, "merge", options.folder, "--serve"};
  words.insert(words.end(), options.results.begin(), options.results.end());
  if (options.is_quiet) words.emplace_back("-q");
  return words;
}

bool is_last(const std::string& line) { return line == "done" || line == "over"; }

// After the first word.
std::string rest_of(const std::string& line) {
  const std::size_t space = line.find(' ');
  return space == std::string::npos ? std::string() : line.substr(space + 1);
}

}  // namespace

Merger::Merger(const Options& options) : process_(command(options), Pipes::kYes) {}

std::optional<std::vector<std::string>> Merger::ask(const std::string& line) {
  if (!process_.say(line)) return std::nullopt;
  std::vector<std::string> lines;
  while (lines.empty() || !is_last(lines.back())) {
    auto next = process_.hear();
    if (next) {
      lines.push_back(std::move(*next));
      continue;
    }
    // It speaks to the user: the search was over before.
    for (const std::string& told : lines) std::puts(told.c_str());
    return std::nullopt;
  }
  return lines;
}

std::optional<std::vector<std::string>> Merger::files() {
  auto lines = ask("files");
  if (!lines) return std::nullopt;
  lines->pop_back();
  for (std::string& line : *lines) line = rest_of(line);
  return lines;
}

std::optional<Merger::Next> Merger::next() {
  const auto lines = ask("go");
  if (!lines) return std::nullopt;
  Next next;
  next.is_over = lines->back() == "over";
  for (const std::string& line : *lines) {
    if (is_last(line)) continue;
    const std::string what = rest_of(line);
    next.parts.push_back({.number = what.substr(0, what.find(' ')), .path = rest_of(what)});
  }
  return next;
}

std::optional<std::string> Merger::take(const std::string& result) {
  if (!process_.say("result " + result)) return std::nullopt;
  const auto line = process_.hear();
  if (!line) return std::nullopt;
  if (line->starts_with("refused")) return rest_of(*line);
  if (line->starts_with("dropped")) return std::string();
  std::istringstream numbers(rest_of(*line));
  numbers >> executions_ >> bugs_;
  return std::string();
}

bool Merger::want(int parts) { return ask("wanted " + std::to_string(parts)).has_value(); }

bool Merger::save() { return ask("save").has_value(); }

int Merger::end() {
  process_.close_input();
  while (const auto line = process_.hear()) std::puts(line->c_str());
  std::fflush(stdout);
  return process_.wait();
}

}  // namespace ravel::cluster
