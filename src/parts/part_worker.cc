#include "parts/part_worker.h"

#include <unistd.h>

#include <utility>

#include "base/check.h"
#include "base/clock.h"

namespace ravel {

namespace {

// How often a part tells where it is, in seconds, if nobody asks: what is lost with its process at most.
constexpr double kSliceSeconds = 1;

constexpr int kParentIsGone = 3;

}  // namespace

std::unique_ptr<Explorer> PartRunning::explorer_of(Strategy& strategy, const Limits& limits_of_run,
                                                   Clock& clock, const Surroundings& surroundings) const {
  if (make_explorer) return make_explorer(strategy, limits_of_run, clock, surroundings);
  return std::make_unique<Explorer>(system, strategy, limits_of_run, clock, surroundings);
}

PartWorker::PartWorker(PartRunning running, Channel channel, std::atomic<bool>& keep_now)
    : running_(std::move(running)), channel_(std::move(channel)), keep_now_(keep_now) {
  running_.limits.seconds.reset();
}

void PartWorker::serve() {
  for (;;) {
    const auto message = channel_.receive();
    const auto part = message ? parse_part(*message) : std::nullopt;
    if (!part) _exit(0);
    run(*part);
  }
}

void PartWorker::take(PartNumber part, Strategy& strategy, const Explorer& explorer) {
  begin(part, strategy);
  explorer_ = &explorer;
}

void PartWorker::begin(PartNumber part, Strategy& strategy) {
  part_ = part;
  stop_ = false;
  divisible_ = as_divisible(&strategy);
  CHECK(divisible_ != nullptr);
}

void PartWorker::run(const Part& part) {
  const std::unique_ptr<Strategy> strategy = running_.make_strategy();
  begin(part.number, *strategy);
  divisible_->stand_on(running_.ground);
  if (running_.begin_part) running_.begin_part();
  PositionReader reader(part.position);
  Trials trials(running_.system);
  const bool is_right = strategy->read_position(reader, trials) && reader.is_complete();
  CHECK_MESSAGE(is_right, "a part makes no sense: nondeterminism that is not under control");
  divisible_->become_part(part.from_level);
  Surroundings surroundings = {.listener = running_.listener,
                               .interrupt = &stop_,
                               .held_memory = running_.held_memory,
                               .keep = [this](const Exploration& now) { tell_slice(now); },
                               .keeping = {.first = kSliceSeconds, .between = kSliceSeconds},
                               .keep_now = &keep_now_};
  SteadyClock clock;
  Limits limits = running_.limits;
  if (part.executions_max) limits.executions = part.executions_max;
  const std::unique_ptr<Explorer> explorer = running_.explorer_of(*strategy, limits, clock, surroundings);
  explorer_ = explorer.get();
  const Exploration found = explorer->run();
  if (!stop_) tell_end(found, *explorer);
}

void PartWorker::tell(const PartSlice& slice) {
  if (!channel_.send(print_slice(slice))) _exit(kParentIsGone);
}

void PartWorker::tell_slice(const Exploration& now) {
  // The part is another one's by now: some events may pass before the explorer ends.
  if (stop_) return;
  tell({.kind = PartSlice::Kind::kGoesOn,
        .part = part_,
        .notes = divisible_->take_notes(),
        .may_give = divisible_->pays_off(),
        .unfinished_events = explorer_->unfinished_events(),
        .found = running_.save(now)});
  const auto message = channel_.receive();
  if (!message) _exit(kParentIsGone);
  const SliceAnswer answer = parse_answer(*message);
  if (answer.how == GoOnWith::kNone) stop_ = true;
  if (answer.how == GoOnWith::kLess) divisible_->become_part(answer.from_level);
}

void PartWorker::tell_end(const Exploration& found, const Explorer& explorer) {
  const bool has_discovered = running_.listener != nullptr && running_.listener->ends_search();
  PartSlice slice{.kind = has_discovered ? PartSlice::Kind::kDiscovered : PartSlice::Kind::kEnded,
                  .part = part_,
                  .notes = divisible_->take_notes(),
                  .may_give = false,
                  .unfinished_events = explorer.unfinished_events(),
                  .found = running_.save(found)};
  if (has_discovered || found.refusal) slice.last = name_steps(explorer.schedule(), running_.system);
  tell(slice);
}

}  // namespace ravel
