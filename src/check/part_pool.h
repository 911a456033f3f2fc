// The parts of a search that are run elsewhere, and what they have found: all in one place, one process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "check/part_work.h"
#include "engine/part_source.h"
#include "parts/part_findings.h"
#include "parts/run_part.h"
#include "parts/told_bugs.h"

namespace ravel {

// Runs a part for a while, as the search says. Nothing: PartRun::slice. An error: the part makes no sense for
// this program, or the program's process has ended.
Result<std::optional<PartSlice>> run_part(const PartedSearch& search, const Part& part,
                                          const PartBudget& budget);

class PartPool {
 public:
  // The whole search is one part, and nothing was found. `search` must outlive this object.
  static Result<std::unique_ptr<PartPool>> begin(const PartedSearch& search);
  // Goes on from a position() and what was found until then.
  static Result<std::unique_ptr<PartPool>> go_on(const PartedSearch& search, const PartFindings& before);

  // The parts, by number. Their positions are where they were last.
  const std::map<PartNumber, Part>& parts() const { return parts_; }
  bool has(PartNumber part) const { return parts_.contains(part); }

  // Takes what a run of a part has found. An error: it makes no sense for this program.
  // REQUIRES: has(slice.part), and its run has begun where the part was last.
  Status take(PartSlice slice);
  // Makes more parts of those in `mine`, until there are so many of them or that has taken enough work; runs
  // some a little for that. Adds the new ones to `mine`.
  Status spread(std::vector<PartNumber>& mine, std::size_t wanted);

  // Nothing is left, or the search has to end.
  bool is_over() const { return source_->is_done() || stop_.has_value(); }
  // The search has to begin anew: the front end knows why.
  bool begins_anew() const { return begins_anew_; }
  std::uint64_t executions() const { return found_.result.counts.executions; }
  std::size_t bugs() const { return found_.result.bugs.size(); }
  // What was found, with the position, or, if it is over, as the result of the whole search.
  PartFindings total() const;

 private:
  PartPool(const PartedSearch& search, std::unique_ptr<PartSource> source)
      : search_(search), source_(std::move(source)) {}

  void take_new_parts(std::vector<PartNumber>* mine);
  void note_bugs(const PartFindings& found);
  void begin_anew();
  bool learn(PartFindings& found);
  void end_part(const PartSlice& slice, std::optional<std::string> position);
  Status divide(std::vector<PartNumber>& mine, std::size_t wanted);
  Status run_each(std::vector<PartNumber>& mine, std::size_t wanted, std::size_t& runs);

  const PartedSearch& search_;
  const std::unique_ptr<PartSource> source_;
  std::map<PartNumber, Part> parts_;
  PartFindings found_;
  bool has_found_ = false;
  ToldBugs told_;
  std::optional<Stop> stop_;
  std::optional<Refusal> refusal_;
  bool begins_anew_ = false;
};

}  // namespace ravel
