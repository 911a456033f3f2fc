// Stories of random programs of the toy system.

#pragma once

#include <memory>

#include "races/explain.h"
#include "races/observation.h"
#include "story/make_story.h"
#include "tests/toy/message_system.h"
#include "tests/toy/reference.h"

namespace ravel {

struct RandomStory {
  explicit RandomStory(std::uint64_t seed, bool explains = false) : random(seed) {
    using toy::Act;
    static const std::vector<Act> acts = {Act::kSend,    Act::kSend,      Act::kSendTwo,
                                          Act::kReceive, Act::kReceiveOr, Act::kWrite,
                                          Act::kRead,    Act::kKill,      Act::kStop};
    program = toy::random_message_program(random, acts, 3, 4);
    system = std::make_unique<toy::MessageSystem>(program);
    observation = std::make_unique<Observation>(*system, kEventsMax);
    while (observation->running()) {
      const auto enabled = system->enabled();
      observation->take(Transition(enabled[random.below(enabled.size())]));
    }
    observation->finish();
    StoryRequest request;
    request.front_end = "toy";
    request.test = "a random program";
    request.read_source = [](const std::string& file) -> Result<std::string> {
      return Error{file + " is not there"};
    };
    request.events_max = kEventsMax;
    if (explains)
      request.explain = [this](const Recording& recording) {
        return std::optional(explain_bug(*system, steps_of(recording), kEventsMax, 50));
      };
    story = make_story(*observation, request);
  }

  static constexpr std::uint64_t kEventsMax = 100;
  Random random;
  toy::MessageProgram program;
  std::unique_ptr<toy::MessageSystem> system;
  std::unique_ptr<Observation> observation;
  Story story;
};

}  // namespace ravel
