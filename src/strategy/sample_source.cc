#include "strategy/sample_source.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "engine/position.h"

namespace ravel {

namespace {

// How long a part is to take, in seconds: that long is searched in vain after the first bug.
constexpr double kSecondsOfPart = 0.1;
constexpr std::uint64_t kGrowth = 4;
constexpr std::uint64_t kSizeMax = std::uint64_t{1} << 30;

// So many parts that wait for one before them are enough.
constexpr std::size_t kEndedMax = 1'000;

struct Place {
  std::uint64_t next;
  std::string learned;
};

// What Sampling::write_position() has written.
Place place_in(const std::string& position) {
  PositionReader reader(position);
  Place place{.next = reader.get(), .learned = {}};
  PositionWriter before;
  before.put(place.next);
  place.learned = position.substr(std::min(before.bytes().size(), position.size()));
  return place;
}

std::string position_at(std::uint64_t next, const std::string& learned) {
  PositionWriter writer;
  writer.put(next);
  return writer.bytes() + learned;
}

}  // namespace

SampleSource::SampleSource(std::uint64_t first, std::uint64_t end, std::string learned,
                           std::unique_ptr<Clock> clock)
    : end_(end), clock_(std::move(clock)), settled_(first), learned_(std::move(learned)), size_(1) {
  if (first < end) waiting_[first] = {.end = end};
}

// ---- Giving away -----------------------------------------------------------------------------------------

bool SampleSource::is_beyond_end(std::uint64_t place) const {
  return std::ranges::any_of(ended_, [&](const auto& one) { return one.second.last && one.first < place; });
}

bool SampleSource::has_waiting() const {
  if (is_over_ || waiting_.empty()) return false;
  const std::uint64_t place = waiting_.begin()->first;
  if (place == settled_) return true;
  return !is_learning_ && ended_.size() < kEndedMax && !is_beyond_end(place);
}

// The first one is all that is left, since somebody may be at it already.
std::optional<Part> SampleSource::hand_out() {
  if (!has_waiting()) return std::nullopt;
  const auto first = waiting_.begin();
  const std::uint64_t place = first->first;
  const Waiting waiting = std::move(first->second);
  waiting_.erase(first);
  std::uint64_t end = waiting.end;
  if (!is_whole_ && !waiting.number && end - place > size_) {
    end = place + size_;
    waiting_[end] = {.end = waiting.end};
  }
  const PartNumber number = waiting.number.value_or(next_part_);
  next_part_ = std::max(next_part_, number + 1);
  const std::string& learned = waiting.learned && place != settled_ ? *waiting.learned : learned_;
  Running& part = running_[number];
  part = {.place = place,
          .from = place,
          .next = place,
          .end = end,
          .learned_before = learned,
          .learned = learned,
          .begun_at = clock_->seconds()};
  const bool has_end = !std::exchange(is_whole_, false) && end - place <= kSizeMax;
  return Part{.number = number,
              .from_level = has_end ? static_cast<std::uint32_t>(end - place) : 0,
              .position = position_at(place, learned)};
}

void SampleSource::take_back(PartNumber number) {
  const bool was_void = is_void(number);
  const Running part = std::move(running_.at(number));
  running_.erase(number);
  if (was_void) {
    void_.push_back({part.place});
    waiting_[part.from] = {.end = part.end, .number = number};
    return;
  }
  if (part.from < part.next)
    ended_[part.from] = {.end = part.next, .learned_before = part.learned_before, .learned = part.learned};
  waiting_[part.next] = {.end = part.end, .number = number, .learned = part.learned};
  settle();
}

// ---- What comes back -------------------------------------------------------------------------------------

bool SampleSource::commit(PartNumber number, std::string_view notes) {
  running_.at(number).learned = notes;
  return true;
}

void SampleSource::keep(PartNumber number, std::string position) {
  Running& part = running_.at(number);
  Place place = place_in(position);
  CHECK(part.next <= place.next && place.next <= part.end);
  part.next = place.next;
  part.learned = std::move(place.learned);
  settle();
}

void SampleSource::finish(PartNumber number, bool) {
  Running& part = running_.at(number);
  part.next = part.end;
  note_speed(part);
  ended_[part.from] = {.end = part.end, .learned_before = part.learned_before, .learned = part.learned};
  running_.erase(number);
  settle();
}

void SampleSource::end_search_at(PartNumber number) {
  const Running part = std::move(running_.at(number));
  running_.erase(number);
  ended_[part.from] = {
      .end = part.end, .learned_before = part.learned_before, .learned = part.learned, .last = part.next};
  settle();
}

void SampleSource::note_speed(const Running& part) {
  const double seconds = clock_->seconds() - part.begun_at;
  const double executions = static_cast<double>(part.next - part.place);
  const double wanted = seconds > 0 ? executions * kSecondsOfPart / seconds : static_cast<double>(kSizeMax);
  const std::uint64_t most = std::min(size_ * kGrowth, kSizeMax);
  const std::uint64_t least = std::max<std::uint64_t>(size_ / kGrowth, 1);
  size_ =
      static_cast<std::uint64_t>(std::clamp(wanted, static_cast<double>(least), static_cast<double>(most)));
}

// ---- The order -------------------------------------------------------------------------------------------

// What comes next in the order goes on from where all before has ended, if it has begun with the same.
bool SampleSource::settle_one(std::uint64_t end, const std::string& before, const std::string& after) {
  if (before != learned_) return false;
  is_learning_ = after != before;
  settled_ = end;
  learned_ = after;
  return true;
}

void SampleSource::settle() {
  while (!is_over_) {
    if (const auto next = ended_.find(settled_); next != ended_.end()) {
      const Ended ended = std::move(next->second);
      const std::uint64_t place = next->first;
      ended_.erase(next);
      if (settle_one(ended.last.value_or(ended.end), ended.learned_before, ended.learned)) {
        is_over_ = ended.last.has_value();
        continue;
      }
      is_learning_ = true;
      void_.push_back({place});
      waiting_[place] = {.end = ended.end};
      return;
    }
    const auto next = std::ranges::find_if(running_, [&](const auto& one) {
      return one.second.from == settled_ && one.second.from < one.second.next;
    });
    if (next == running_.end()) return;
    Running& part = next->second;
    if (!settle_one(part.next, part.learned_before, part.learned)) {
      is_learning_ = true;
      return;
    }
    part.from = part.next;
    part.learned_before = part.learned;
  }
}

bool SampleSource::is_first(PartNumber number) const {
  const Running& part = running_.at(number);
  return !is_over_ && part.from == settled_ && part.learned_before == learned_;
}

bool SampleSource::is_void(PartNumber number) const {
  const Running& part = running_.at(number);
  return is_over_ || is_beyond_end(part.from) || (part.from == settled_ && part.learned_before != learned_);
}

std::vector<PartPlace> SampleSource::take_void() { return std::exchange(void_, {}); }

SampleSource::Division SampleSource::divide(PartNumber number) {
  Running& part = running_.at(number);
  const std::uint64_t left = part.end - part.next;
  if (is_learning_ || is_void(number) || left < 2) return {};
  if (part.next > part.place) note_speed(part);
  const std::uint64_t own = std::min({size_, left / 2, kSizeMax});
  const std::uint64_t end = std::exchange(part.end, part.next + own);
  waiting_[part.end] = {.end = end};
  return {.from_level = static_cast<std::uint32_t>(own)};
}

// That of the strategy: what was found after that place is searched again.
std::string SampleSource::position() const { return position_at(settled_, learned_); }

}  // namespace ravel
