#include "story/story_calls.h"

#include <algorithm>

#include "story/story_text.h"

namespace ravel {

namespace {

// Characters of a question and of an answer.
constexpr std::size_t kTextMax = 200;

class CallFinder {
 public:
  CallFinder(StoryExecution& execution, const std::vector<StoryActor>& actors, const SayCall& say)
      : execution_(execution),
        steps_(execution.steps),
        calls_(execution.calls),
        actors_(actors),
        say_(say),
        decides_(steps_that_decide(execution)),
        steps_of_(actors.size()),
        place_of_(steps_.size()) {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      place_of_[i] = steps_of_[steps_[i].actor].size();
      steps_of_[steps_[i].actor].push_back(i);
    }
  }

  void find() {
    for (std::size_t i = 0; i < steps_.size(); ++i) add_call_of(i);
    std::ranges::sort(calls_, {}, &StoryCall::first);
  }

 private:
  const StoryStep* next_of(std::size_t step) const {
    const std::vector<std::size_t>& own = steps_of_[steps_[step].actor];
    const std::size_t next = place_of_[step] + 1;
    return next < own.size() ? &steps_[own[next]] : nullptr;
  }

  void add_call_of(std::size_t question) {
    const StoryStep& asks = steps_[question];
    if (asks.sends.size() != 1 || !asks.sends.front().received) return;
    const StoryMessage& asked = asks.sends.front();
    const StoryStep* const hears = next_of(question);
    if (asked.to == asks.actor || hears == nullptr || !hears->receives) return;
    const std::size_t answer = *hears->receives;
    if (answer < *asked.received || steps_[answer].actor != asked.to) return;
    const auto heard = static_cast<std::size_t>(hears - steps_.data());
    const auto sent = std::ranges::find(steps_[answer].sends, std::optional(heard), &StoryMessage::received);
    if (sent == steps_[answer].sends.end() || sent->text.empty() || asked.text.empty()) return;

    StoryCall whole{.first = question, .last = heard, .main = question, .callee = asked.to};
    while (whole.first > 0 && is_for_its_sake(whole.first - 1, question)) --whole.first;
    while (whole.last + 1 < steps_.size() && is_for_its_sake(whole.last + 1, question)) ++whole.last;
    auto [request, reply] = say_ ? say_(asked.text, sent->text) : std::pair(asked.text, sent->text);
    const bool is_known = request != asked.text;
    request = cut_characters(request, kTextMax);
    reply = cut_characters(reply, kTextMax);
    if (is_known) {
      const std::string& client = actors_[asks.actor].label;
      const std::string& server = actors_[asked.to].label;
      steps_[question].said = "asks " + server + ": " + request;
      steps_[heard].said = "gets the answer " + reply + " from " + server;
      // A step that takes one message and sends another, or sends several, says more.
      if (*asked.received != answer) steps_[*asked.received].said = "is asked by " + client + ": " + request;
      if (*asked.received != answer && steps_[answer].sends.size() == 1)
        steps_[answer].said = "answers " + client + ": " + reply;
    }
    const std::size_t between = (*asked.received == answer ? 1 : 2);
    if (*asked.received == question + 1 && heard == question + 1 + between && may_be_one(whole)) {
      whole.request = std::move(request);
      whole.reply = std::move(reply);
      calls_.push_back(std::move(whole));
      return;
    }
    add_part({.first = whole.first, .last = question, .main = question});
    add_part({.first = heard, .last = whole.last, .main = heard});
  }

  void add_part(const StoryCall& part) {
    if (part.first < part.last && may_be_one(part)) calls_.push_back(part);
  }

  // Whether a library does it for the asking actor, in the line of the program that asks.
  bool is_for_its_sake(std::size_t step, std::size_t question) const {
    const StoryStep& one = steps_[step];
    const StoryStep& asks = steps_[question];
    return one.is_by_library && one.actor == asks.actor && one.source == asks.source &&
           one.line == asks.line && one.sends.empty() && !one.receives && !one.spawns;
  }

  bool may_be_one(const StoryCall& call) const {
    if (call.last + 1 >= steps_.size()) return false;
    for (std::size_t i = call.first; i <= call.last; ++i) {
      if (steps_[i].kind != TransitionKind::kOperation) return false;
      if (i > call.first && (steps_[i].switched == Switch::kPreemption || i == execution_.loop)) return false;
      if (decides_[i] && (call.callee || i != call.main)) return false;
    }
    const auto overlaps = [&](const StoryCall& other) {
      return other.first <= call.last && call.first <= other.last;
    };
    return std::none_of(calls_.rbegin(), calls_.rend(), overlaps);
  }

  const StoryExecution& execution_;
  std::vector<StoryStep>& steps_;
  std::vector<StoryCall>& calls_;
  const std::vector<StoryActor>& actors_;
  const SayCall& say_;
  const std::vector<bool> decides_;
  std::vector<std::vector<std::size_t>> steps_of_;  // by actor
  std::vector<std::size_t> place_of_;               // of each step in that
};

}  // namespace

void note_calls(StoryExecution& execution, const std::vector<StoryActor>& actors, const SayCall& say) {
  CallFinder(execution, actors, say).find();
}

std::vector<bool> steps_that_decide(const StoryExecution& execution) {
  std::vector<bool> decide(execution.steps.size(), false);
  for (std::size_t i = 0; i < execution.steps.size(); ++i)
    for (const StoryRace& race : execution.steps[i].races) {
      if (!race.decides) continue;
      decide[i] = true;
      if (race.with) decide[*race.with] = true;
    }
  return decide;
}

}  // namespace ravel
