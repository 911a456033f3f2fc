#include "p/system/known_steps.h"

#include <algorithm>
#include <array>

namespace ravel::p {
namespace {

// Facts of images.
constexpr std::uint64_t kAlternatives = std::uint64_t{1} << 32, kHeat = std::uint64_t{2} << 32;

}  // namespace

std::uint32_t KnownSteps::alternatives_of(Value image) {
  const std::uint64_t key = kAlternatives | part_of(image);
  if (const std::optional<std::uint32_t> known = facts_.find(key)) return *known;
  const std::uint32_t count = world_.alternatives_of(image);
  facts_.insert(key, count);
  return count;
}

void KnownSteps::list_alternatives(std::span<const Value> words) {
  enabled_ = 0;
  for (std::size_t who = 0; who < machines(words); ++who) {
    if (facts_at_hand_[who] == kNotKnown)
      facts_at_hand_[who] = words[who].is_none() ? 0 : alternatives_of(words[who]);
    enabled_ += facts_at_hand_[who];
  }
}

std::span<const Transition> KnownSteps::enabled_in(std::span<const Value> words) {
  list_alternatives(words);
  transitions_.clear();
  for (const std::uint32_t who : world_.names().in_order())
    for (std::uint32_t i = 0; who < machines(words) && i < facts_at_hand_[who]; ++i)
      transitions_.push_back({.actor = ActorId{who}, .alternative = i});
  return transitions_;
}

std::optional<KnownSteps::Step> KnownSteps::step_of(std::span<const Value> words, std::uint32_t index) {
  for (const std::uint32_t who : world_.names().in_order()) {
    if (who >= machines(words)) continue;
    if (index < facts_at_hand_[who]) return Step{.who = who, .alternative = index};
    index -= facts_at_hand_[who];
  }
  return std::nullopt;
}

std::uint32_t KnownSteps::heat_of(Value image) {
  const std::uint64_t key = kHeat | part_of(image);
  if (const std::optional<std::uint32_t> known = facts_.find(key)) return *known;
  const auto heat = static_cast<std::uint32_t>(liveness_.heat_of(world_.at_rest(image)));
  facts_.insert(key, heat);
  return heat;
}

std::uint64_t KnownSteps::letter_of(std::span<const Value> words) {
  std::uint64_t letter = 0;
  for (std::size_t i = 0; i < std::min(world_.monitors().size(), Liveness::kSpecsMax); ++i) {
    std::uint32_t& heat = facts_at_hand_[machines(words) + i];
    if (heat == kNotKnown) heat = heat_of(words[machines(words) + i]);
    letter |= std::uint64_t{heat} << Liveness::kBitsOfSpec * i;
  }
  return letter;
}

// What a machine may be sent depends on its kind, so that a step reads it of whoever has this name.
std::optional<KnownSteps::Found> KnownSteps::find(std::span<const Value> words, std::uint32_t index) {
  if (world_.names_mean_several()) pay_off_.end();
  if (!pay_off_.ask()) {
    forget();
    return std::nullopt;
  }
  list_alternatives(words);
  const std::optional<Step> step = step_of(words, index);
  if (!step) return std::nullopt;
  const auto effect = steps_.find(step->who, step->alternative,
                                  [&](Place place) { return part_of(words[at(place, words)]); });
  if (!effect) return std::nullopt;
  changes_.clear();
  for (const RememberedSteps::PartAt& write : effect->writes)
    changes_.push_back({.at = at(write.place, words), .word = store_.at_place(write.part)});
  for (const RememberedSteps::Delivery& delivery : effect->deliveries) {
    if (delivery.to >= machines(words) || words[delivery.to].is_none()) return std::nullopt;
    const std::optional<Part> after = steps_.after(delivery.message, part_of(words[delivery.to]));
    if (!after) return std::nullopt;
    changes_.push_back({.at = delivery.to, .word = store_.at_place(*after)});
  }
  std::uint32_t enabled = enabled_;
  for (const Change& change : changes_)
    if (change.at < machines(words)) enabled += alternatives_of(change.word) - facts_at_hand_[change.at];
  if (enabled == 0) return std::nullopt;
  pay_off_.note_known();
  return Found{.changes = changes_, .enabled = enabled, .letter = effect->letter};
}

// What the step has read and written, in this order. False if it did more than that.
bool KnownSteps::read_and_write(const Step& step, std::span<const Value> before,
                                std::span<const Value> after) {
  const auto image = [&](std::span<const Value> words, Place place) {
    return RememberedSteps::PartAt{.place = place, .part = part_of(words[at(place, words)])};
  };
  reads_ = {image(before, step.who)};
  writes_ = {image(after, step.who)};
  deliveries_.clear();
  for (const Effect& effect : world_.effects()) {
    if (effect.kind == Effect::Kind::kCreated) return false;
    if (effect.kind != Effect::Kind::kMonitorRan) continue;
    const Place monitor = kMonitor | effect.who;
    if (std::ranges::find(reads_, monitor, &RememberedSteps::PartAt::place) != reads_.end()) continue;
    reads_.push_back(image(before, monitor));
    writes_.push_back(image(after, monitor));
  }
  for (const Operation& operation : world_.operations()) {
    if (operation.kind != Operation::Kind::kSend || operation.other == step.who) continue;
    if (std::ranges::find(deliveries_, operation.other, &RememberedSteps::Delivery::to) != deliveries_.end())
      return false;  // what stood there between the two is not known
    deliveries_.push_back({.to = operation.other,
                           .message = steps_.message_of(operation.event.bits(), operation.payload.bits())});
  }
  return true;
}

void KnownSteps::note(const Step& step, std::span<const Value> before, std::span<const Value> after) {
  if (has_given_up()) return;
  if (world_.has_called_foreign() || before.size() != after.size()) return;
  if (!read_and_write(step, before, after)) return;
  for (const RememberedSteps::Delivery& delivery : deliveries_)
    steps_.note_after(delivery.message, part_of(before[delivery.to]), part_of(after[delivery.to]));
  steps_.note(step.who, step.alternative, reads_,
              {.writes = writes_, .deliveries = deliveries_, .letter = liveness_.letter().step});
}

void KnownSteps::for_each(const std::function<void(std::span<const Value>)>& visit) const {
  const auto visit_part = [&](Part part) {
    const Value image = store_.at_place(part);
    visit({&image, 1});
  };
  facts_.for_each([&](std::uint64_t key, std::uint32_t) { visit_part(static_cast<Part>(key)); });
  steps_.for_each_part(visit_part);
  for (const RememberedSteps::Content& message : steps_.messages()) {
    const std::array<Value, 2> words = {Value(message.first), Value(message.second)};
    visit(words);
  }
}

}  // namespace ravel::p
