// The parts of a search that goes through a tree of schedules depth first: each has what is left of a path.
//
// The idea: what is left of a path, from a level on, is what follows from its node there and the ways that
// were not taken yet at the levels from there on. The ways of the first such level are given away as a part
// of their own; what is left then begins one level later. Parts know nothing of each other, so all schedules
// are run, each as often as by one process.
//
// Where a search is made of stages, as for bounds that grow, a stage begins when all parts of the one before
// have ended: with what these have noted.
//
// Cost: a position for each part, of which there are seldom more than processes; and the notes of a stage.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/part_source.h"
#include "engine/position.h"

namespace ravel {

// What is left of a path, as one strategy writes it.
struct PathPiece {
  std::uint32_t from_level = 0;  // Divisible::become_part()
  std::string position;
};

// What only a strategy knows of its parts.
class PathRules {
 public:
  virtual ~PathRules() = default;

  // Where the piece begins in the order of one process. Nothing: its position makes no sense.
  virtual std::optional<PartPlace> beginning_of(const PathPiece& piece) const = 0;
  struct Division {
    std::uint32_t from_level = 0;  // of what stays
    std::vector<PathPiece> given;  // in their order
  };
  // REQUIRES: beginning_of() has taken the piece.
  virtual std::optional<Division> divide(const PathPiece& piece) const = 0;
  // Takes what was noted by a part that was begun there. False: that makes no sense.
  virtual bool commit(const PartPlace&, std::string_view notes) { return notes.empty(); }
  // All parts have ended: those of the next stage, or none, if that was the last.
  virtual std::vector<PathPiece> next_stage() { return {}; }
  virtual std::optional<std::vector<Bound>> bounds() const { return std::nullopt; }
  // Which share of the whole search the piece is, if each subtree is as large as its siblings. Nothing: there
  // is no idea of it.
  virtual std::optional<double> share_of(const PathPiece&) const { return std::nullopt; }
  // What decides which stages come.
  virtual void write_position(PositionWriter&) const {}
  virtual bool read_position(PositionReader&) { return true; }
};

class PathSource final : public PartSource {
 public:
  explicit PathSource(std::unique_ptr<PathRules> rules) : rules_(std::move(rules)) {}

  // From where one process was, or from what position() has said. False: that makes no sense.
  bool begin(std::string position);
  // Those of strategies begin with 0 or 1.
  static bool is_position(std::string_view position);

  std::optional<Part> hand_out() override;
  bool has_waiting() const override { return !waiting_.empty(); }
  bool is_done() const override { return parts_.empty(); }
  bool commit(PartNumber part, std::string_view notes) override;
  void keep(PartNumber part, std::string position) override;
  void finish(PartNumber part, bool has_all) override;
  bool has_all() const override { return has_all_; }
  Division divide(PartNumber part) override;
  void take_back(PartNumber part) override;
  std::string position() const override;
  std::optional<std::vector<Bound>> bounds() const override { return rules_->bounds(); }
  std::optional<double> executions_estimate(std::uint64_t so_far, std::optional<double>) const override;
  PartPlace beginning_of(PartNumber part) const override { return parts_.at(part).place; }
  std::vector<PartPlace> left() const override;

 private:
  struct Known {
    PathPiece piece;
    PartPlace place;  // where it begins; where it was begun last, if somebody has it
  };
  bool add(PathPiece piece);

  const std::unique_ptr<PathRules> rules_;
  std::map<PartNumber, Known> parts_;
  std::set<std::pair<PartPlace, PartNumber>> waiting_;
  PartNumber next_part_ = 0;
  bool has_all_ = true;
};

}  // namespace ravel
