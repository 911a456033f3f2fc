#include "front_ends/threads/divided_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "engine/divisible.h"
#include "engine/named_step.h"
#include "front_ends/threads/noted_bytes.h"
#include "front_ends/threads/program_note.h"
#include "front_ends/threads/program_tests.h"
#include "host/interrupt.h"
#include "strategy/catalogue.h"

namespace ravel::threads {

Error DividedSearch::end_of_process(const std::string& how) const {
  if (setting_.system.needs_machine())
    return Error{setting_.call.path +
                 ": the test uses a socket with a name that all processes of a machine share, as a port, so "
                 "parts of its search would get in each other's way. Search it by 'ravel check'."};
  return Error{fmt::format(
      "{}: the program's own process came to an end in the search ({}); a search with a process for each "
      "execution cannot be divided. Search it with 'ravel check'.",
      setting_.call.path, how)};
}

std::unique_ptr<Strategy> DividedSearch::make_strategy() const {
  const SearchRequest& request = setting_.order.request;
  auto strategy = ravel::make_strategy(request.strategy, request.parameters,
                                       {.waits_unseen = setting_.configuration.is_fair});
  CHECK(strategy.ok());
  return std::move(*strategy);
}

// Looks for races, as one process does before its search: that is a search of no execution.
Status DividedSearch::make_ready() {
  const std::atomic<bool>& interrupt = catch_interrupts();
  SearchOrder order = setting_.order;
  order.request.limits.executions = 0;
  const auto ready = setting_.system.search(order, {.on_progress = [](const Counts&) {},
                                                    .on_kept = [](const Searched&) {},
                                                    .is_interrupted = [&] { return interrupt.load(); }});
  if (!ready) return end_of_process(ready.error().message);
  setting_.configuration.tracked = ready->tracked;
  setting_.configuration.is_fair = ready->is_fair;
  return Success{};
}

Result<std::optional<Searched>> DividedSearch::run() {
  PartWork& work = setting_.work;
  setting_.system.follow_findings();
  if (work.begins_anew())
    if (Status ready = make_ready(); !ready) return ready.error();
  for (;;) {
    setting_.system.set_configuration(setting_.configuration);
    own();  // what was found out before stays so, also with other operations
    const std::unique_ptr<Strategy> strategy = make_strategy();
    Divisible* const divisible = as_divisible(strategy.get());
    if (divisible == nullptr)
      return Error{fmt::format(
          "{}: {}, and such a search cannot be divided. Search it with 'ravel check'.", setting_.call.path,
          has_waited_ ? "a thread waits for others in a loop in a way that needs fairness"
                      : "with these options the search compares no executions")};
    const SavedTest total = run_once(*divisible);
    if (!problem_) return problem_.error();
    if (has_to_begin_anew()) continue;
    if (!work.status() || !work.is_over()) return std::optional<Searched>();
    return std::optional(searched(total));
  }
}

SavedTest DividedSearch::run_once(Divisible& divisible) {
  RemoteSystem& system = setting_.system;
  const PartRunning running = {.system = system,
                               .limits = setting_.order.request.limits,
                               .make_strategy = [this] { return make_strategy(); }};
  const auto save = [&](const Exploration& now) {
    SavedTest test;
    test.report.test = report_name(setting_.call);
    test.report.result = name_result(now, system);
    test.program = print_program_note(note_program(setting_.call, setting_.configuration));
    test.own = own();
    return test;
  };
  return setting_.work.run(
      {.system = system,
       .divisible = divisible,
       .running = running,
       .settings = setting_.settings,
       .interrupt = catch_interrupts(),
       .save = save,
       .on_bug = [&](const NamedBug& bug) { setting_.on_bug(raw_of(bug), bug); },
       .discovered = [&](std::span<const NamedStep> steps) { note_discovery(steps); },
       .run_part = [&](const Part& part, const PartBudget& budget) { return run_part(part, budget); },
       .learn = [&](const std::vector<std::string>& news) { return learn(news); }});
}

Result<PartRun> DividedSearch::run_part(const Part& part, const PartBudget& budget) {
  const std::atomic<bool>& interrupt = catch_interrupts();
  SearchOrder order = setting_.order;
  order.request.limits.seconds = budget.seconds;
  order.request.limits.executions = budget.executions;
  const auto ran = setting_.system.run_part(order, print_part(part), [&] { return interrupt.load(); });
  if (!ran) return end_of_process(ran.error().message);
  if (ran->slice.empty()) return PartRun{.makes_sense = ran->makes_sense, .slice = std::nullopt};
  std::optional<PartSlice> slice = parse_slice(ran->slice);
  CHECK_MESSAGE(slice, "the program's process tells what makes no sense");
  for (std::string& news : slice->found.news) news = json_of_bytes(news);
  return PartRun{.makes_sense = ran->makes_sense, .slice = std::move(slice)};
}

// ---- What executions have shown --------------------------------------------------------------------------

// What was not known before makes it begin anew: a search with fewer operations is pointless.
bool DividedSearch::has_to_begin_anew() {
  Configuration& configuration = setting_.configuration;
  const std::vector<std::uint64_t> words = setting_.system.gathered().take_new_racy_words();
  const bool has_grown = configuration.accesses == AccessOperations::kRacy && !words.empty();
  if (has_grown) configuration.tracked.insert(configuration.tracked.end(), words.begin(), words.end());
  const bool needs_fairness = !configuration.is_fair && setting_.system.needs_fairness();
  if (needs_fairness) configuration.is_fair = has_waited_ = true;
  return has_grown || needs_fairness;
}

bool DividedSearch::learn(const std::vector<std::string>& news) {
  std::vector<std::string> read;
  for (const std::string& one : news) {
    auto bytes = bytes_of_json(one);
    if (!bytes) {
      problem_ = Error{"a result does not hold what it should. Run its part again with 'ravel part'."};
      return true;
    }
    if (!bytes->empty() && std::ranges::find(known_, *bytes) == known_.end())
      read.push_back(std::move(*bytes));
  }
  if (read.empty()) return false;
  if (const auto all = setting_.system.learn(read); !all) {
    problem_ = end_of_process(all.error().message);
    return true;
  }
  known_.insert(known_.end(), read.begin(), read.end());
  const bool adapts = setting_.configuration.accesses == AccessOperations::kRacy;
  return (adapts && setting_.system.gathered().has_new_racy_words()) || setting_.system.needs_fairness();
}

// All that is known, as it is saved.
std::string DividedSearch::own() {
  std::erase(known_, "");
  auto all = setting_.system.learn(known_);
  if (!all) {
    problem_ = end_of_process(all.error().message);
    return kNoBytes;
  }
  known_ = {*all};
  return json_of_bytes(*all);
}

void DividedSearch::note_discovery(std::span<const NamedStep> steps) {
  RemoteSystem& system = setting_.system;
  refused_.reset();
  if (const FoundSteps found = find_steps(system, steps); found.missing)
    problem_ = Error{setting_.call.path +
                     ": an execution of a part cannot be run again: the program does what is not under "
                     "control."};
  else if (system.outcome() == Outcome::kUnsupported)
    refused_ = {.message = system.state().refusal, .stack = system.state().bug.stack};
}

// ---- The end ---------------------------------------------------------------------------------------------

RawFoundBug DividedSearch::raw_of(const NamedBug& bug) {
  RemoteSystem& system = setting_.system;
  RawFoundBug raw{.bug = {.kind = bug.bug.kind,
                          .message = bug.bug.message,
                          .file = {},
                          .stack = {},
                          .details = bug.bug.details},
                  .tracked = setting_.configuration.tracked,
                  .is_fair = setting_.configuration.is_fair};
  const FoundSteps found = find_steps(system, bug.schedule);
  if (!found.missing && system.outcome() == Outcome::kBug) raw.bug = system.raw_bug();
  return raw;
}

Searched DividedSearch::searched(const SavedTest& total) {
  Searched searched;
  searched.result = total.report.result;
  SearchResult& result = searched.result;
  result.position.reset();
  for (const NamedBug& bug : result.bugs) searched.raw_bugs.push_back(raw_of(bug));
  if (result.refusal && refused_) {
    result.refusal->message = refused_->message;
    searched.refused_at = refused_->stack;
  }
  searched.tracked = setting_.configuration.tracked;
  searched.is_fair = setting_.configuration.is_fair;
  own();  // a process that a bug has ended forgets what it knew
  searched.findings = setting_.system.findings();
  return searched;
}

}  // namespace ravel::threads
