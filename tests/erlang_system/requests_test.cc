// What a process has asked, as it is kept with a state, says the same as the log of all that it has done.
//
// A naive reference follows the rules directly. Random messages are sent and taken by a few processes, whose
// pids are given again; now and then a second log begins anew with what the first one says of each process.
#include "erlang/system/requests.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "erlang/term/heap.h"

namespace ravel::erlang {
namespace {

constexpr int kProcesses = 4, kReceives = 3, kPlaces = 3;

// By the rules, for one process.
struct Reference {
  std::set<const CodeWord*> free_in, unanswered;
  std::set<Word> named;
};

std::vector<const CodeWord*> unique_of(std::vector<const CodeWord*> places) {
  std::ranges::sort(places);
  const auto repeated = std::ranges::unique(places);
  places.erase(repeated.begin(), repeated.end());
  return places;
}

class RequestsTest : public testing::Test {
 protected:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  Term pid() { return Term::pid(static_cast<Word>(10 + below(kProcesses))); }
  static const CodeWord* place(int number) { return reinterpret_cast<const CodeWord*>(8 * (1 + number)); }

  // A step, in both logs and in the reference.
  void step() {
    const Term who = pid();
    ++event_;
    switch (below(7)) {
      case 0:
      case 1: take(who); break;
      case 2: expire(who); break;
      case 6:
        if (below(3) == 0) begin(who);
        break;
      default: send(who, pid());
    }
  }

  void take(Term who) {
    // Of a step that has done something before, nobody knows in which receive it is.
    const CodeWord* const receive = below(6) == 0 ? nullptr : place(below(kReceives));
    std::vector<Term> names;
    for (int left = below(3); left > 0; --left)
      names.push_back(below(2) == 0 ? pid() : Names::make_reference(pid(), 7));
    Term content = Term::nil();
    for (const Term name : names) content = heap_.tuple({Term::small(1), content, name});
    log_.took(event_, who, content, receive);
    short_log_.took(0, who, content, receive);
    Reference& its = reference_[who.bits()];
    if (its.unanswered.empty() && receive != nullptr) its.free_in.insert(receive);
    its.unanswered.clear();
    its.named.clear();
    for (const Term name : names) {
      const Term named = name.is_pid() ? name : Names::creator_of(name);
      if (named != who) its.named.insert(named.bits());
    }
  }

  void expire(Term who) {
    const CodeWord* const receive = place(below(kReceives));
    log_.expired(event_, who, receive);
    short_log_.expired(0, who, receive);
    Reference& its = reference_[who.bits()];
    if (its.unanswered.empty()) its.free_in.insert(receive);
  }

  void send(Term who, Term to) {
    const bool names_it = below(3) != 0;
    const CodeWord* const from = place(kReceives + below(kPlaces));
    const Term content = names_it ? who : Term::small(1);
    log_.sent(event_, who, to, content, Term::none(), from);
    short_log_.sent(0, who, to, content, Term::none(), from);
    Reference& its = reference_[who.bits()];
    if (names_it && to != who && !its.named.contains(to.bits())) its.unanswered.insert(from);
  }

  void begin(Term who) {
    log_.began(event_, who);
    short_log_.began(0, who);
    reference_[who.bits()] = {};
    for (auto& [other, its] : reference_) its.named.erase(who.bits());
  }

  void expect_same() {
    for (int i = 0; i < kProcesses; ++i) {
      const Term who = Term::pid(static_cast<Word>(10 + i));
      const Reference& its = reference_[who.bits()];
      const Asked asked = log_.asked_by(who);
      EXPECT_EQ(asked, short_log_.asked_by(who));
      EXPECT_EQ(asked.free_in, std::vector(its.free_in.begin(), its.free_in.end()));
      EXPECT_EQ(asked.unanswered, std::vector(its.unanswered.begin(), its.unanswered.end()));
      std::vector<Word> named;
      for (const Term one : asked.named) named.push_back(one.bits());
      EXPECT_EQ(named, std::vector(its.named.begin(), its.named.end()));
      for (const Requests* const log : {&log_, &short_log_}) {
        EXPECT_EQ(unique_of(log->unanswered(who)), asked.unanswered);
        for (int receive = 0; receive < kReceives; ++receive)
          EXPECT_EQ(log->was_free_in(who, place(receive)), its.free_in.contains(place(receive)));
      }
    }
  }

  void shorten() {
    std::map<Word, Asked> asked;
    for (int i = 0; i < kProcesses; ++i) {
      const Term who = Term::pid(static_cast<Word>(10 + i));
      asked[who.bits()] = short_log_.asked_by(who);
    }
    short_log_.go_back_to(0);
    for (const auto& [who, its] : asked) short_log_.begin_with(Term(who), its);
  }

  std::mt19937_64 random_{1};
  Heap heap_;
  Requests log_, short_log_;
  std::map<Word, Reference> reference_;
  std::uint32_t event_ = 0;
};

TEST_F(RequestsTest, WhatIsKeptWithAStateSaysTheSameAsTheLog) {
  for (int execution = 0; execution < 300; ++execution) {
    log_.go_back_to(0);
    short_log_.go_back_to(0);
    reference_.clear();
    event_ = 0;
    heap_.reset();
    for (int i = 0; i < 60; ++i) {
      step();
      if (below(4) == 0) shorten();
      expect_same();
      if (HasFailure()) return;
    }
  }
}

TEST_F(RequestsTest, GoingBackForgetsWhatCameLater) {
  for (int execution = 0; execution < 100; ++execution) {
    log_.go_back_to(0);
    event_ = 0;
    heap_.reset();
    for (int i = 0; i < 20; ++i) step();
    std::vector<Asked> asked;
    for (int i = 0; i < kProcesses; ++i) asked.push_back(log_.asked_by(Term::pid(static_cast<Word>(10 + i))));
    const std::uint32_t then = event_ + 1;
    for (int i = 0; i < 20; ++i) step();
    log_.go_back_to(then);
    for (int i = 0; i < kProcesses; ++i)
      EXPECT_EQ(log_.asked_by(Term::pid(static_cast<Word>(10 + i))), asked[static_cast<std::size_t>(i)]);
  }
}

}  // namespace
}  // namespace ravel::erlang
