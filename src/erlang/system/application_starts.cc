#include "erlang/system/application_starts.h"

#include <algorithm>
#include <utility>

namespace ravel::erlang {

namespace {

// What starts, but does not come to rest in so many events, is explored from there on.
constexpr std::uint32_t kEventsMax = 100'000;
constexpr std::size_t kPlacesMax = 64;

}  // namespace

// A gen_server:call of {start_application, Name, Type} or {stop_application, Name}, as "stop_application
// mnesia".
std::optional<std::string> ApplicationStarts::start_asked_for() const {
  const EventRecord& event = machine_.record.event;
  if (event.kind != OperationKind::kSend || event.object != controller_ || !is_tuple_of(event.value, 3))
    return std::nullopt;
  const Term request = element(event.value, 3);
  if (!is_tuple(request) || tuple_size(request) < 2 || !element(request, 1).is_atom() ||
      !element(request, 2).is_atom())
    return std::nullopt;
  const std::string_view what = machine_.names.atoms.text(element(request, 1));
  if (what != "start_application" && what != "stop_application") return std::nullopt;
  return std::string(what) + " " + std::string(machine_.names.atoms.text(element(request, 2)));
}

bool ApplicationStarts::begins(Term who, std::size_t could_move) {
  const std::optional<std::string> what = start_asked_for();
  if (!what || std::ranges::find(explored_, *what) != explored_.end()) return false;
  if (could_move > 1) {
    if (std::ranges::find(concurrent_, *what) == concurrent_.end()) concurrent_.push_back(*what);
    return false;
  }
  progress_ = {.events = 0, .starter = who, .last = Term::none()};
  const Process* const process = machine_.processes.find(who);
  if (process == nullptr || places_.size() >= kPlacesMax) return true;
  auto places = machine_.traces.places_of(*process);
  if (std::ranges::find(places_, places) == places_.end()) places_.push_back(std::move(places));
  return true;
}

void ApplicationStarts::keep_to_one_order(std::vector<Transition>& enabled) {
  const auto who = [this](const Transition& one) { return actors_.term_of(one.actor); };
  const auto is_other = [&](const Transition& one) { return who(one) != progress_.starter; };
  const bool is_over = progress_.events >= kEventsMax || std::ranges::none_of(enabled, is_other);
  if (is_over) {
    if (!enabled.empty()) progress_.starter = Term::none();
    return;
  }
  auto next = std::ranges::find_if(
      enabled, [&](const Transition& one) { return is_other(one) && who(one) == progress_.last; });
  if (next == enabled.end()) next = std::ranges::find_if(enabled, is_other);
  enabled = {Transition(*next)};
}

}  // namespace ravel::erlang
