// The execution of a ticket up to a point: what can happen there, what actors have at hand, and what comes of
// another choice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "check/subject.h"
#include "engine/inspecting.h"
#include "engine/recording.h"

namespace ravel::mcp {

// What could move at a point.
struct Choice {
  std::string actor;
  std::uint32_t alternative = 0;
  TransitionKind kind = TransitionKind::kOperation;
};

class Point {
 public:
  // Takes the first `steps` steps of the ticket. An error if there are not as many, or one cannot be taken.
  // The front ends must outlive this object.
  static Result<std::unique_ptr<Point>> open(const FrontEnds& front_ends, const std::string& ticket,
                                             std::span<const std::string> files, std::size_t steps);

  std::vector<Choice> choices() const;
  std::vector<ActorState> states() const;
  std::string name_of(ActorId actor) const { return subject_.system().actor_name(actor).to_string(); }
  // Goes on with this choice, if it is one, and then to the end without preemptions. Called once.
  Result<Recording> go_on(const std::optional<Choice>& choice);

 private:
  explicit Point(Subject subject) : subject_(std::move(subject)) {}

  const Subject subject_;
  std::unique_ptr<Recorder> recorder_;
};

}  // namespace ravel::mcp
