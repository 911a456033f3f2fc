#include "erlang/system/requests.h"

#include <algorithm>

#include "erlang/term/header.h"
#include "erlang/term/work_stack.h"

namespace ravel::erlang {

namespace {

// Names stand in front, in tuples and lists: what lies deeper in a large message is not looked at.
constexpr int kWordsMax = 64;

// Calls `visit` with what a message consists of, until it returns false.
template <class Visit>
void for_each_part(Term content, Visit visit) {
  WorkStack<Term, kWordsMax + 2> pending;
  pending.push(content);
  for (int left = kWordsMax; left > 0 && !pending.is_empty(); --left) {
    const Term term = pending.pop();
    if (term.is_cons()) {
      pending.push(term.tail());
      pending.push(term.head());
    } else if (is_tuple(term)) {
      const Word size = std::min<Word>(tuple_size(term), kWordsMax);
      for (Word i = size; i > 0; --i) pending.push(element(term, i));
    } else if (!visit(term)) {
      return;
    }
  }
}

}  // namespace

void Requests::go_back_to(std::uint32_t events) {
  while (!entries_.empty() && entries_.back().event >= events) {
    heads_[static_cast<std::size_t>(entries_.back().pid.pid_name())] = entries_.back().previous;
    entries_.pop_back();
  }
}

Requests::Entry& Requests::add(std::uint32_t event, What what, Term pid, const CodeWord* place) {
  const auto name = static_cast<std::size_t>(pid.pid_name());
  if (name >= heads_.size()) heads_.resize(name + 16, kNone);
  const std::uint32_t previous = heads_[name];
  heads_[name] = static_cast<std::uint32_t>(entries_.size());
  entries_.push_back({.event = event,
                      .previous = previous,
                      .last_taken = previous == kNone ? kNone : entries_[previous].last_taken,
                      .last_began = previous == kNone ? kNone : entries_[previous].last_began,
                      .what = what,
                      .pid = pid,
                      .place = place,
                      .named = {}});
  return entries_.back();
}

void Requests::took(std::uint32_t event, Term pid, Term content, const CodeWord* receive) {
  Entry& entry = add(event, What::kTook, pid, receive);
  entry.last_taken = static_cast<std::uint32_t>(entries_.size() - 1);
  entry.named.fill(Term::none());
  std::size_t count = 0;
  for_each_part(content, [&](Term part) {
    const Term named = part.is_pid() ? part : part.is_reference() ? Names::creator_of(part) : Term::none();
    if (named.is_none() || named == pid ||
        std::find(entry.named.begin(), entry.named.begin() + count, named) != entry.named.begin() + count)
      return true;
    entry.named[count++] = named;
    return count < kNamesMax;
  });
}

void Requests::began(std::uint32_t event, Term pid) {
  Entry& entry = add(event, What::kBegan, pid, nullptr);
  entry.last_taken = kNone;
  entry.last_began = static_cast<std::uint32_t>(entries_.size() - 1);
}

void Requests::expired(std::uint32_t event, Term pid, const CodeWord* receive) {
  add(event, What::kExpired, pid, receive);
}

bool Requests::names_sender(Term pid, Term content, Term registered_name) {
  bool names_it = false;
  for_each_part(content, [&](Term part) {
    names_it = part == pid || (part.is_reference() && Names::creator_of(part) == pid) ||
               (part.is_atom() && part == registered_name);
    return !names_it;
  });
  return names_it;
}

bool Requests::names(const Entry& taken, Term pid) const {
  if (std::ranges::find(taken.named, pid) == taken.named.end()) return false;
  const std::uint32_t head = head_of(pid);
  const std::uint32_t began = head == kNone ? kNone : entries_[head].last_began;
  return began == kNone || &entries_[began] < &taken;
}

void Requests::sent(std::uint32_t event, Term pid, Term to, Term content, Term registered_name,
                    const CodeWord* place) {
  if (to == pid || !names_sender(pid, content, registered_name)) return;
  const std::uint32_t head = head_of(pid);
  const std::uint32_t taken = head == kNone ? kNone : entries_[head].last_taken;
  if (taken != kNone && names(entries_[taken], to)) return;
  add(event, What::kAsked, pid, place);
}

std::vector<const CodeWord*> Requests::unanswered(Term pid) const {
  std::vector<const CodeWord*> places;
  for (std::uint32_t at = head_of(pid); at != kNone; at = entries_[at].previous) {
    const What what = entries_[at].what;
    if (what == What::kTook || what == What::kBegan) break;
    if (what == What::kAsked) places.push_back(entries_[at].place);
  }
  return places;
}

bool Requests::was_free_in(Term pid, const CodeWord* receive) const {
  const auto is_beginning = [this](std::uint32_t at) {
    return at == kNone || entries_[at].what == What::kBegan;
  };
  for (std::uint32_t at = head_of(pid); !is_beginning(at); at = entries_[at].previous) {
    const Entry& entry = entries_[at];
    if (entry.what == What::kAsked || entry.place != receive) continue;
    // What was there when it came to that receive.
    std::uint32_t before = entry.previous;
    while (before != kNone && entries_[before].what == What::kExpired) before = entries_[before].previous;
    if (is_beginning(before) || entries_[before].what == What::kTook) return true;
  }
  return false;
}

Asked Requests::asked_by(Term pid) const {
  Asked asked;
  std::vector<const Entry*> own;  // the last one first
  for (std::uint32_t at = head_of(pid); at != kNone && entries_[at].what != What::kBegan;
       at = entries_[at].previous)
    own.push_back(&entries_[at]);
  for (std::size_t i = own.size(); i-- > 0;) {
    const Entry& entry = *own[i];
    if (entry.what == What::kAsked) {
      asked.unanswered.push_back(entry.place);
      continue;
    }
    if (asked.unanswered.empty() && entry.place != nullptr) asked.free_in.push_back(entry.place);
    if (entry.what != What::kTook) continue;
    asked.unanswered.clear();
    asked.named.clear();
    for (const Term named : entry.named)
      if (!named.is_none() && names(entry, named)) asked.named.push_back(named);
  }
  for (std::vector<const CodeWord*>* const places : {&asked.free_in, &asked.unanswered}) {
    std::ranges::sort(*places);
    const auto repeated = std::ranges::unique(*places);
    places->erase(repeated.begin(), repeated.end());
  }
  std::ranges::sort(asked.named, {}, &Term::bits);
  return asked;
}

void Requests::begin_with(Term pid, const Asked& asked) {
  for (const CodeWord* const receive : asked.free_in)
    add(0, What::kTook, pid, receive).named.fill(Term::none());
  Entry& taken = add(0, What::kTook, pid, nullptr);
  taken.last_taken = static_cast<std::uint32_t>(entries_.size() - 1);
  taken.named.fill(Term::none());
  std::ranges::copy(asked.named, taken.named.begin());
  for (const CodeWord* const place : asked.unanswered) add(0, What::kAsked, pid, place);
}

}  // namespace ravel::erlang
