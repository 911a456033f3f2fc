// How SystemSearch has states visited by several processes.

#include "check/state_search_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "check/system_search.h"
#include "explorers/built_in.h"
#include "explorers/explorer_library.h"
#include "host/messages.h"
#include "sharing/shared_search.h"

namespace ravel {

namespace {

constexpr double kLongAlone = 10;  // seconds: others could have helped

// What there is that only one process can do.
std::string obstacle_to_sharing(const SearchSettings& settings, const SearchTask& task) {
  const StrategyParameters& parameters = settings.request.parameters;
  if (settings.traits().samples) return "--strategy " + settings.request.strategy;
  // One whose steps cost nothing where there is a choice, and those that are not part of the command, of
  // which other processes would have to hear what goes wrong.
  const bool has_free_choices = parameters.explorer == kPreemptionsExplorer;
  if (has_free_choices || !names_general_explorer(parameters.explorer))
    return "--explorer " + parameters.explorer;
  if (parameters.own_value("--reduced")) return "--reduced";
  if (parameters.own_value("--bitstate")) return "--bitstate";
  if (parameters.own_value("--fingerprints") == 64) return "--fingerprints 64";
  if (settings.request.limits.executions) return "a budget of executions";
  if (task.before != nullptr && !was_shared(task.before))
    return "a search that goes on from where one process was";
  return "";
}

}  // namespace

StateStorage storage_of(const StrategyParameters& asked) {
  return {.hash_bits = static_cast<std::uint32_t>(asked.own_value("--fingerprints").value_or(0)),
          .filter_bytes = asked.own_value("--bitstate").value_or(0) << 20};
}

bool was_shared(const SavedTest* before) {
  return before != nullptr && before->report.result.position &&
         SharedPosition::is_one(*before->report.result.position);
}

bool shares_states(const CheckOptions& options, const SearchSettings& settings, const SearchTask& task,
                   const std::string& own) {
  if (!settings.traits().by_states) return false;
  const bool goes_on = was_shared(task.before);  // also by one process
  if (options.jobs == 1 || !options.are_jobs_given) return goes_on;
  const std::string general = obstacle_to_sharing(settings, task);
  const std::string& obstacle = general.empty() ? own : general;
  if (obstacle.empty()) return true;
  remark("one process visits the states, whatever --jobs says: " + obstacle + " is not for several",
         options.report.colour);
  return goes_on;
}

void SystemSearch::tell_of_sharing(const Exploration& found) const {
  if (options_.are_jobs_given || options_.jobs < 2 || !may_be_shared_ || found.counts.seconds < kLongAlone)
    return;
  if (!obstacle_to_sharing(settings_, task_).empty()) return;
  remark(
      fmt::format("{}: one process has visited the states; with --jobs {} as many do, which keep hashes of "
                  "them",
                  subject_.test, options_.jobs),
      options_.report.colour);
}

Exploration SystemSearch::share_states_with(const Surroundings& surroundings) {
  const StrategyParameters& parameters = settings_.request.parameters;
  const auto save_found = [this](const Exploration& now) {
    PartFindings findings = findings_of(save(now));
    findings.warnings.insert(findings.warnings.end(), complaints_->begin(), complaints_->end());
    return findings;
  };
  const auto learn = [this](const PartFindings& found) {
    if (learn_own_)
      for (const std::string& own : found.news) learn_own_(own);
  };
  const auto keep = [this](const Exploration& now, const PartFindings& all) {
    SavedTest saved = save(now);
    saved.report.left_behind.add(all.left_behind);
    saved.report.handled_ends.add(all.handled_ends);
    for (const FoundBug& found : now.bugs) saved.report.tickets.push_back(writer_->ticket_of(found.bug));
    task_.keep(saved);
  };
  const auto ended = [this](const PartFindings& total) {
    report_.left_behind.add(total.left_behind);
    report_.handled_ends.add(total.handled_ends);
    complaints_->insert(total.warnings.begin(), total.warnings.end());
  };
  SharedSearch search(
      {.system = *states_of_,
       .states = *shared_states_,
       .teller = system_,
       .translate = translate_,
       .memory = dynamic_cast<StepMemory*>(states_of_),
       .strategy = settings_.request.strategy,
       .order = *settings_.traits().by_states,
       .make_explorer = [&] { return make_explorer(parameters, settings_.context.explorer); },
       .delays_max = parameters.bound,
       .needs = settings_.context.explorer,
       .jobs = options_.jobs,
       .seconds_alone = settings_.seconds_alone,
       .limits = settings_.request.limits,
       .surroundings = surroundings,
       .keeping = settings_.keeping,
       .notes_looks = fairness_of_polling_.has_value(),
       .begin_copy = [this] { writer_->be_silent(); },
       .save = save_found,
       .learn = learn,
       .ends_search = [&] { return surroundings.listener->ends_search(); },
       .keep = surroundings.keep ? keep : std::function<void(const Exploration&, const PartFindings&)>(),
       .ended = ended});
  const std::optional<Exploration> found = search.run(so_far_.value_or(Exploration{}));
  report_.warnings.insert(report_.warnings.end(), search.problems().begin(), search.problems().end());
  if (!found) return refuse_position();
  has_loops_ = found->stop == Stop::kComplete && fairness_of_polling_ &&
               search.looks().has_loop(std::max(*fairness_of_polling_, Fairness::kWeak));
  return *found;
}

}  // namespace ravel
