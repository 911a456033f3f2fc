// What processes have asked, as part of the state: for a search by states, whose verdicts on who waits at the
// end (leftovers.cc) would else be those of the first way that led to a state.
//
// The idea: it is kept only of processes for which it matters. So a search begins without it, and notes who
// asks and who is judged by that; if some process is both, the search has to begin again with these. In the
// words of a state, the image of such a process is one together with what it has asked.
//
// A process that can go on only by taking a message needs not know whom the last one named: what it sends
// next is compared with the next one. So the states of a server are not multiplied by its clients.

#include <algorithm>

#include "base/check.h"
#include "erlang/system/erlang_system.h"

namespace ravel::erlang {

namespace {

bool goes_on_by_taking(const Process& process) {
  return (process.rest == Rest::kWaiting || process.rest == Rest::kMatched) &&
         process.receive_pc != nullptr && !process.wakes_on_message;
}

bool has_ended(const Process& process) {
  return process.rest == Rest::kEnding || process.rest == Rest::kEnded;
}

}  // namespace

// Of interchangeable processes one stands for another: then it is asked whether there are both at all.
std::vector<ActorName> ErlangSystem::requests_that_matter() const {
  std::vector<ActorName> found;
  const auto is_any = [this](bool RequestsOf::*what) { return std::ranges::any_of(requests_of_, what); };
  if (symmetry_) {
    if (options_.requests_in_state.empty() && is_any(&RequestsOf::exist) && is_any(&RequestsOf::matter))
      found.emplace_back('P');
    return found;
  }
  for (std::size_t name = 0; name < requests_of_.size(); ++name)
    if (requests_of_[name].exist && requests_of_[name].matter && !requests_of_[name].are_in_state)
      found.push_back(actors_.name_of_process(Term::pid(name)));
  std::ranges::sort(found);
  return found;
}

ErlangSystem::KnownRequests ErlangSystem::known_requests() const {
  KnownRequests known;
  for (std::size_t name = 0; name < requests_of_.size(); ++name) {
    const Term pid = Term::pid(name);
    if (requests_of_[name].exist) known.asked.push_back(actors_.name_of_process(pid));
    if (requests_of_[name].matter) known.judged.push_back(actors_.name_of_process(pid));
  }
  return known;
}

void ErlangSystem::note_requests_before(const KnownRequests& known) {
  for (const ActorName& name : known.asked) requests_of(actors_.pid_of(name)).exist = true;
  for (const ActorName& name : known.judged) requests_of(actors_.pid_of(name)).matter = true;
}

void ErlangSystem::choose_requests_in_state() {
  for (const ActorName& name : options_.requests_in_state)
    requests_of(actors_.pid_of(name)).are_in_state = true;
}

bool ErlangSystem::are_requests_in_state(Term pid) {
  return symmetry_ ? !options_.requests_in_state.empty() : requests_of(pid).are_in_state;
}

// A tuple: how many receives, those receives, how many places, those places, and pids.
Term ErlangSystem::store_asked(const Asked& asked) {
  const CodeArea& area = machine_->code.area();
  std::vector<Term> words;
  for (const auto* const places : {&asked.free_in, &asked.unanswered}) {
    words.push_back(Term::small(static_cast<std::int64_t>(places->size())));
    for (const CodeWord* const place : *places) words.push_back(Term::small(area.index_of(place)));
  }
  words.insert(words.end(), asked.named.begin(), asked.named.end());
  return machine_->store.intern_object(Kind::kTuple, words);
}

Asked ErlangSystem::asked_of(Term stored) const {
  const CodeArea& area = machine_->code.area();
  Asked asked;
  Word next = 1;
  for (auto* const places : {&asked.free_in, &asked.unanswered})
    for (std::int64_t left = element(stored, next++).small_value(); left > 0; --left)
      places->push_back(area.at(static_cast<std::uint32_t>(element(stored, next++).small_value())));
  for (; next <= tuple_size(stored); ++next) asked.named.push_back(element(stored, next));
  return asked;
}

// From then on it is known only of these processes.
void ErlangSystem::add_requests() {
  if (options_.requests_in_state.empty()) return;
  std::vector<std::pair<Term, Asked>> all;
  for (std::size_t i = kWordsBeforeImages; i + 1 < state_words_.size(); i += 2) {
    const Term pid = state_words_[i];
    if (!are_requests_in_state(pid)) continue;
    const Process* const process = machine_->processes.find_even_ended(pid);
    CHECK(process != nullptr);
    Asked asked = has_ended(*process) ? Asked() : requests_.asked_by(pid);
    if (goes_on_by_taking(*process)) asked.named.clear();
    Term& image = state_words_[i + 1];
    image = visited_->with_note({.image = image, .note = store_asked(asked)});
    all.emplace_back(pid, std::move(asked));
  }
  requests_.go_back_to(0);
  for (const auto& [pid, asked] : all) requests_.begin_with(pid, asked);
  is_execution_known_ = false;
}

void ErlangSystem::take_requests() {
  requests_.go_back_to(0);
  if (options_.requests_in_state.empty()) return;
  for (std::size_t i = kWordsBeforeImages; i + 1 < state_words_.size(); i += 2) {
    if (!are_requests_in_state(state_words_[i])) continue;
    const VisitedStates::NotedImage noted = visited_->without_note(state_words_[i + 1]);
    state_words_[i + 1] = noted.image;
    requests_.begin_with(state_words_[i], asked_of(noted.note));
  }
}

}  // namespace ravel::erlang
