#include "states/frontier_samples.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/check.h"
#include "base/hash.h"
#include "base/random.h"
#include "explorers/sample_counts.h"

namespace ravel {

namespace {

constexpr std::uint64_t kWhichState = ~std::uint64_t{0};  // among what is drawn for a sample

// Nobody waits for as many samples as so many strata have.
constexpr std::uint32_t kStrataMax = 64;

std::uint64_t samples_of(std::uint32_t stratum_from_first) { return samples_with(stratum_from_first + 1); }

}  // namespace

FrontierSamples::FrontierSamples(DelayStrata& strata, std::uint64_t seed)
    : strata_(strata),
      seed_(seed),
      first_(strata.stratum() + (strata.resuming().size() > 0 ? 0 : 1)),
      delays_(first_) {
  CHECK(states_at(first_) > 0);
  begin_sample();
}

StateNumber FrontierSamples::begin() {
  state_ = strata_.explorer_states().state_of(from_.explorer);
  is_first_ = true;
  delayed_ = 0;
  passed_ = 0;
  kept_.reset();
  asked_ = 0;
  keep_at_ = 1;
  return from_.state;
}

// One state is kept to compare with, another one after 1, 2, 4, ... steps (R. P. Brent, "An improved Monte
// Carlo factorization algorithm", BIT 20, 1980).
bool FrontierSamples::goes_round(const Fingerprint& program) {
  if (delayed_ < path_.size()) return false;
  if (kept_ && kept_->first == program && kept_->second == state_) return true;
  if (++asked_ < keep_at_) return false;
  kept_.emplace(program, state_);
  keep_at_ *= 2;
  return false;
}

std::optional<std::size_t> FrontierSamples::choose(std::span<const Transition> enabled,
                                                   const SystemView& system,
                                                   const std::optional<Fingerprint>& program) {
  ExplorerDriver& driver = strata_.driver();
  if (!is_first_) driver.arrive(state_, enabled, system);
  if (program && goes_round(*program)) return std::nullopt;
  std::uint32_t place = is_first_ ? from_.place : 0;
  is_first_ = false;
  while (place + 1 < enabled.size()) {
    const bool is_here = delayed_ < path_.size() && passed_ == path_[delayed_];
    if (!is_here) {
      ++passed_;
      break;
    }
    ++place;
    ++delayed_;
    passed_ = 0;
  }
  return driver.choose(state_, enabled, place, system);
}

void FrontierSamples::end() {
  places_max_ = std::max(places_max_, passed_);
  if (path_.size() < further_ && passed_ > 0) {
    draw_delay(passed_);
    return;
  }
  ++sample_;
  if (++of_stratum_ >= samples_of(delays_ - first_)) {
    of_stratum_ = 0;
    ++delays_;
  }
  begin_sample();
}

// How many were put off to the stratum of so many delays, or one before.
std::uint64_t FrontierSamples::states_at(std::uint32_t delays) const {
  return strata_.resuming().size() + (delays > strata_.stratum() ? strata_.put_off().size() : 0);
}

PutOff FrontierSamples::state_at(std::uint64_t index) const {
  const std::uint64_t of_present = strata_.resuming().size();
  return index < of_present ? strata_.resuming().at(index) : strata_.put_off().at(index - of_present);
}

// What is drawn depends on the seed, on the sample's number and on what it is.
void FrontierSamples::begin_sample() {
  const std::uint64_t index = Random(combine(combine(seed_, sample_), kWhichState)).below(states_at(delays_));
  from_ = state_at(index);
  const std::uint32_t with = strata_.stratum() + (index < strata_.resuming().size() ? 0 : 1);
  further_ = delays_ - with;
  path_.clear();
}

void FrontierSamples::draw_delay(std::uint64_t places) {
  path_.push_back(Random(combine(combine(seed_, sample_), path_.size())).below(places));
}

// Of what one of all the states leads to with m further delays, each sample with as many had its chance.
std::string FrontierSamples::promise() const {
  const std::uint32_t all_from = strata_.stratum() + 1;  // from that stratum on all states are drawn
  if (delays_ <= all_from) return {};
  const std::uint32_t most = delays_ - 1 - all_from;
  const auto states = static_cast<double>(states_at(delays_));
  double chance = kChanceTold;
  std::uint64_t samples = 0;
  for (std::uint32_t further = most + 1; further-- > 0;) {
    samples += samples_of(all_from + further - first_);
    const double of_one = std::pow(static_cast<double>(std::max<std::uint64_t>(places_max_, 1)),
                                   -static_cast<double>(further)) /
                          states;
    const double missed_by_all = of_one < 1 ? static_cast<double>(samples) * std::log1p(-of_one) : -1e3;
    chance = std::min(chance, -std::expm1(missed_by_all));
  }
  char text[240];
  std::snprintf(text, sizeof text,
                "what one of the %llu states put off leads to, with at most %u further %s of the explorer "
                "%s, is found with a probability of at least %.2g (L = %llu)",
                static_cast<unsigned long long>(states_at(delays_)), most, most == 1 ? "delay" : "delays",
                strata_.driver().explorer().name().c_str(), chance,
                static_cast<unsigned long long>(places_max_));
  return text;
}

void FrontierSamples::write_position(PositionWriter& writer) const {
  writer.put(delays_);
  writer.put(sample_);
  writer.put(of_stratum_);
  writer.put(places_max_);
  writer.put_all(path_, [&](std::uint64_t place) { writer.put(place); });
}

bool FrontierSamples::read_position(PositionReader& reader) {
  delays_ = reader.get32();
  sample_ = reader.get();
  of_stratum_ = reader.get();
  places_max_ = reader.get();
  if (reader.is_damaged() || delays_ < first_ || delays_ - first_ > kStrataMax) return false;
  begin_sample();
  reader.get_all([&] { path_.push_back(reader.get()); });
  return !reader.is_damaged() && path_.size() <= further_;
}

}  // namespace ravel
