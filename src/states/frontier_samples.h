// Samples of what a search by strata has not got to: they begin at states that it has put off (A. Desai,
// S. Qadeer, S. A. Seshia, "Systematic testing of asynchronous reactive programs", FSE 2015, section 6.1,
// which leaves this for later).
//
// The idea: let s be the first stratum of which something is left. A sample with d delays, d = s, s + 1, ...,
// begins at a state that was put off to stratum d or one before, each of these F states as likely, and takes
// the transition that was put off. The delays that are left come as in stratified sampling: an execution with
// the delays so far is run to its end, and the next delay comes at one of its places, each as likely. So what
// one of the states leads to with m further delays is drawn with a probability of at least 1 / (F * L^m),
// where L is the most places of an execution from such a state.
//
// With d delays 100 * 3^(d - s + 1) samples are drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/position.h"
#include "engine/system.h"
#include "states/delay_strata.h"

namespace ravel {

class FrontierSamples {
 public:
  // The strata must outlive this, and stay as they are. REQUIRES: they are stopped, and not exhausted.
  FrontierSamples(DelayStrata& strata, std::uint64_t seed);

  // An execution begins, at this state.
  StateNumber begin();
  // Which of the transitions comes next. `program`: of the present state, if that is known. Nothing: the
  // execution goes round for ever, since no delay is to come, and a state of the program has come again with
  // one of the explorer. REQUIRES: it has not ended.
  std::optional<std::size_t> choose(std::span<const Transition> enabled, const SystemView& system,
                                    const std::optional<Fingerprint>& program);
  // It has ended. One that is not told to have ended is begun again.
  void end();

  // A sentence without a full stop, or nothing.
  std::string promise() const;

  void write_position(PositionWriter& writer) const;
  // Of samples from the same states. False if it is damaged.
  bool read_position(PositionReader& reader);

 private:
  std::uint64_t states_at(std::uint32_t delays) const;
  PutOff state_at(std::uint64_t index) const;
  void begin_sample();
  void draw_delay(std::uint64_t places);
  bool goes_round(const Fingerprint& program);

  DelayStrata& strata_;
  const std::uint64_t seed_;
  const std::uint32_t first_;  // s

  std::uint32_t delays_;             // d, of the present sample
  std::uint64_t sample_ = 0;         // its number among all
  std::uint64_t of_stratum_ = 0;     // and among those with as many delays
  PutOff from_;                      // where it begins
  std::uint32_t further_ = 0;        // how many delays it has after that
  std::vector<std::uint64_t> path_;  // how many places it passes before each of these
  std::uint64_t places_max_ = 0;

  ExplorerState state_;
  bool is_first_ = true;      // the present execution has not moved yet
  std::size_t delayed_ = 0;   // how many further delays it had
  std::uint64_t passed_ = 0;  // places since
  // What goes_round() compares with, after how many steps
  std::optional<std::pair<Fingerprint, ExplorerState>> kept_;
  std::uint64_t asked_ = 0, keep_at_ = 1;
};

}  // namespace ravel
