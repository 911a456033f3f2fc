// The parts of a search that draws its executions: ranges of their numbers.
//
// The idea: an execution follows from the seed, its number, and what the executions before have told about
// the program. Most strategies learn nothing, and others soon nothing more. So a part is begun with what is
// known by then; when all executions before it have ended, it is known whether that was right. If not, what
// the part has found is void, and it is run once more. Where executions have just told something new, only
// the first part that is left is run, until one has told nothing.
//
// So what is found, in the order of the numbers, is what one process finds. A search that is to end where a
// part has ended runs all parts before that one, and no others.
//
// Cost: what is not settled yet, which is bounded; a message for each part, of which there are some each
// second.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "engine/part_source.h"

namespace ravel {

class SampleSource final : public PartSource {
 public:
  // All executions with numbers from `first` on, before `end`. `learned`: what those before have told.
  // `clock`: says how long parts take, so that they are made neither short nor long.
  SampleSource(std::uint64_t first, std::uint64_t end, std::string learned, std::unique_ptr<Clock> clock);

  std::optional<Part> hand_out() override;
  bool has_waiting() const override;
  bool is_done() const override { return is_over_ || settled_ >= end_; }
  bool commit(PartNumber part, std::string_view notes) override;
  void keep(PartNumber part, std::string position) override;
  void finish(PartNumber part, bool has_all) override;
  // A sample has never all.
  bool has_all() const override { return false; }
  Division divide(PartNumber part) override;
  void take_back(PartNumber part) override;
  std::string position() const override;

  PartPlace beginning_of(PartNumber part) const override { return {running_.at(part).place}; }
  bool is_strict() const override { return true; }
  PartPlace settled_before() const override { return {settled_}; }
  bool is_first(PartNumber part) const override;
  bool is_void(PartNumber part) const override;
  std::vector<PartPlace> take_void() override;
  void end_search_at(PartNumber part) override;

 private:
  // Of numbers of executions; learned_...: before the first of them, and after the last.
  struct Waiting {
    std::uint64_t end = 0;
    std::optional<PartNumber> number = {};    // somebody had it
    std::optional<std::string> learned = {};  // then, if he has come somewhere
  };
  struct Running {
    std::uint64_t place = 0;  // where it was begun
    std::uint64_t from = 0;   // what comes before is settled
    std::uint64_t next = 0;
    std::uint64_t end = 0;
    std::string learned_before = {};  // from
    std::string learned = {};         // before next
    double begun_at = 0;
  };
  struct Ended {
    std::uint64_t end = 0;
    std::string learned_before = {};
    std::string learned = {};
    std::optional<std::uint64_t> last = {};  // it has ended the search, and is known to have come there
  };

  void settle();
  bool settle_one(std::uint64_t end, const std::string& before, const std::string& after);
  bool is_beyond_end(std::uint64_t place) const;
  void note_speed(const Running& part);

  const std::uint64_t end_;
  const std::unique_ptr<Clock> clock_;
  std::uint64_t settled_;  // all before that have ended, and were right
  std::string learned_;    // by these
  bool is_learning_ = false;
  bool is_over_ = false;  // one of them has ended the search
  std::map<std::uint64_t, Waiting> waiting_;
  std::map<PartNumber, Running> running_;
  std::map<std::uint64_t, Ended> ended_;  // whose place in the order has not come
  std::vector<PartPlace> void_;
  std::uint64_t size_;    // of the next part
  bool is_whole_ = true;  // nothing was handed out yet
  PartNumber next_part_ = 0;
};

}  // namespace ravel
