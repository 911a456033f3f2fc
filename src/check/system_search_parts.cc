// How SystemSearch has a search run by several processes.

#include <utility>

#include "base/check.h"
#include "base/memory.h"
#include "check/part_work.h"
#include "check/system_search.h"
#include "engine/divisible.h"
#include "engine/named_step.h"
#include "parts/search_in_parts.h"

namespace ravel {

// Whether the search goes on from where several processes had parts of it.
bool SystemSearch::is_in_parts() const {
  const Divisible* const divisible = as_divisible(strategy_.get());
  return so_far_ && divisible != nullptr && divisible->is_of_source(*so_far_->position);
}

bool SystemSearch::may_be_divided() const {
  return is_in_parts() || (task_.processes.most > 1 && why_undivided().empty());
}

// Why one process has the whole search: a sentence without its end. Empty: several may have parts of it.
std::string SystemSearch::why_undivided() const {
  if (task_.is_noted) return "--graph notes executions in their order";
  if (!may_have_parts_) return "--coverage counts what comes next to what";
  return why_no_parts(*strategy_, settings_.request);
}

PartRunning SystemSearch::running_parts(Listener& listener, Telling telling) {
  Limits limits = settings_.request.limits;
  // Processes that are left by other searches leave their memory, too.
  if (limits.memory) *limits.memory /= options_.jobs;
  return {.system = system_,
          .limits = limits,
          .listener = &listener,
          .make_strategy =
              [this, telling] {
                if (telling == Telling::kNobody) writer_->be_silent();
                return make_strategy(*find_strategy(settings_.request.strategy), settings_.request.parameters,
                                     settings_.context);
              },
          .save = [this](const Exploration& now) { return findings_of(save(now)); },
          .held_memory = resident_bytes};
}

// What several processes have found, to be gone on with.
void SystemSearch::keep_parts(PartFindings findings) const {
  SavedTest now;
  now.program = subject_.program;
  if (own_) now.own = own_();
  put_findings(now, std::move(findings));
  now.report.test = report_.test;
  now.report.title = report_.title;
  for (const NamedBug& bug : now.report.result.bugs)
    now.report.tickets.push_back(writer_->ticket_of(bug.bug));
  if (task_.keep) task_.keep(now);
}

void SystemSearch::add_findings(const PartFindings& findings) {
  report_.left_behind.add(findings.left_behind);
  report_.handled_ends.add(findings.handled_ends);
}

Exploration SystemSearch::run_in_parts(const Surroundings& surroundings) {
  SearchInParts search(
      {.system = system_,
       .strategy = *strategy_,
       .running = running_parts(*surroundings.listener),
       .processes = task_.processes,
       .seconds_alone = so_far_ ? 0 : settings_.seconds_alone,
       .limits = settings_.request.limits,
       .surroundings = surroundings,
       .keeping = settings_.keeping,
       .keep = [this](PartFindings now) { keep_parts(std::move(now)); },
       .begin_copy = [this] { writer_->be_silent(); },
       .discovered = [this](std::span<const NamedStep> steps) { find_steps(system_, steps); }});
  auto found = search.run(so_far_);
  for (const std::string& problem : search.problems()) report_.warnings.push_back(problem);
  if (search.was_divided()) add_findings(search.total());
  return found ? std::move(*found) : refuse_position();
}

void SystemSearch::tell_bug(const NamedBug& bug, Listener& listener) {
  SearchResult one;
  one.bugs.push_back(bug);
  const auto here = find_result(one, system_);
  CHECK_MESSAGE(here, "what parts have found cannot be done here: nondeterminism that is not under control");
  listener.on_bug(here->bugs.front());
}

// Parts that other machines run.
Exploration SystemSearch::work_on_parts(const Surroundings& surroundings) {
  Listener& listener = *surroundings.listener;
  const Telling telling = task_.parts->tells_bugs() ? Telling::kWriter : Telling::kNobody;
  const SavedTest total =
      task_.parts->run({.system = system_,
                        .divisible = *as_divisible(strategy_.get()),
                        .running = running_parts(listener, telling),
                        .settings = settings_,
                        .interrupt = *surroundings.interrupt,
                        .save = [this](const Exploration& now) { return save(now); },
                        .on_bug = [&](const NamedBug& bug) { tell_bug(bug, listener); },
                        .discovered = [&](std::span<const NamedStep> steps) { find_steps(system_, steps); }});
  report_.left_behind.add(total.report.left_behind);
  report_.handled_ends.add(total.report.handled_ends);
  report_.warnings.insert(report_.warnings.end(), total.report.warnings.begin(), total.report.warnings.end());
  auto found = find_result(total.report.result, system_);
  CHECK_MESSAGE(found, "what parts have found cannot be done here: nondeterminism that is not under control");
  return std::move(*found);
}

}  // namespace ravel
