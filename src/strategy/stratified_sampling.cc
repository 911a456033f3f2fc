#include "strategy/stratified_sampling.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/hash.h"
#include "base/random.h"
#include "explorers/sample_counts.h"

namespace ravel {

std::string StratifiedSampling::name() const {
  return "stratified sampling, explorer " + driver_.explorer().name() + ", seed " + std::to_string(seed());
}

// Of what needs k delays each sample with k or more had its chance.
std::string StratifiedSampling::promise() const {
  const std::uint32_t most = std::max<std::uint32_t>(1, delays_ - std::min<std::uint32_t>(delays_, 1));
  if (samples_.size() <= most || places_max_ == 0) return {};
  double chance = kChanceTold;
  for (std::uint32_t delays = 1; delays <= most; ++delays) {
    const double of_one = std::pow(static_cast<double>(places_max_), -static_cast<double>(delays));
    const double all_miss = static_cast<double>(samples_[delays]) * std::log1p(-of_one);
    chance = std::min(chance, -std::expm1(all_miss));
  }
  char text[200];
  std::snprintf(
      text, sizeof text,
      "what at most %u %s of the explorer %s shows is found with a probability of at least %.2g (L = "
      "%llu)",
      most, most == 1 ? "delay" : "delays", driver_.explorer().name().c_str(), chance,
      static_cast<unsigned long long>(places_max_));
  return text;
}

void StratifiedSampling::begin() {
  driver_.begin();
  state_.clear();
  delayed_ = 0;
  passed_ = 0;
}

Decision StratifiedSampling::draw(const Point& point) {
  driver_.arrive(state_, point.enabled, *point.system);
  std::uint32_t place = 0;
  while (place + 1 < point.enabled.size()) {
    const bool is_here = delayed_ < path_.size() && passed_ == path_[delayed_];
    if (!is_here) {
      ++passed_;
      break;
    }
    ++place;
    ++delayed_;
    passed_ = 0;
  }
  return Decision::take(driver_.choose(state_, point.enabled, place, *point.system), Return::kNever);
}

void StratifiedSampling::end(Outcome) {
  if (sample_ == 0) places_without_delay_ = passed_;
  places_max_ = std::max(places_max_, passed_);
  if (path_.size() < delays_ && passed_ > 0) {
    draw_delay(passed_);
    return;
  }
  if (samples_.size() <= delays_) samples_.resize(delays_ + 1, 0);
  for (std::uint32_t delays = 0; delays <= delays_; ++delays) ++samples_[delays];
  ++sample_;
  // All without a delay would be the same.
  if (++of_stratum_ >= (delays_ == 0 ? 1 : samples_with(delays_))) {
    of_stratum_ = 0;
    ++delays_;
  }
  begin_sample();
}

void StratifiedSampling::begin_sample() {
  path_.clear();
  if (places_without_delay_ > 0) draw_delay(places_without_delay_);
}

// It depends on the seed, on the sample's number and on which delay of it this is.
void StratifiedSampling::draw_delay(std::uint64_t places) {
  path_.push_back(Random(combine(combine(seed(), sample_), path_.size())).below(places));
}

void StratifiedSampling::write_learned(PositionWriter& writer) const {
  writer.put(driver_.explorer().checksum());
  writer.put(delays_);
  writer.put(sample_);
  writer.put(of_stratum_);
  writer.put(places_without_delay_);
  writer.put(places_max_);
  writer.put_all(path_, [&](std::uint64_t place) { writer.put(place); });
  writer.put_all(samples_, [&](std::uint64_t samples) { writer.put(samples); });
}

bool StratifiedSampling::read_learned(PositionReader& reader) {
  const bool is_same = reader.get() == driver_.explorer().checksum();
  delays_ = reader.get32();
  sample_ = reader.get();
  of_stratum_ = reader.get();
  places_without_delay_ = reader.get();
  places_max_ = reader.get();
  reader.get_all([&] { path_.push_back(reader.get()); });
  reader.get_all([&] { samples_.push_back(reader.get()); });
  // Some sample of each stratum before has ended.
  delays_ = std::min(delays_, static_cast<std::uint32_t>(samples_.size()));
  return is_same;
}

}  // namespace ravel
