#include "front_ends/erlang/told_schedule.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/check.h"

namespace ravel::erlang {

namespace {

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// A text with one and the same word for all pids and references, such as P.1 and P.1:3.
std::string without_names(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const bool begins = (text[i] == 'P' || text[i] == 'S') && (i == 0 || !is_of_word(text[i - 1]));
    std::size_t end = i + 1;
    while (begins && end + 1 < text.size() && (text[end] == '.' || text[end] == ':') &&
           is_of_word(text[end + 1])) {
      ++end;
      while (end < text.size() && is_of_word(text[end])) ++end;
    }
    if (end == i + 1) {
      result += text[i];
    } else {
      result += "NAME";
    }
    i = end;
  }
  return result;
}

}  // namespace

bool ToldSchedule::note_names(std::span<const Term> searched, std::span<const Term> told) {
  if (searched.size() != told.size()) return false;
  for (std::size_t i = 0; i < searched.size(); ++i) names_[searched[i].bits()] = told[i];
  return true;
}

std::optional<ActorId> ToldSchedule::told_actor(ActorId actor) const {
  const Term who = searched_.actors().term_of(actor);
  if (const auto named = names_.find(who.bits()); named != names_.end())
    return told_.actors().actor_of(named->second);
  if (Names::is_channel(who))
    if (const auto sender = names_.find(Names::creator_of(who).bits()); sender != names_.end())
      return told_.actors().actor_of(Names::make_channel(sender->second, Names::ordinal_of_channel(who)));
  // Of what was there from the start, or of the process that runs the test
  return told_.find_actor(searched_.actor_name(actor));
}

void ToldSchedule::tell_in_vain(std::vector<Transition>& schedule) {
  // Whether nobody can see the step: an ended process tells somebody who has ended before it, or does not
  // want to know any more.
  const auto is_in_vain = [this](const Transition& one) {
    const Machine& machine = told_.machine();
    const Term who = told_.actors().term_of(one.actor);
    const Process* const process = who.is_pid() ? machine.processes.find_even_ended(who) : nullptr;
    return process != nullptr && machine.endings.tells_in_vain(*process);
  };
  for (;;) {
    const auto next = std::ranges::find_if(told_.enabled(), is_in_vain);
    if (next == told_.enabled().end()) return;
    const Transition transition = *next;
    told_.step(transition);
    schedule.push_back(transition);
  }
}

std::optional<StateSearch::Told> ToldSchedule::operator()(std::span<const Transition> schedule) {
  std::vector<Transition> result;
  names_.clear();
  searched_.reset();
  told_.reset();
  if (!note_names(searched_.names_made_at_start(), told_.names_made_at_start())) return std::nullopt;
  for (Transition transition : schedule) {
    const std::optional<ActorId> actor = told_actor(transition.actor);
    searched_.step(transition);
    if (!actor) return std::nullopt;
    transition.actor = *actor;
    if (std::ranges::count(told_.enabled(), transition) == 0) return std::nullopt;
    told_.step(transition);
    result.push_back(transition);
    if (!note_names(searched_.machine().free_names.made(), told_.machine().free_names.made()))
      return std::nullopt;
    tell_in_vain(result);
  }
  CHECK(searched_.outcome() == Outcome::kBug);
  if (told_.outcome() != Outcome::kBug) return std::nullopt;
  Bug searched = searched_.bug(), told = told_.bug();
  searched.message = without_names(searched.message);
  Bug nameless = told;
  nameless.message = without_names(told.message);
  if (!searched.is_same(nameless)) return std::nullopt;
  return StateSearch::Told{.schedule = std::move(result), .bug = std::move(told)};
}

}  // namespace ravel::erlang
