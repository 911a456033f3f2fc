#include "strategy/path_source.h"

#include "base/check.h"

namespace ravel {

namespace {

constexpr std::uint64_t kSourcePosition = 2;

}  // namespace

bool PathSource::is_position(std::string_view position) {
  return PositionReader(position).get() == kSourcePosition;
}

bool PathSource::begin(std::string position) {
  PositionReader reader(position);
  if (!is_position(position))
    return rules_->read_position(reader) && add({.from_level = 0, .position = std::move(position)});
  reader.get();
  PositionReader of_rules(reader.get_position());
  bool is_right = rules_->read_position(of_rules) && of_rules.is_complete();
  has_all_ = reader.get() != 0;
  reader.get_all([&] {
    const std::uint32_t from_level = reader.get32();
    const std::string_view of_part = reader.get_position();
    is_right =
        is_right && !reader.is_damaged() && add({.from_level = from_level, .position = std::string(of_part)});
  });
  return is_right && reader.is_complete() && !parts_.empty();
}

std::string PathSource::position() const {
  PositionWriter writer, of_rules;
  writer.put(kSourcePosition);
  rules_->write_position(of_rules);
  writer.put_position(of_rules.bytes());
  writer.put(has_all_ ? 1 : 0);
  writer.put_all(parts_, [&](const auto& part) {
    writer.put(part.second.piece.from_level);
    writer.put_position(part.second.piece.position);
  });
  return writer.bytes();
}

bool PathSource::add(PathPiece piece) {
  auto place = rules_->beginning_of(piece);
  if (!place) return false;
  const PartNumber number = next_part_++;
  waiting_.emplace(*place, number);
  parts_[number] = {.piece = std::move(piece), .place = std::move(*place)};
  return true;
}

std::optional<Part> PathSource::hand_out() {
  if (waiting_.empty()) return std::nullopt;
  const PartNumber number = waiting_.begin()->second;
  waiting_.erase(waiting_.begin());
  const PathPiece& piece = parts_.at(number).piece;
  return Part{.number = number, .from_level = piece.from_level, .position = piece.position};
}

bool PathSource::commit(PartNumber number, std::string_view notes) {
  return notes.empty() || rules_->commit(parts_.at(number).place, notes);
}

void PathSource::keep(PartNumber number, std::string position) {
  parts_.at(number).piece.position = std::move(position);
}

void PathSource::take_back(PartNumber number) {
  Known& part = parts_.at(number);
  auto place = rules_->beginning_of(part.piece);
  CHECK(place.has_value());
  part.place = std::move(*place);
  waiting_.emplace(part.place, number);
}

void PathSource::finish(PartNumber number, bool has_all) {
  has_all_ = has_all_ && has_all;
  parts_.erase(number);
  if (!parts_.empty()) return;
  for (PathPiece& piece : rules_->next_stage()) CHECK(add(std::move(piece)));
}

PathSource::Division PathSource::divide(PartNumber number) {
  Known& part = parts_.at(number);
  auto division = rules_->divide(part.piece);
  if (!division) return {};
  part.piece.from_level = division->from_level;
  for (PathPiece& piece : division->given)
    if (!add(std::move(piece))) return {.from_level = {}, .is_damaged = true};
  return {.from_level = division->from_level};
}

std::optional<double> PathSource::executions_estimate(std::uint64_t so_far, std::optional<double>) const {
  double done = 1;
  for (const auto& [number, part] : parts_) {
    const auto share = rules_->share_of(part.piece);
    if (!share) return std::nullopt;
    done -= *share;
  }
  return done > 0 ? std::optional(static_cast<double>(so_far) / done) : std::nullopt;
}

std::vector<PartPlace> PathSource::left() const {
  std::vector<PartPlace> places;
  for (const auto& [number, part] : parts_) places.push_back(part.place);
  return places;
}

}  // namespace ravel
