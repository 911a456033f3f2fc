// A leaf of a shared tree that whoever runs a part takes up after another leaf, without going through a
// position: what its path has that the one before has not. Only between copies of one process, by numbers
// that they have in common.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/position.h"
#include "strategy/optimal_reduction/common_ground.h"
#include "strategy/optimal_reduction/saved_names.h"
#include "strategy/optimal_reduction/saved_touches.h"
#include "strategy/optimal_reduction/step_pool.h"

namespace ravel::reduction {

class GivenLeafWriter {
 public:
  // The ground must outlive the writer.
  explicit GivenLeafWriter(const ObjectsInCommon& ground) : ground_(ground) {}

  void put_number(std::uint64_t number) { writer_.put(number); }
  void put_actor(ActorId actor) {
    is_common_ = is_common_ && ground_.has(actor);
    writer_.put(static_cast<std::uint64_t>(actor));
  }
  void put(std::uint64_t number) { put_number(number); }
  void put(const EventName& event) { put_name(*this, event); }
  void put(const StepName& name) { put_name(*this, name); }
  void put(const Step& step) {
    put(step.name);
    writer_.put(step.ends_all ? 1 : 0);
    put_touches(writer_, step);
    is_common_ = is_common_ && ground_.has(step.touches);
  }
  template <class Range>
  void put_all(const Range& range) {
    writer_.put_all(range, [&](const auto& one) { put(one); });
  }
  // Whether all that was put means the same to the reader.
  bool is_common() const { return is_common_; }
  const std::string& bytes() const { return writer_.bytes(); }

 private:
  const ObjectsInCommon& ground_;
  PositionWriter writer_;
  bool is_common_ = true;
};

class GivenLeafReader {
 public:
  // The bytes must outlive the reader.
  explicit GivenLeafReader(std::string_view bytes) : reader_(bytes) {}

  std::uint32_t get_number() { return reader_.get32(); }
  ActorId get_actor() { return static_cast<ActorId>(reader_.get32()); }
  EventName get_event() { return get_event_name(*this); }
  StepName get_name() { return get_step_name(*this); }
  void note_damage() { is_damaged_ = true; }
  // The number of a step in the pool, in use once more.
  std::uint32_t use_step(StepPool& steps) {
    const StepName name = get_name();
    const bool ends_all = reader_.get() != 0;
    const std::uint64_t close_key = get_touches(reader_, touches_, is_damaged_);
    return steps.use(name, close_key, ends_all, touches_);
  }
  template <class GetOne>
  void get_all(GetOne get_one) {
    reader_.get_all(get_one);
  }
  bool is_complete() const { return !is_damaged_ && reader_.is_complete(); }

 private:
  PositionReader reader_;
  std::vector<Touch> touches_;
  bool is_damaged_ = false;
};

}  // namespace ravel::reduction
