#include "erlang/system/noted_requests.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/check.h"

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

void NotedRequests::note(std::uint32_t event_number, Term who, const CodeWord* receive) {
  Machine& m = machine_;
  const bool recurs = m.options.recurring;
  // The root process waits as the test does.
  const bool may_ask = who != Names::root_pid();
  const bool is_known = may_ask && (is_execution_known_ || (recurs && is_in_state(who)));
  const bool is_to_find_out = may_ask && recurs && !found_of(who).exist;
  const bool is_anybody_known = is_execution_known_ || !in_state_.empty();
  if (!is_known && !is_to_find_out && !(recurs && is_anybody_known)) return;
  bool is_first = true;
  const auto note_one = [&](const EventRecord& event) {
    if (event.kind == OperationKind::kReceive && is_known) {
      log_.took(event_number, who, event.value, is_first ? receive : nullptr);
    } else if (event.kind == OperationKind::kAfter && is_known) {
      log_.expired(event_number, who, is_first ? receive : nullptr);
    } else if (event.kind == OperationKind::kSend && (is_known || is_to_find_out)) {
      const Term to = event.object.is_pid()          ? event.object
                      : event.subject.is_reference() ? Names::creator_of(event.subject)
                                                     : event.subject;
      const Process* const receiver = to.is_pid() ? m.processes.find(to) : nullptr;
      const bool goes_to_test = to == Names::root_pid() || to == Names::device_pid() ||
                                (receiver != nullptr && roles_.is_test_process(*receiver));
      const Process* const sender = goes_to_test ? nullptr : m.processes.find(who);
      if (sender != nullptr) {
        const Term name = sender->attributes.registered_name;
        if (is_to_find_out && to != who)
          found_of(who).exist |= Requests::names_sender(who, event.value, name);
        if (is_known) log_.sent(event_number, who, to, event.value, name, event.place);
      }
    }
    is_first = false;
  };
  const std::span<const Term> made =
      recurs && is_anybody_known ? m.free_names.made() : std::span<const Term>();
  std::size_t next_made = 0, operations = 0;
  const auto note_all = [&](const EventRecord& event) {
    note_one(event);
    for (; next_made < made.size() && m.free_names.made_after()[next_made] <= operations; ++next_made)
      if (made[next_made].is_pid()) log_.began(event_number, made[next_made]);
    ++operations;
  };
  for (const EventRecord& event : m.record.earlier_events) note_all(event);
  note_all(m.record.event);
}

// Of interchangeable processes one stands for another: then it is asked whether there are both at all.
std::vector<ActorName> NotedRequests::that_matter() const {
  std::vector<ActorName> found;
  const auto is_any = [this](bool Found::*what) { return std::ranges::any_of(found_, what); };
  if (are_interchangeable_) {
    if (in_state_.empty() && is_any(&Found::exist) && is_any(&Found::matter)) found.emplace_back('P');
    return found;
  }
  for (std::size_t name = 0; name < found_.size(); ++name)
    if (found_[name].exist && found_[name].matter && !found_[name].are_in_state)
      found.push_back(actors_.name_of_process(Term::pid(name)));
  std::ranges::sort(found);
  return found;
}

NotedRequests::Known NotedRequests::known() const {
  Known all;
  for (std::size_t name = 0; name < found_.size(); ++name) {
    const Term pid = Term::pid(name);
    if (found_[name].exist) all.asked.push_back(actors_.name_of_process(pid));
    if (found_[name].matter) all.judged.push_back(actors_.name_of_process(pid));
  }
  return all;
}

void NotedRequests::note_known(const Known& known) {
  for (const ActorName& name : known.asked) found_of(actors_.pid_of(name)).exist = true;
  for (const ActorName& name : known.judged) found_of(actors_.pid_of(name)).matter = true;
}

void NotedRequests::choose_in_state() {
  for (const ActorName& name : in_state_) found_of(actors_.pid_of(name)).are_in_state = true;
}

bool NotedRequests::is_in_state(Term pid) {
  return are_interchangeable_ ? !in_state_.empty() : found_of(pid).are_in_state;
}

// A tuple: how many receives, those receives, how many places, those places, and pids.
Term NotedRequests::store_asked(const Asked& asked) {
  const CodeArea& area = machine_.code.area();
  std::vector<Term> words;
  for (const auto* const places : {&asked.free_in, &asked.unanswered}) {
    words.push_back(Term::small(static_cast<std::int64_t>(places->size())));
    for (const CodeWord* const place : *places) words.push_back(Term::small(area.index_of(place)));
  }
  words.insert(words.end(), asked.named.begin(), asked.named.end());
  return machine_.store.intern_object(Kind::kTuple, words);
}

Asked NotedRequests::asked_of(Term stored) const {
  const CodeArea& area = machine_.code.area();
  Asked asked;
  Word next = 1;
  for (auto* const places : {&asked.free_in, &asked.unanswered})
    for (std::int64_t left = element(stored, next++).small_value(); left > 0; --left)
      places->push_back(area.at(static_cast<std::uint32_t>(element(stored, next++).small_value())));
  for (; next <= tuple_size(stored); ++next) asked.named.push_back(element(stored, next));
  return asked;
}

// From then on it is known only of these processes.
void NotedRequests::add_to_state(std::vector<Term>& words, VisitedStates& visited) {
  if (in_state_.empty()) return;
  std::vector<std::pair<Term, Asked>> all;
  for (std::size_t i = kWordsBeforeImages; i + 1 < words.size(); i += 2) {
    const Term pid = words[i];
    if (!is_in_state(pid)) continue;
    const Process* const process = machine_.processes.find_even_ended(pid);
    CHECK(process != nullptr);
    Asked asked = has_ended(*process) ? Asked() : log_.asked_by(pid);
    if (goes_on_by_taking(*process)) asked.named.clear();
    Term& image = words[i + 1];
    image = visited.with_note({.image = image, .note = store_asked(asked)});
    all.emplace_back(pid, std::move(asked));
  }
  log_.go_back_to(0);
  for (const auto& [pid, asked] : all) log_.begin_with(pid, asked);
  is_execution_known_ = false;
}

void NotedRequests::take_from_state(std::vector<Term>& words, const VisitedStates& visited) {
  is_execution_known_ = false;
  log_.go_back_to(0);
  if (in_state_.empty()) return;
  for (std::size_t i = kWordsBeforeImages; i + 1 < words.size(); i += 2) {
    if (!is_in_state(words[i])) continue;
    const VisitedStates::NotedImage noted = visited.without_note(words[i + 1]);
    words[i + 1] = noted.image;
    log_.begin_with(words[i], asked_of(noted.note));
  }
}

}  // namespace ravel::erlang
