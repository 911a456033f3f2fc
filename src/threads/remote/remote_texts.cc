#include "threads/remote/remote_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "threads/frameworks/test_framework.h"
#include "threads/protocol/library_state.h"
#include "threads/remote/operation_text.h"

namespace ravel::threads {

std::string RemoteTexts::operation(const OperationRecord& record) const {
  return threads::operation_text(
      record,
      {.address = [this](std::uint64_t address) { return this->address(address, When::kLastOperation); },
       .function =
           [this](std::uint64_t pc) {
             // The C++ library's own start routine is not worth telling.
             const SourcePlace place = symbols_->place_of(pc);
             return place.file.starts_with("/usr/") || place.file.empty() ? std::string() : place.function;
           },
       .thread = [this](std::uint32_t actor) { return actors_.name_of_theirs(actor).to_string(); }});
}

std::string RemoteTexts::address(std::uint64_t address, When when) const {
  if (auto global = symbols_->global_at(address)) return *global;
  if (auto state = library_state_name(address)) return *state;
  const HeapPlace place = places_.place_of(address, when);
  if (place.allocated_at == 0) return on_stack(address, place.on_stack);
  const std::string offset = place.offset == 0 ? "" : fmt::format("+{}", place.offset);
  return fmt::format("{:#x}{}", address - place.offset, offset);
}

// A variable of main() is called main::total, one of another thread's function worker::total of P.1.
std::string RemoteTexts::on_stack(std::uint64_t address, const StackPlace& place) const {
  const std::optional<std::string> local = symbols_->local_at(place, address);
  if (!local) return fmt::format("{:#x}", address);
  const ActorName owner = actors_.knows(place.actor) ? actors_.name_of_theirs(place.actor) : ActorName{};
  return owner == ActorName{} ? *local : fmt::format("{} of {}", *local, owner.to_string());
}

std::string RemoteTexts::resolved(const std::string& text) const {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t end = text[i] == '$' ? text.find(';', i) : std::string::npos;
    if (end == std::string::npos || i + 2 >= text.size()) {
      result += text[i];
      continue;
    }
    const char kind = text[i + 1];
    if (std::string_view("PFSAT").find(kind) == std::string_view::npos) {
      result += text[i];
      continue;
    }
    std::vector<std::uint64_t> values;
    for (const char* at = text.data() + i + 2; at < text.data() + end;) {
      const auto [after, problem] =
          std::from_chars(at, text.data() + end, values.emplace_back(), kind == 'T' ? 10 : 16);
      at = after + 1;
      if (problem != std::errc()) break;
    }
    const std::uint64_t value = values.empty() ? 0 : values.front();
    if (kind == 'S') {
      result += stack(values);
    } else if (kind == 'T') {
      result += actors_.name_of_theirs(static_cast<std::uint32_t>(value)).to_string();
    } else if (kind == 'A') {
      result += address(value);
    } else {
      const SourcePlace place = kind == 'P' ? symbols_->user_place(values) : symbols_->place_of(value);
      const std::string function = place.function.empty() ? "unknown code" : place.function;
      const std::string file = place.file.substr(place.file.rfind('/') + 1);
      result += kind == 'F' ? function : file.empty() ? function : fmt::format("{}:{}", file, place.line);
    }
    i = end;
  }
  return result;
}

Bug RemoteTexts::translate(const RawBug& raw) const {
  const SourcePlace place = symbols_->user_place(raw.stack);
  Bug bug{.kind = raw.kind,
          .message = resolved(raw.message),
          .file = raw.file.empty() ? place.file : raw.file,
          .line = raw.file.empty() ? place.line : raw.line,
          .actor = {},
          .details = {}};
  if (actors_.knows(raw.actor)) bug.actor = actors_.name_of_theirs(raw.actor).to_string();
  for (const std::string& detail : raw.details) bug.details.push_back(resolved(detail));
  return bug;
}

// "at a.cc:7 in pay, from a.cc:12 in main"
std::string RemoteTexts::stack(std::span<const std::uint64_t> stack) const {
  constexpr std::size_t kFramesMax = 8;
  std::vector<SourcePlace> places = symbols_->user_places(stack);
  if (places.empty()) places = {symbols_->user_place(stack)};
  std::string text;
  for (std::size_t i = 0; i < std::min(places.size(), kFramesMax); ++i) {
    const SourcePlace& place = places[i];
    text += i == 0 ? "at " : ", from ";
    if (!place.file.empty())
      text += fmt::format("{}:{} in ", place.file.substr(place.file.rfind('/') + 1), place.line);
    text += place.function.empty() ? "unknown code" : place.function;
  }
  return text;
}

std::string RemoteTexts::describe_race(const RaceReport& race) const {
  const auto access = [&](int side) {
    return fmt::format("{} {} {}", actors_.name(static_cast<ActorId>(race.actor[side])).to_string(),
                       race.write[side] ? "writes" : "reads", stack(race.stack[side]));
  };
  const std::string on =
      race.on_stack.pc == 0 ? address(race.address) : on_stack(race.address, race.on_stack);
  return fmt::format("data race on {}: {}; and {}", on, access(0), access(1));
}

std::string RemoteTexts::describe_left(const LeftThread& thread) const {
  return fmt::format("{}, which is made {}, had not ended when the program did",
                     actors_.name(static_cast<ActorId>(thread.actor)).to_string(), stack(thread.created));
}

std::vector<AssumedPlace> RemoteTexts::places_of(const Findings& findings) const {
  std::vector<AssumedPlace> places;
  for (const TimedWait& wait : findings.timed_waits) {
    const SourcePlace place = symbols_->user_place(wait.stack);
    add_places(places, {{.assumption = Assumption::kTimeoutsWait, .file = place.file, .line = place.line}});
  }
  for (const WeakOrder& weak : findings.weak_orders) {
    // The C++ library's own operations, as those of shared_ptr, are written for weaker memory than ours;
    // those of std::atomic are the program's.
    const std::string own = symbols_->place_of(weak.pc).file;
    const std::string_view name = std::string_view(own).substr(own.rfind('/') + 1);
    const bool is_atomic = name == "atomic" || name == "atomic_base.h" || name == "stdatomic.h" ||
                           own.find("/__atomic/") != own.npos;
    if (is_system_file(own) && !is_atomic) continue;
    const SourcePlace place = symbols_->user_place(std::array{weak.pc});
    add_places(places,
               {{.assumption = Assumption::kSequentialConsistency, .file = place.file, .line = place.line}});
  }
  return places;
}

Refusal RemoteTexts::translate_refusal(const std::string& message,
                                       const std::vector<std::uint64_t>& stack) const {
  const SourcePlace place = symbols_->user_place(stack);
  const bool is_death_test = call_.test.kind == TestKind::kGoogleTest &&
                             (message.starts_with("fork:") || message.starts_with("clone:"));
  return {.message = message + (is_death_test ? ", as death tests need it; run these without Ravel" : ""),
          .file = place.file,
          .line = place.line};
}

}  // namespace ravel::threads
