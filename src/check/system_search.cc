#include "check/system_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/check.h"
#include "base/clock.h"
#include "base/memory.h"
#include "check/check.h"
#include "check/part_work.h"
#include "engine/divisible.h"
#include "engine/explorer.h"
#include "engine/named_step.h"
#include "host/interrupt.h"
#include "host/messages.h"
#include "report/noted_search.h"

namespace ravel {

namespace {

constexpr const char kCannotGoOn[] =
    " cannot go on from there: what the file says of it is damaged, or of another program or explorer. Begin "
    "anew.";

// A search of which several processes could have had parts, and that took longer, is worth a remark.
constexpr double kSecondsAloneTold = 1;

TicketSubject complete(TicketSubject subject, const CheckOptions& options, const SearchSettings& settings) {
  subject.folder = ticket_folder(options);
  subject.events_max = settings.request.limits.events_max;
  return subject;
}

}  // namespace

SystemSearch::SystemSearch(System& system, SearchSettings settings, const SearchTask& task,
                           const CheckOptions& options, TicketSubject tickets)
    : system_(system),
      settings_(std::move(settings)),
      task_(task),
      options_(options),
      subject_(complete(std::move(tickets), options, settings_)),
      progress_(stderr) {
  report_.test = subject_.test;
}

SystemSearch::~SystemSearch() = default;

Status SystemSearch::begin(const SavedTest* before) {
  SearchRequest& request = settings_.request;
  if (task_.parts != nullptr && task_.parts->begins_anew()) before = nullptr;
  request.prefix.assign(task_.prefix.begin(), task_.prefix.end());
  if (before != nullptr) request.so_far = before->report.result;
  const StrategyEntry& strategy = *find_strategy(request.strategy);
  if (Status fitting = check_parts(strategy, states_of_->parts()); !fitting) return fitting;
  if (!request.prefix.empty()) {
    FoundSteps found = find_steps(system_, request.prefix);
    if (found.missing)
      return Error{fmt::format("{}: with --strategy {} the program can't take event {} of the trace, of {}.",
                               options_.trace, request.strategy, *found.missing,
                               request.prefix[*found.missing - 1].actor.to_string())};
    settings_.context.prefix = std::move(found.transitions);
  }
  if (strategy.traits.by_states && (!request.prefix.empty() || task_.is_noted))
    return Error{fmt::format("--strategy {} visits states, and knows no executions: {} is not for it.",
                             request.strategy, !request.prefix.empty() ? "--trace" : "--graph")};
  for (const std::string& formula : formulas_) {
    auto question = ravel::ask(formula, fairness_, states_of_->propositions());
    if (!question) return Error{"--ltl: " + question.error().message};
    question->tell = tell_;
    questions_.push_back(std::move(*question));
  }
  if (asks_about_progress_)
    questions_.push_back(ravel::ask_about_progress(fairness_, states_of_->propositions()));
  settings_.context.explorer.complaints = complaints_;
  if (!strategy.traits.by_states) strategy_ = make_strategy(strategy, request.parameters, settings_.context);
  // What files say of parts is enough for sources without an order of their own.
  const bool has_part_files = strategy.traits.compares_executions && as_divisible(strategy_.get()) != nullptr;
  if (task_.parts != nullptr && !has_part_files)
    return Error{
        fmt::format("a search with --strategy {} and these options cannot be divided yet; choose --strategy "
                    "dpor or variants.",
                    request.strategy)};
  if (request.so_far) {
    so_far_ = find_result(*request.so_far, system_);
    const bool goes_on = strategy_ != nullptr && task_.parts == nullptr;
    if (!so_far_ || (goes_on && !is_in_parts() && !read_position(*request.so_far->position)))
      return Error{options_.resume + ": the search of " + subject_.test + kCannotGoOn};
  }
  if (task_.is_one_of_several) progress_.set_label(subject_.test);
  writer_ = std::make_unique<TicketWriter>(system_, subject_, progress_);
  if (states_of_ != &system_) writer_->set_system_of_lassos(*states_of_, program_of_states_);
  return Success{};
}

bool SystemSearch::read_position(const std::string& position) {
  PositionReader reader(position);
  Trials trials(system_);
  return strategy_->read_position(reader, trials) && reader.is_complete();
}

void SystemSearch::run(Listener* listener) {
  // Those that were written before are there, or are written again.
  if (so_far_)
    for (const FoundBug& found : so_far_->bugs) writer_->on_bug(found);
  Surroundings surroundings = {.listener = listener == nullptr ? writer_.get() : listener,
                               .interrupt = &catch_interrupts(),
                               .held_memory = resident_bytes};
  if (task_.keep) surroundings.keep = [this](const Exploration& now) { keep(now); };
  surroundings.keeping = settings_.keeping;
  if (strategy_ == nullptr) {
    exploration_ = visit_states(surroundings);
    progress_.erase();
    add_complaints();
    return;
  }
  if (task_.parts != nullptr) {
    exploration_ = work_on_parts(surroundings);
  } else if (may_be_divided()) {
    exploration_ = run_in_parts(surroundings);
  } else if (task_.is_noted) {
    NotedSearch noted(*strategy_, system_);
    exploration_ = run_strategy(noted, surroundings);
    tree_ = noted.tree();
  } else {
    exploration_ = run_strategy(*strategy_, surroundings);
  }
  progress_.erase();
  add_complaints();
  if (options_.are_jobs_given && options_.jobs > 1 && exploration_.counts.seconds > kSecondsAloneTold &&
      !may_be_divided())
    remark(fmt::format("--jobs {}: one process has searched {}, since {}", options_.jobs, subject_.test,
                       why_undivided()),
           options_.report.colour);
}

Exploration SystemSearch::run_strategy(Strategy& strategy, Surroundings surroundings) {
  SteadyClock clock;
  Explorer explorer(system_, strategy, settings_.request.limits, clock, surroundings);
  return explorer.run(so_far_.value_or(Exploration{}));
}

// Of a delaying explorer.
void SystemSearch::add_complaints() {
  report_.warnings.insert(report_.warnings.end(), complaints_->begin(), complaints_->end());
}

// ---- By states -------------------------------------------------------------------------------------------

void SystemSearch::search_states_of(System& system, StateSearch::Translate translate, std::string program) {
  states_of_ = &system;
  program_of_states_ = std::move(program);
  translate_ = std::move(translate);
}

// If the System knows any.
void SystemSearch::repeat_steps_in(StateSearch& search) const {
  if (auto* const memory = dynamic_cast<StepMemory*>(states_of_)) search.repeat_steps(*memory);
}

Exploration SystemSearch::visit_states(const Surroundings& surroundings) {
  if (shared_states_ != nullptr) return share_states_with(surroundings);
  SteadyClock clock;
  StateSearch search(*states_of_, *settings_.traits().by_states, settings_.request.limits, clock,
                     surroundings, translate_);
  search.ask(std::move(questions_));
  const StrategyParameters& parameters = settings_.request.parameters;
  if (parameters.own_value("--reduced")) search.reduce();
  if (settings_.traits().by_states == StateOrder::kByDelays)
    search.delay(make_explorer(parameters, settings_.context.explorer), parameters.bound,
                 settings_.context.explorer);
  if (settings_.traits().samples) search.sample_after_strata(parameters.seed, parameters.executions);
  if (fairness_of_polling_) search.look_for_polling(*fairness_of_polling_);
  repeat_steps_in(search);
  if (!may_be_resumed_) search.forget_position();
  if (so_far_ && !search.go_on_from(*so_far_)) return refuse_position();
  Exploration exploration = search.run();
  exploration.strategy = settings_.request.strategy;
  if (exploration.stop == Stop::kComplete && exploration.bugs.empty())
    for (const std::string& proposition : search.never_held())
      report_.warnings.push_back("the proposition " + proposition + " held in no state and after no step");
  for (const std::string& what : search.growing())
    report_.warnings.push_back("no state may come again, since on the way to the one visited last " + what);
  tell_of_sharing(exploration);
  return exploration;
}

Exploration SystemSearch::refuse_position() const {
  Exploration refused;
  refused.stop = Stop::kUnsupported;
  refused.refusal = {.message = options_.resume + ": the search" + kCannotGoOn, .file = "", .line = 0};
  return refused;
}

SavedTest SystemSearch::save(const Exploration& now) const {
  SavedTest saved{.report = report_, .program = subject_.program, .own = own_ ? own_() : "{}"};
  saved.report.result = name_result(now, system_);
  if (add_findings_) add_findings_(saved.report);
  return saved;
}

void SystemSearch::keep(const Exploration& now) const {
  SavedTest saved = save(now);
  for (const FoundBug& found : now.bugs) saved.report.tickets.push_back(writer_->ticket_of(found.bug));
  task_.keep(saved);
}

std::string SystemSearch::why_unresumable() const {
  if (strategy_ != nullptr || exploration_.position || !is_interruption(exploration_.stop)) return "";
  const std::string_view with = !may_be_resumed_                                      ? "with --symmetric"
                                : settings_.request.parameters.own_value("--reduced") ? "with --reduced"
                                : !formulas_.empty()                                  ? "with --ltl"
                                : asks_about_progress_ ? "that asks about progress"
                                                       : "";
  return with.empty() ? "" : fmt::format("a search by states {} notes no place to go on from", with);
}

void SystemSearch::simplify(
    Simpler sense, const std::function<std::optional<std::vector<NamedStep>>(const Recording&)>& simplify) {
  const bool has_shortest = settings_.traits().by_states == StateOrder::kBreadthFirst;
  const bool has_fewest_preemptions = settings_.traits().finds_fewest_preemptions;
  if (sense == Simpler::kFewerEvents ? has_shortest : has_fewest_preemptions) return;
  std::vector<FoundBug>& bugs = exploration_.bugs;
  const std::uint64_t events_max = settings_.request.limits.events_max;
  for (std::size_t i = 0; i < std::min(kStoriesMax, bugs.size()); ++i) {
    FoundBug& found = bugs[i];
    if (found.lasso) continue;
    const auto steps = simplify(record_bug(system_, found, events_max));
    if (!steps) continue;
    const FoundSteps simpler = find_steps(system_, *steps);
    if (simpler.missing) continue;
    Recorder recorder(system_, events_max);
    for (const Transition& transition : simpler.transitions)
      if (recorder.running()) recorder.take(transition);
    const Recording recording = recorder.finish();
    if (!recording.bug || !recording.bug->is_same(found.bug)) continue;
    const bool is_shorter = recording.events.size() < found.schedule.size();
    if (sense == Simpler::kFewerEvents ? !is_shorter : recording.preemptions >= found.preemptions) continue;
    if (has_shortest && recording.events.size() > found.schedule.size()) continue;
    // The bug may come before the end.
    found.schedule.assign(simpler.transitions.begin(),
                          simpler.transitions.begin() + static_cast<std::ptrdiff_t>(recording.events.size()));
    found.preemptions = recording.preemptions;
    found.bug = *recording.bug;
    writer_->on_bug(found);
  }
}

SearchedTest SystemSearch::finish(const Explain& explain, const std::function<System*()>& shown) {
  if (!writer_->problem().empty())
    remark("a ticket could not be written: " + writer_->problem(), options_.report.colour);
  const std::vector<FoundBug>& bugs = exploration_.bugs;
  for (const FoundBug& found : bugs) report_.tickets.push_back(writer_->ticket_of(found.bug));
  SearchedTest searched;
  std::vector<Recording>& recordings = searched.report.recordings;
  std::vector<std::string> stories;
  // If somebody wants to know.
  if (options_.report.quiet == Quiet::kNo || !options_.json_file.empty()) {
    for (std::size_t i = 0; i < std::min(kStoriesMax, bugs.size()); ++i) {
      recordings.push_back(record_bug(system_of(bugs[i]), bugs[i], settings_.request.limits.events_max));
      report_.rare_events.push_back(count_rare_events(recordings.back()));
      report_.explanations.push_back(explain(recordings.back()));
      if (!task_.tell) continue;
      stories.push_back(
          task_.tell(shown ? shown() : nullptr, recordings.back(), report_.explanations.back()));
    }
  }
  report_.result = name_result(exploration_, system_, states_of_);
  searched.saved = SavedTest{.report = report_, .program = subject_.program};
  searched.unresumable = why_unresumable();
  report_.recordings = std::move(recordings);
  report_.stories = std::move(stories);
  report_.tree = std::move(tree_);
  searched.report = std::move(report_);
  return searched;
}

}  // namespace ravel
