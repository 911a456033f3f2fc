#include "states/delay_strata.h"

namespace ravel {

void DelayStrata::open(StateNumber state) {
  if (way_.empty() && stratum_ == 0) explorer_.begin();
  const std::uint32_t delays = way_.empty() ? 0 : way_.back().delays - last_cost_;
  const std::uint32_t explorer = explorer_.arrive();
  way_.push_back({.next = {.state = state, .explorer = explorer, .place = 0},
                  .delays = delays,
                  .enabled = static_cast<std::uint32_t>(system_.enabled().size())});
}

std::optional<DelayStrata::Choice> DelayStrata::next() {
  while (true) {
    if (way_.empty()) {
      if (resuming_.size() == 0 && !begin_stratum()) return std::nullopt;
      way_.push_back({.next = *resuming_.take(), .delays = stratum_, .enabled = kUnknown});
    }
    OnWay& from = way_.back();
    if (from.next.place < from.enabled && from.delays <= stratum_) {
      go_to_(from.next.state);
      from.enabled = static_cast<std::uint32_t>(system_.enabled().size());
      explorer_.be_in(from.next.explorer);
      last_cost_ = cost_of_next(from);
      const std::size_t index = explorer_.choose(from.next.place);
      ++from.next.place;
      from.delays += last_cost_;
      return Choice{.state = from.next.state, .index = static_cast<std::uint32_t>(index)};
    }
    if (from.next.place < from.enabled) put_off_.put(from.next);
    way_.pop_back();
  }
}

// How many delays more the transition after the next one costs. The System is there, and the explorer is in
// its state.
std::uint32_t DelayStrata::cost_of_next(const OnWay& from) {
  if (from.next.place + 1 == from.enabled) return 0;
  return explorer_.cost_of(from.next.place + 1) - explorer_.cost_of(from.next.place);
}

void DelayStrata::take_back() {
  --way_.back().next.place;
  way_.back().delays -= last_cost_;
}

// An unfinished state may cost fewer delays than its stratum has.
void DelayStrata::stop() {
  for (const OnWay& one : way_)
    if (one.next.place < one.enabled) (one.delays <= stratum_ ? resuming_ : put_off_).put(one.next);
  way_.clear();
}

// False if there is none.
bool DelayStrata::begin_stratum() {
  if (put_off_.size() == 0 || (delays_max_ && stratum_ >= *delays_max_)) return false;
  resuming_.swap(put_off_);
  ++stratum_;
  return true;
}

std::uint64_t DelayStrata::bytes() const {
  return way_.capacity() * sizeof(OnWay) + put_off_.bytes() + resuming_.bytes() + explorer_.states().bytes();
}

void DelayStrata::write_position(PositionWriter& writer) const {
  writer.put(explorer_.driver().explorer().checksum());
  writer.put(stratum_);
  const auto put = [&](const PutOff& one) {
    writer.put(static_cast<std::uint32_t>(one.state));
    writer.put(one.place);
  };
  writer.put_all(way_, [&](const OnWay& one) {
    put(one.next);
    writer.put(one.delays);
  });
  for (const Frontier* const frontier : {&put_off_, &resuming_}) {
    writer.put(frontier->size());
    frontier->for_each(put);
  }
  writer.put_all(complaints(), [&](const std::string& one) { writer.put_position(one); });
}

bool DelayStrata::repeat(StateNumber from, std::uint32_t index) {
  const Opened* const known = opened(static_cast<std::uint32_t>(from));
  return known != nullptr && explorer_.choose_index(known->explorer, index);
}

void DelayStrata::open_again(StateNumber state) {
  if (opened_.empty()) explorer_.begin();
  opened_.resize(static_cast<std::uint32_t>(state) + 1);
  const std::uint32_t explorer = explorer_.arrive();
  opened_.back() = {.explorer = explorer, .enabled = static_cast<std::uint32_t>(system_.enabled().size())};
}

const DelayStrata::Opened* DelayStrata::opened(std::uint32_t state) const {
  if (state >= opened_.size() || opened_[state].explorer == kUnknown) return nullptr;
  return &opened_[state];
}

bool DelayStrata::read_position(PositionReader& reader) {
  bool is_damaged = reader.get() != explorer_.driver().explorer().checksum();
  stratum_ = reader.get32();
  const auto get = [&]() -> PutOff {
    const std::uint32_t state = reader.get32();
    const std::uint32_t place = reader.get32();
    const Opened* const known = opened(state);
    is_damaged = is_damaged || known == nullptr || place > known->enabled;
    return {.state = StateNumber{state}, .explorer = known == nullptr ? 0 : known->explorer, .place = place};
  };
  reader.get_all([&] {
    const PutOff next = get();
    const std::uint32_t delays = reader.get32();
    if (!is_damaged)
      way_.push_back({.next = next,
                      .delays = delays,
                      .enabled = opened(static_cast<std::uint32_t>(next.state))->enabled});
  });
  for (Frontier* const frontier : {&put_off_, &resuming_})
    reader.get_all([&] {
      const PutOff one = get();
      is_damaged = is_damaged || one.place == opened(static_cast<std::uint32_t>(one.state))->enabled;
      if (!is_damaged) frontier->put(one);
    });
  reader.get_all([&] { explorer_.driver().complain_again(std::string(reader.get_position())); });
  opened_ = {};
  return !is_damaged && !reader.is_damaged();
}

}  // namespace ravel
