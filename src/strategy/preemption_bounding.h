// All schedules with at most c preemptions, for c = 0, 1, 2, ...: the first bug found has the fewest.
//
// The idea: stage c runs the schedules with exactly c preemptions. Wherever an execution of stage c could
// only go another way by one preemption more, that way is *cut*; stage c + 1 starts from the cuts of stage c,
// which is the algorithm with two stacks of partial states in chapter 4 of "Systematic testing for detecting
// concurrency errors in Erlang programs" (Christakis, Gotovos, Sagonas, 2013), after Musuvathi & Qadeer,
// "Iterative context bounding for systematic testing of multithreaded programs" (2007).
//
// Where we differ: a stage goes through its tree in lexicographic order, so instead of a partial state per
// cut it notes one path per execution, down to its deepest cut, as the few bytes that differ from the path
// before. And the notes are bounded: when they are full, the first path that found no room is where the next
// stage goes over to plain depth-first search under the bound, which needs no notes but runs schedules of
// earlier stages again on its way (they are reported as repeated, and never counted twice). With no room at
// all every stage works like that.
//
// Invariants:
// 1. A schedule with c preemptions is executed as new exactly once, in stage c; only schedules beyond the
//    first path without room are ever repeated.
// 2. levels_[d] describes the point at depth d of the current execution.
// 3. Everything lexicographically before rerun_from_ is reached through notes, the rest without.
//
// On request equivalent schedules are run once only (happens_before_cache.h): a point that was reached by an
// equivalent beginning, for no more preemptions, is given up, because all that can follow is run from there,
// in this stage or in an earlier one. A trace is then within the bound if one of its schedules is; it is
// counted once. Ways that lead through notes are never given up: the notes come from executions that were
// not.
//
// With a largest number v of variables, the operations before which actors are preempted touch at most v
// objects: the first v of the schedule are the set. This is the dynamic form of variable bounding of S.
// Bindal, S. Bansal, A. Lal, "Variable and thread bounding for systematic testing of multithreaded programs"
// (ISSTA 2013). It needs a System that knows what a transition will touch (System::pending); where it does
// not, any preemption is allowed.
//
// Parts of a stage have notes, or what is left of a path without notes (path_source.h). Where notes are given
// away, what the last path that stays shares with the first of these is no more the part's own: whoever has
// the later path takes the cuts there after it. Who has all parts collects what they note, without a limit.
//
// Cost: memory for the longest execution and at most `notes_max` bytes of notes; and what the cache needs.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/divisible.h"
#include "engine/strategy.h"
#include "strategy/happens_before_cache.h"
#include "strategy/path_list.h"
#include "strategy/path_progress.h"
#include "strategy/variables.h"

namespace ravel {

class PreemptionBounding final : public Strategy, public Divisible {
 public:
  struct Options {
    std::optional<std::uint32_t> bound_max;          // none: until nothing is cut, which is every schedule
    std::size_t notes_max = std::size_t{256} << 20;  // bytes, for the notes read and written by one stage
    bool runs_traces_once = false;                   // equivalent schedules are not all run
    // On how many objects preempted operations may be, in one schedule
    std::optional<std::uint32_t> variables_max = {};
    std::optional<std::uint32_t> iterations_max = {};  // then: the largest iteration number of such an object
    VariableOf variable_of = {};                       // an object stands for its variable
  };

  explicit PreemptionBounding(const Options& options) : options_(options) {
    if (options.runs_traces_once) cache_.emplace(kPointsRemembered);
  }

  std::string name() const override;
  std::optional<Plan> next_execution() override;
  Decision choose(const Point& point) override;
  Novelty end_execution(Outcome outcome) override;
  void observe(const Event& event) override {
    if (cache_) cache_->observe(event);
  }
  Coverage coverage() const override;
  std::optional<std::vector<std::size_t>> causes_of(std::size_t event) const override {
    return cache_ ? std::optional(cache_->causes_of(event)) : std::nullopt;
  }
  bool write_position(PositionWriter& writer) const override;
  bool read_position(PositionReader& reader, Trials&) override { return read(reader); }

  std::string why_whole() const override;
  // The level may have kWithoutNotes.
  void become_part(std::uint32_t from_level) override;
  std::string take_notes() override;
  std::unique_ptr<PartSource> make_source(System& system, std::string position) const override;
  bool is_of_source(std::string_view position) const override;

 private:
  class Rules;
  // The part has no notes any more.
  static constexpr std::uint32_t kWithoutNotes = std::uint32_t{1} << 31;
  static constexpr std::size_t kPointsRemembered = std::size_t{1} << 23;
  enum class Ways : std::uint8_t {
    kGiven,  // only the noted one
    kCut,    // the noted one, then those that cost a preemption
    kAll,    // every one that the bound allows
  };
  struct Level {
    std::uint32_t position;
    std::uint32_t alternatives;
    std::uint32_t free;         // positions below this cost no preemption
    std::uint32_t preemptions;  // before this level
    Ways ways;
    std::optional<std::uint64_t> variable = {};  // touched by the operation that could go on

    std::uint32_t preemptions_after() const { return preemptions + (position < free ? 0 : 1); }
    bool can_preempt() const { return free < alternatives; }
  };
  enum class Source : std::uint8_t { kNone, kNotes, kRerun };

  std::optional<Plan> next_in_order();
  Plan plan(std::size_t keep);
  bool advance(Level& level) const;
  bool may_preempt(std::uint64_t variable, std::size_t depth) const;
  Level enter(const Point& point, std::uint32_t alternatives, std::uint32_t free);
  bool read(PositionReader& reader);
  void begin_stage();
  void follow_notes();
  void follow_pending();
  void look_ahead();

  const Options options_;
  PathProgress progress_;
  bool everything_done_ = false;
  std::uint32_t bound_ = 0;
  std::optional<std::uint32_t> bound_completed_;

  std::vector<Level> levels_;
  std::optional<HappensBeforeCache> cache_;

  // What this stage starts from: notes, then (perhaps) one path from which on everything is run.
  PathList notes_;
  std::optional<Path> rerun_from_;
  bool rerunning_ = false;
  Path path_;               // the path followed last
  bool following_ = false;  // the current execution is still on it
  Path pending_;            // the next one
  Source pending_source_ = Source::kNone;
  std::size_t pending_shared_ = 0;  // how many first positions are those of path_

  // What the next stage will start from.
  PathList next_notes_;
  std::optional<Path> next_rerun_from_;
  std::size_t noted_length_ = 0;                                    // of the path noted last
  std::size_t keep_min_ = std::numeric_limits<std::size_t>::max();  // since then
  std::optional<std::size_t> deepest_cut_;                          // first met in this execution

  bool is_part_ = false;        // of a stage, whose notes for the next one are told to others
  std::uint32_t own_from_ = 0;  // the first level whose ways are its own, after its last note
};

}  // namespace ravel
