#include "threads/search/run_in_parts.h"

#include <span>

#include "base/check.h"
#include "engine/divisible.h"
#include "engine/explorer_loop.h"
#include "engine/named_step.h"
#include "parts/search_in_parts.h"

namespace ravel::threads {

namespace {

// Of parts, in a copy of the process.
class CopyListener final : public Listener {
 public:
  CopyListener(SearchedProgram& program, bool adapts) : program_(program), adapts_(adapts) {}

  void on_progress(const Counts&) override { program_.copies()->tidy(); }
  bool ends_search() override {
    return (adapts_ && program_.has_new_racy_words()) || program_.needs_fairness();
  }

 private:
  SearchedProgram& program_;
  const bool adapts_;
};

}  // namespace

void RunInParts::learn(const std::vector<std::string>& news) {
  for (const std::string& one : news)
    CHECK_MESSAGE(setting_.program.copies()->learn(one), "what a part has shown makes no sense");
}

std::optional<Exploration> RunInParts::run(const Exploration& so_far) {
  SearchedProgram& program = setting_.program;
  System& system = program.system();
  ProgramCopies& copies = *program.copies();
  CopyListener listener(program, setting_.adapts);
  Limits limits = setting_.limits;
  // Processes that are left by other searches leave their memory, too.
  if (limits.memory) *limits.memory /= setting_.jobs.jobs;
  bool is_copy = false;
  const auto save = [&](const Exploration& now) {
    PartFindings findings{.result = name_result(now, system)};
    if (!is_copy) return findings;
    if (std::string news = copies.news(); !news.empty()) findings.news.push_back(std::move(news));
    return findings;
  };
  const auto discovered = [&](std::span<const NamedStep> steps) {
    FoundSteps found = find_steps(system, steps);
    CHECK_MESSAGE(!found.missing, kNondeterminism);
    last_ = std::move(found.transitions);
  };
  SearchInParts search(
      {.system = system,
       .strategy = setting_.strategy,
       .running = {
           .system = system,
           .limits = limits,
           .listener = &listener,
           .make_strategy = setting_.make_strategy,
           .save = save,
           .held_memory = setting_.surroundings.held_memory,
           .make_explorer =
               [&](Strategy& strategy, const Limits& of_run, Clock& clock, const Surroundings& surroundings) {
                 return program.make_explorer(strategy, of_run, clock, surroundings);
               },
           .begin_part = [&] { copies.begin_part(); },
           .fork =
               [&] {
                 auto forked = copies.make();
                 is_copy = is_copy || (forked && forked->parent);
                 return forked;
               }},
       .processes = setting_.processes,
       .seconds_alone = setting_.jobs.seconds_alone,
       .limits = setting_.limits,
       .surroundings = setting_.surroundings,
       .keeping = setting_.keeping,
       .keep = setting_.surroundings.keep ? [this](PartFindings now) { keep(std::move(now)); }
                                          : std::function<void(PartFindings)>(),
       .may_be_copied = [&] { return copies.why_none().empty(); },
       .discovered = discovered});
  std::optional<Exploration> found = search.run(so_far);
  if (search.was_divided()) learn(search.total().news);
  // It is the execution that this process has run last, as of a run by itself.
  if (!last_.empty()) find_steps(system, name_steps(last_, system));
  const bool has_ended_for_a_reason = last_.empty() || !found || found->refusal || listener.ends_search();
  CHECK_MESSAGE(has_ended_for_a_reason, kNondeterminism);
  const bool is_told = setting_.surroundings.interrupt->load() || !last_.empty();
  if (found && found->stop == Stop::kInterrupted && !is_told && !search.problems().empty())
    problem_ = search.problems().back();
  return found;
}

void RunInParts::keep(PartFindings now) {
  learn(now.news);
  System& system = setting_.program.system();
  auto found = find_result(now.result, system);
  CHECK_MESSAGE(found, kNondeterminism);
  // Of those that are not told yet the raw form is known when they have happened here.
  for (std::size_t i = 0; i < found->bugs.size(); ++i) {
    if (setting_.raw.knows(found->bugs[i])) continue;
    find_steps(system, now.result.bugs[i].schedule);
    setting_.raw.on_bug(found->bugs[i]);
  }
  setting_.surroundings.keep(*found);
}

}  // namespace ravel::threads
