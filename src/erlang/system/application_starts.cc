// Applications that a test starts and stops: what happens meanwhile comes in one order
// (ErlangOptions::Starts::kOnce).
//
// The idea: mnesia has twenty processes, and starting it takes eight hundred events, most of which nobody
// would call part of the test that starts it in its setup. When a process asks the application controller for
// a start or a stop while nobody else can go on, all that follows comes in one order until nobody but that
// process can move: who moved last goes on, or else the first by name. Each of these events comes after all
// before it and before all after it, as one with which time passes (Access::kPass), so reduction finds no
// races with them; they hold for themselves what a mix project's applications hold, which are started before
// the test.
//
// That somebody asks while others can go on is no such start: those others may race with it. As whether they
// could still go on depends on the order of independent events, a search that meets one has to begin again
// with all orders explored of all that start or stop this application.
#include <algorithm>

#include "erlang/system/erlang_system.h"
#include "erlang/term/compare.h"

namespace ravel::erlang {

namespace {

// What starts, but does not come to rest in so many events, is explored from there on.
constexpr std::uint32_t kEventsMax = 100'000;
constexpr std::size_t kPlacesMax = 64;

}  // namespace

// A gen_server:call of {start_application, Name, Type} or {stop_application, Name}, as "stop_application
// mnesia".
std::optional<std::string> ErlangSystem::start_asked_for() const {
  const EventRecord& event = machine_->record.event;
  if (event.kind != OperationKind::kSend || event.object != application_controller_ ||
      !is_tuple_of(event.value, 3))
    return std::nullopt;
  const Term request = element(event.value, 3);
  if (!is_tuple(request) || tuple_size(request) < 2 || !element(request, 1).is_atom() ||
      !element(request, 2).is_atom())
    return std::nullopt;
  const std::string_view what = machine_->names.atoms.text(element(request, 1));
  if (what != "start_application" && what != "stop_application") return std::nullopt;
  return std::string(what) + " " + std::string(machine_->names.atoms.text(element(request, 2)));
}

// After a step of `who`, outside of any such start.
bool ErlangSystem::begins_start(Term who, bool is_alone) {
  const std::optional<std::string> what = start_asked_for();
  if (!what || std::ranges::find(options_.explored_starts, *what) != options_.explored_starts.end())
    return false;
  if (!is_alone) {
    if (std::ranges::find(concurrent_starts_, *what) == concurrent_starts_.end())
      concurrent_starts_.push_back(*what);
    return false;
  }
  progress_.starter = who;
  progress_.last_of_start = Term::none();
  progress_.events_of_start = 0;
  const Process* const process = machine_->processes.find(who);
  if (process == nullptr || starts_.size() >= kPlacesMax) return true;
  auto places = machine_->traces.places_of(*process);
  if (std::ranges::find(starts_, places) == starts_.end()) starts_.push_back(std::move(places));
  return true;
}

void ErlangSystem::keep_to_one_order() {
  const auto who = [this](const Transition& one) { return actors_.term_of(one.actor); };
  const auto is_other = [&](const Transition& one) { return who(one) != progress_.starter; };
  const bool is_over = progress_.events_of_start >= kEventsMax || std::ranges::none_of(enabled_, is_other);
  if (is_over) {
    if (!enabled_.empty()) progress_.starter = Term::none();
    return;
  }
  auto next = std::ranges::find_if(
      enabled_, [&](const Transition& one) { return is_other(one) && who(one) == progress_.last_of_start; });
  if (next == enabled_.end()) next = std::ranges::find_if(enabled_, is_other);
  enabled_ = {Transition(*next)};
}

}  // namespace ravel::erlang
