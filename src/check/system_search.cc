#include "check/system_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/clock.h"
#include "check/check.h"
#include "check/find_steps.h"
#include "engine/explorer.h"
#include "host/interrupt.h"
#include "host/messages.h"
#include "report/search_graph.h"

namespace ravel {

namespace {

TicketSubject complete(TicketSubject subject, const CheckOptions& options, const SearchSettings& settings) {
  subject.folder = ticket_folder(options);
  subject.events_max = settings.limits.events_max;
  return subject;
}

}  // namespace

SystemSearch::SystemSearch(System& system, SearchSettings settings, const SearchTask& task, const CheckOptions& options,
                           TicketSubject tickets)
    : system_(system),
      settings_(std::move(settings)),
      task_(task),
      options_(options),
      subject_(complete(std::move(tickets), options, settings_)),
      progress_(stderr) {
  settings_.limits.interrupt = &catch_interrupts();
  tested_.test = subject_.test;
}

SystemSearch::~SystemSearch() = default;

Status SystemSearch::begin(const SavedTest* before) {
  if (!task_.prefix.empty()) {
    FoundSteps found = find_steps(system_, task_.prefix);
    if (found.missing)
      return Error{fmt::format("{}: with --strategy {} the program can't take event {} of the trace, of {}.", options_.trace,
                               settings_.strategy->name, *found.missing, task_.prefix[*found.missing - 1].actor.to_string())};
    settings_.strategy_options.prefix = std::move(found.transitions);
  }
  strategy_ = make_strategy(*settings_.strategy, settings_.strategy_options);
  if (before != nullptr) {
    so_far_ = restore_exploration(*before, system_);
    PositionReader reader(*before->tested.exploration.position);
    if (!so_far_ || !strategy_->read_position(reader, system_) || !reader.is_complete())
      return Error{options_.resume + ": the search of " + subject_.test + " cannot go on from there: what the file says of it is damaged, " +
                   "or of another program. Begin anew."};
  }
  if (task_.is_one_of_several) progress_.set_label(subject_.test);
  writer_ = std::make_unique<TicketWriter>(system_, subject_, progress_);
  return Success{};
}

void SystemSearch::run(Listener* listener) {
  // Those that were written before are there, or are written again.
  if (so_far_)
    for (const FoundBug& found : so_far_->bugs) writer_->on_bug(found);
  SearchGraph graph(*strategy_);
  Strategy& searching = task_.graph_name.empty() ? *strategy_ : graph;
  SteadyClock clock;
  Explorer explorer(system_, searching, settings_.limits, clock, listener == nullptr ? writer_.get() : listener);
  tested_.exploration = explorer.run(so_far_.value_or(Exploration{}));
  progress_.erase();
  if (!task_.graph_name.empty()) graph_ = graph.to_dot(subject_.test, task_.graph_name);
}

SearchedTest SystemSearch::finish(const Explain& explain) {
  if (!writer_->problem().empty()) remark("a ticket could not be written: " + writer_->problem(), options_.report.colour);
  SearchedTest searched;
  const std::vector<FoundBug>& bugs = tested_.exploration.bugs;
  for (const FoundBug& found : bugs) tested_.tickets.push_back(writer_->ticket_of(found.bug));
  // If somebody wants to know.
  if (options_.report.quiet == Quiet::kNo || !options_.json_file.empty()) {
    for (std::size_t i = 0; i < std::min(kStoriesMax, bugs.size()); ++i) {
      searched.recordings.push_back(record_bug(system_, bugs[i], settings_.limits.events_max));
      tested_.rare_events.push_back(count_rare_events(searched.recordings.back()));
      tested_.explanations.push_back(explain(searched.recordings.back()));
    }
  }
  searched.saved = save_test(tested_, system_, subject_.program);
  searched.graph = std::move(graph_);
  searched.tested = std::move(tested_);
  return searched;
}

}  // namespace ravel
