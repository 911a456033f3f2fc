#include "threads/search/visit_states.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/check.h"
#include "engine/position.h"
#include "explorers/built_in.h"
#include "states/shared_position.h"
#include "states/state_search.h"
#include "strategy/catalogue.h"
#include "threads/search/share_states.h"

namespace ravel::threads {

namespace {

void write_traits(const StateTraits& traits, PositionWriter& writer) {
  writer.put(traits.dates_matter ? 1 : 0);
  writer.put(traits.stacks_are_shared ? 1 : 0);
  writer.put(traits.loop_heads.size());
  for (const std::uint64_t head : traits.loop_heads) writer.put(head);
}

StateTraits read_traits(PositionReader& reader) {
  StateTraits traits = {.dates_matter = reader.get() != 0, .stacks_are_shared = reader.get() != 0};
  // More are damage, which the reader notices.
  constexpr std::uint64_t kHeadsMax = 1 << 16;
  for (std::uint64_t left = std::min(reader.get(), kHeadsMax); left > 0; --left)
    traits.loop_heads.push_back(reader.get());
  return traits;
}

}  // namespace

std::unique_ptr<VisitStates> VisitStates::make(Setting setting, const std::string& position) {
  StateTraits known;
  std::optional<std::string> place;
  if (!position.empty()) {
    PositionReader reader(position);
    known = read_traits(reader);
    place = reader.get_position();
    if (!reader.is_complete()) return nullptr;
  }
  return std::unique_ptr<VisitStates>(new VisitStates(std::move(setting), known, std::move(place)));
}

VisitStates::VisitStates(Setting setting, const StateTraits& known, std::optional<std::string> place)
    : setting_(std::move(setting)), place_(std::move(place)), why_undivided_(why_one_visits()) {
  StateStorage storage = this->storage();
  if ((place_ && SharedPosition::is_one(*place_)) || (setting_.jobs.jobs > 1 && why_undivided_.empty()))
    storage.shared = &shared_.emplace(setting_.jobs.jobs);
  states_ = setting_.program.number_states(storage, known);
  CHECK(states_ != nullptr);
}

StateOrder VisitStates::order() const { return *find_strategy(setting_.request.strategy)->traits.by_states; }

std::string VisitStates::why_one_visits() const {
  ProgramCopies* const copies = setting_.program.copies();
  if (copies == nullptr) return "the explorer is asked from outside of the program's process";
  if (std::string why = copies->why_none(); !why.empty()) return why;
  const SearchRequest& request = setting_.request;
  if (find_strategy(request.strategy)->traits.samples)
    return "--strategy " + request.strategy + " is not for several";
  if (request.parameters.explorer == kPreemptionsExplorer) return "--explorer preemptions is not for several";
  if (request.parameters.own_value("--bitstate")) return "--bitstate is not for several";
  if (request.parameters.own_value("--fingerprints") == 64) return "--fingerprints 64 is not for several";
  if (request.limits.executions) return "a budget of executions is not for several";
  if (place_ && !SharedPosition::is_one(*place_)) return "it goes on from where one process was";
  return "";
}

// Hashes alone: the memory of a program is large.
StateStorage VisitStates::storage() const {
  StateStorage storage;
  const StrategyParameters& parameters = setting_.request.parameters;
  if (const auto megabytes = parameters.own_value("--bitstate"))
    storage.filter_bytes = *megabytes << 20;
  else
    storage.hash_bits = static_cast<std::uint32_t>(parameters.own_value("--fingerprints").value_or(128));
  return storage;
}

std::optional<Exploration> VisitStates::run(const Counts& counts) {
  Exploration so_far;
  if (place_) {
    so_far.counts = counts;
    so_far.position = place_;
    if (counts.states) replayed_before_ = counts.states->replayed;
  }
  Surroundings surroundings = setting_.surroundings;
  if (surroundings.keep) {
    surroundings.keep = [this](const Exploration& now) {
      if (is_pointless()) return;
      Exploration refined = now;
      refine(refined);
      setting_.surroundings.keep(refined);
    };
  }
  std::optional<Exploration> found;
  if (shared_)
    found = share_states({.program = setting_.program,
                          .states = *states_,
                          .shared = *shared_,
                          .jobs = setting_.jobs,
                          .strategy = setting_.request.strategy,
                          .order = order(),
                          .parameters = setting_.request.parameters,
                          .limits = setting_.limits,
                          .surroundings = surroundings,
                          .is_pointless = [this] { return is_pointless(); }},
                         std::move(so_far), problems_);
  else
    found = visit(surroundings, std::move(so_far));
  if (found) refine(*found);
  return found;
}

// By one process.
std::optional<Exploration> VisitStates::visit(const Surroundings& surroundings, Exploration so_far) {
  const StrategyParameters& parameters = setting_.request.parameters;
  StateSearch search(states_->system(), order(), setting_.limits, setting_.clock, surroundings);
  // What is put off stays in memory: files that this process writes are those of the program.
  if (order() == StateOrder::kByDelays) {
    const ExplorerNeeds explorer = setting_.program.delaying_explorer();
    search.delay(make_explorer(parameters, explorer), parameters.bound, explorer,
                 {.by_ways = true, .memory_max = std::numeric_limits<std::size_t>::max()});
  }
  if (find_strategy(setting_.request.strategy)->traits.samples)
    search.sample_after_strata(parameters.seed, parameters.executions);
  if (so_far.position) {
    if (!search.go_on_from(std::move(so_far))) return std::nullopt;
    replayed_to_go_on_ = states_->replayed();
  }
  return search.run();
}

// The engine does not know what the states are.
void VisitStates::refine(Exploration& exploration) const {
  exploration.strategy = setting_.request.strategy;
  // Of several processes it was told what each has taken.
  if (exploration.counts.states && (!shared_ || exploration.counts.states->replayed == 0))
    exploration.counts.states->replayed = replayed_before_ + states_->replayed() - replayed_to_go_on_;
  if (!exploration.position) return;
  PositionWriter writer;
  write_traits(states_->traits(), writer);
  writer.put_position(*exploration.position);
  exploration.position = writer.bytes();
}

}  // namespace ravel::threads
