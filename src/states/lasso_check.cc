#include "states/lasso_check.h"

#include <algorithm>
#include <span>
#include <utility>

#include "engine/round_finder.h"
#include "states/fair_actors.h"

namespace ravel {

// Nodes are a place and a state of the automaton, which reads the letter of a place on the way to it. In the
// last place the execution goes on with that after the loop's first one.
class LassoCheck::Word final : public fair_cycles::Graph {
 public:
  Word(const LassoCheck& check, std::uint64_t loop)
      : places_(check.places_),
        automaton_(check.question_.negation),
        readers_(static_cast<std::uint32_t>(automaton_.states.size())),
        again_(places_.size() - 1 - loop) {}

  fair_cycles::Node initial() override { return fair_cycles::Node{0}; }

  void expand(fair_cycles::Node node, fair_cycles::Expansion& expansion) override {
    const auto number = static_cast<std::uint32_t>(node);
    if (number == 0) return read(0, 0, fair_cycles::kNoActor, places_[0].letter, expansion);
    const std::size_t place = (number - 1) / readers_;
    const std::uint32_t reader = (number - 1) % readers_;
    expansion.enabled = places_[place].enabled;
    const std::size_t last = places_.size() - 1;
    if (place == last && again_ == last) {
      // Nothing moves any more.
      Letter stays = places_[last].letter;
      stays.step = 0;
      return read(last, reader, fair_cycles::kNoActor, stays, expansion);
    }
    const std::size_t next = place == last ? again_ + 1 : place + 1;
    read(next, reader, fair_actor(*places_[next].moved), places_[next].letter, expansion);
  }

 private:
  void read(std::size_t place, std::uint32_t reader, fair_cycles::Actor mover, const Letter& letter,
            fair_cycles::Expansion& expansion) const {
    for (const ltl::AutomatonEdge& edge : automaton_.states[reader])
      if (edge.allows(letter.state | letter.step))
        expansion.edges.push_back(
            {.target = fair_cycles::Node{static_cast<std::uint32_t>(1 + place * readers_ + edge.target)},
             .actor = mover,
             .acceptance = edge.acceptance});
  }

  const std::vector<Place>& places_;
  const ltl::Automaton& automaton_;
  const std::uint32_t readers_;
  const std::size_t again_;  // the place before the loop
};

void LassoCheck::note(System& system, std::optional<ActorId> moved) {
  Place& place = places_.emplace_back();
  if (const auto met = system.number_state()) place.state = met->number;
  place.letter = system.letter();
  place.moved = moved;
  for (const Transition& transition : system.enabled())
    if (is_sure_to_move(transition)) place.enabled.push_back(fair_actor(transition.actor));
}

std::optional<Bug> LassoCheck::judge(System& system, std::uint64_t loop) {
  const Place& last = places_.back();
  if (loop >= places_.size() || !last.state) return std::nullopt;
  if (loop == 0 && question_.about != TemporalQuestion::About::kFormula) return std::nullopt;
  const Place& first = places_[places_.size() - 1 - loop];
  const bool comes_again = loop == 0 ? system.outcome() != Outcome::kRunning : first.state == last.state;
  if (!comes_again) return std::nullopt;
  Word word(*this, loop);
  const fair_cycles::Found found = find_fair_cycle(
      word, {.acceptance = question_.negation.all_acceptance_sets(), .fairness = question_.fairness});
  if (found.outcome != fair_cycles::Outcome::kFound) return std::nullopt;
  return bug_of(system, loop);
}

// Who never moves in the loop waits there all the time, or somebody else has to let it go on.
void LassoCheck::tell_who_waits(System& system, std::uint64_t loop, Bug& bug) const {
  for (WaitingActor& waiting : system.waiting()) {
    const auto in_loop = std::span(places_).last(loop);
    if (std::ranges::any_of(in_loop, [&](const Place& place) { return place.moved == waiting.actor; }))
      continue;
    for (std::string& line : waiting.lines) bug.details.push_back(std::move(line));
  }
}

Bug LassoCheck::bug_of(System& system, std::uint64_t loop) const {
  Bug bug{.kind = kViolatedFormula,
          .message = "the formula " + question_.formula + " is violated",
          .file = {},
          .line = 0,
          .actor = {},
          .details = {}};
  if (question_.about != TemporalQuestion::About::kFormula) {
    bug.kind = kLivelock;
    bug.message = question_.about == TemporalQuestion::About::kProgress
                      ? "the execution goes round for ever without progress"
                      : "the execution goes round for ever, and nobody does more than look";
  }
  if (loop == 0) {
    bug.details.push_back("at the end nothing can move any more, so what holds then holds for ever");
  } else {
    std::vector<ActorId> movers;
    for (const Place& place : std::span(places_).last(loop)) movers.push_back(*place.moved);
    bug.details.push_back(describe_round(system, movers, loop) + ", and can come again and again");
  }
  tell_who_waits(system, loop, bug);
  if (question_.about != TemporalQuestion::About::kFormula) return bug;
  std::uint64_t ever = 0, always = ~std::uint64_t{0};
  for (std::size_t i = places_.size() - std::max<std::uint64_t>(loop, 1); i < places_.size(); ++i) {
    const std::uint64_t holds = places_[i].letter.state | (loop == 0 ? 0 : places_[i].letter.step);
    ever |= holds;
    always &= holds;
  }
  const auto& propositions = question_.negation.propositions;
  const std::uint64_t asked = question_.asked();
  for (std::size_t i = 0; i < propositions.size(); ++i) {
    if ((asked >> i & 1) == 0) continue;
    if ((ever >> i & 1) == 0) bug.details.push_back("from there on, " + propositions[i] + " never holds");
    if ((always >> i & 1) != 0) bug.details.push_back("from there on, " + propositions[i] + " always holds");
  }
  if (question_.tell) question_.tell(question_.formula, bug);
  return bug;
}

}  // namespace ravel
