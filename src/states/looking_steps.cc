#include "states/looking_steps.h"

#include <functional>

#include "base/check.h"
#include "engine/position.h"
#include "states/fair_actors.h"
#include "states/polling_loops.h"

namespace ravel {

std::uint32_t LookingSteps::label_of(const std::string& text) {
  const auto [known, is_new] = known_labels_.try_emplace(text, static_cast<std::uint32_t>(labels_.size()));
  if (is_new) labels_.push_back(text);
  return known->second;
}

void LookingSteps::note(const Hash128& from, std::uint32_t index, std::span<const Transition> enabled,
                        const Hash128& to, const System& system) {
  PositionWriter label;
  std::uint32_t place = 0;
  for (std::uint32_t i = 0; i < index; ++i)
    if (is_sure_to_move(enabled[i])) ++place;
  CHECK(is_sure_to_move(enabled[index]));
  label.put(place);
  for (const Transition& transition : enabled)
    if (is_sure_to_move(transition)) label.put_position(system.actor_name(transition.actor).to_string());
  steps_.push_back({.from = from, .to = to, .label = label_of(label.bytes())});
}

std::string LookingSteps::take_notes() {
  PositionWriter writer;
  writer.put_all(labels_, [&](const std::string& label) { writer.put_position(label); });
  writer.put_all(std::span(steps_).subspan(told_), [&](const Step& step) {
    for (const std::uint64_t half : {step.from.high, step.from.low, step.to.high, step.to.low})
      writer.put(half);
    writer.put(step.label);
  });
  told_ = steps_.size();
  return writer.bytes();
}

bool LookingSteps::add(std::string_view notes) {
  PositionReader reader(notes);
  std::vector<std::uint32_t> labels;
  reader.get_all([&] { labels.push_back(label_of(std::string(reader.get_position()))); });
  bool is_right = true;
  reader.get_all([&] {
    Step step;
    for (std::uint64_t* const half : {&step.from.high, &step.from.low, &step.to.high, &step.to.low})
      *half = reader.get();
    const std::uint32_t label = reader.get32();
    is_right = is_right && label < labels.size();
    if (!is_right) return;
    step.label = labels[label];
    steps_.push_back(step);
  });
  return is_right && reader.is_complete();
}

bool LookingSteps::has_loop(fair_cycles::Fairness fairness) const {
  PollingLoops loops;
  std::map<Hash128, std::uint32_t> numbers;
  std::map<std::string, std::uint32_t, std::less<>> actors;
  const auto number_in = [](auto& known, const auto& key) {
    return known.try_emplace(key, static_cast<std::uint32_t>(known.size())).first->second;
  };
  std::vector<Transition> enabled;
  for (const Step& step : steps_) {
    PositionReader reader(labels_[step.label]);
    const std::uint32_t place = reader.get32();
    enabled.clear();
    while (!reader.is_complete()) {
      const ActorId actor{number_in(actors, std::string(reader.get_position()))};
      enabled.push_back({.actor = actor, .alternative = 0, .kind = TransitionKind::kOperation});
    }
    loops.note(StateNumber{number_in(numbers, step.from)}, place, enabled,
               StateNumber{number_in(numbers, step.to)});
  }
  return !steps_.empty() && loops.find(fairness).has_value();
}

}  // namespace ravel
