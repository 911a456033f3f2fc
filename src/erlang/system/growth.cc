#include "erlang/system/growth.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <unordered_set>

namespace ravel::erlang {

namespace {

// How much of a term is looked at, and how much is told.
constexpr std::size_t kWordsMax = 100'000, kToldMax = 3;

bool is_growing(std::span<const std::uint64_t> sizes) {
  return std::ranges::adjacent_find(sizes, std::greater_equal<>()) == sizes.end();
}

std::span<const Term> words_of(Term term) {
  if (term.is_cons()) return {term.cell(), 2};
  if (!term.is_boxed() || is_raw(kind_of(term.header()))) return {};
  return {term.object() + 1, static_cast<std::size_t>(size_of(term.header()))};
}

// How many words a term takes, each part counted once.
std::uint64_t words_in(Term root) {
  std::unordered_set<Word> seen;
  std::vector<Term> pending = {root};
  std::uint64_t words = 0;
  while (!pending.empty() && words < kWordsMax) {
    const Term term = pending.back();
    pending.pop_back();
    if (!term.is_pointer() || !seen.insert(term.bits()).second) continue;
    const std::span<const Term> parts = words_of(term);
    words += parts.size();
    pending.insert(pending.end(), parts.begin(), parts.end());
  }
  return words;
}

// The values of a number that stands at the same place in all these terms, and is larger in each than in the
// one before. The terms have the same shape up to there.
std::optional<std::vector<std::int64_t>> find_counter(std::vector<Term> roots) {
  std::vector<std::vector<Term>> pending = {std::move(roots)};
  for (std::size_t looked = 0; !pending.empty() && looked < kWordsMax; ++looked) {
    const std::vector<Term> terms = std::move(pending.back());
    pending.pop_back();
    if (std::ranges::all_of(terms, [&](Term term) { return term == terms.front(); })) continue;
    if (std::ranges::all_of(terms, [](Term term) { return term.is_small(); })) {
      std::vector<std::int64_t> values;
      for (const Term term : terms) values.push_back(term.small_value());
      if (std::ranges::adjacent_find(values, std::greater_equal<>()) == values.end()) return values;
      continue;
    }
    const std::size_t size = words_of(terms.front()).size();
    const bool have_same_shape = std::ranges::all_of(terms, [&](Term term) {
      return term.is_cons() == terms.front().is_cons() && words_of(term).size() == size;
    });
    if (!have_same_shape) continue;
    for (std::size_t i = 0; i < size; ++i) {
      std::vector<Term>& parts = pending.emplace_back();
      for (const Term term : terms) parts.push_back(words_of(term)[i]);
    }
  }
  return std::nullopt;
}

}  // namespace

void Growth::note(const std::string& what, const std::string& unit, std::uint64_t size) {
  auto known = std::ranges::find(measures_, what, &Measure::what);
  if (known == measures_.end()) {
    if (looks_ > 0) return;  // what was not there the first time
    measures_.push_back({.what = what, .unit = unit, .sizes = {}});
    known = measures_.end() - 1;
  }
  if (known->sizes.size() == looks_) known->sizes.push_back(size);
}

void Growth::look_at(const Process& process) {
  const std::string name = machine_.names.pid_text(process.pid);
  note("the mailbox of " + name, "messages", process.mailbox.size());
  const ImageParts parts = machine_.freezer.parts_of(process.image);
  note("what " + name + " has on its stack", "words", words_in(parts.stack));
  note("the dictionary of " + name, "words", words_in(process.attributes.dictionary));
  note("the number of links, monitors and aliases of " + name, "",
       process.attributes.links.size() + process.attributes.monitors.size() +
           process.attributes.aliases.size());
  note("the unique integers that " + name + " has made", "", process.attributes.references_made);
  const auto known = std::ranges::find(stacks_, process.pid, &Stacks::pid);
  if (known != stacks_.end()) {
    known->stacks.push_back(parts.stack);
  } else if (looks_ == 0) {
    stacks_.push_back({.pid = process.pid, .stacks = {parts.stack}});
  }
}

void Growth::look() {
  machine_.freezer.store_state();
  for (const Process* process : machine_.processes.changed()) look_at(*process);
  for (const auto& table : machine_.tables.all())
    note("the table " + std::string(machine_.names.atoms.text(table->name)), "rows", table->size);
  note("the number of processes", "", machine_.processes.all().size());
  note("the number of atoms that were made", "", machine_.names.atoms.run_time_atoms().size());
  note("the time that clocks show", "ms", static_cast<std::uint64_t>(machine_.time.now_ms()));
  note("the unique integers that were made", "", machine_.shared_terms().unique_integers);
  ++looks_;
}

std::vector<std::string> Growth::describe() const {
  std::vector<std::string> sentences;
  for (const Measure& measure : measures_) {
    if (sentences.size() == kToldMax) return sentences;
    if (measure.sizes.size() == looks_ && is_growing(measure.sizes))
      sentences.push_back(fmt::format("{} grows: {}{}{}", measure.what, fmt::join(measure.sizes, ", "),
                                      measure.unit.empty() ? "" : " ", measure.unit));
  }
  for (const Stacks& one : stacks_) {
    if (sentences.size() == kToldMax || one.stacks.size() < looks_) continue;
    if (const auto counter = find_counter(one.stacks))
      sentences.push_back(fmt::format("a number that {} keeps grows: {}", machine_.names.pid_text(one.pid),
                                      fmt::join(*counter, ", ")));
  }
  return sentences;
}

}  // namespace ravel::erlang
