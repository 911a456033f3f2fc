#include "parts/part_messages.h"

#include <utility>

#include "engine/position.h"

namespace ravel {

namespace {

void put_steps(PositionWriter& writer, const std::vector<NamedStep>& steps) {
  writer.put_all(steps, [&](const NamedStep& step) {
    writer.put_position(step.actor.to_string());
    writer.put(step.alternative);
    writer.put(static_cast<std::uint64_t>(step.kind));
  });
}

bool get_steps(PositionReader& reader, std::vector<NamedStep>& steps) {
  bool is_right = true;
  reader.get_all([&] {
    auto actor = ActorName::parse(reader.get_position());
    NamedStep& step = steps.emplace_back();
    step.alternative = reader.get32();
    const auto kind = transition_kind(reader.get());
    is_right = is_right && actor && kind;
    if (!is_right) return;
    step.actor = std::move(*actor);
    step.kind = *kind;
  });
  return is_right;
}

}  // namespace

std::string print_part(const std::optional<Part>& part) {
  PositionWriter writer;
  writer.put(part ? 1 : 0);
  if (!part) return writer.bytes();
  writer.put(part->number);
  writer.put(part->from_level);
  writer.put_position(part->position);
  writer.put(part->executions_max.has_value() ? 1 : 0);
  writer.put(part->executions_max.value_or(0));
  return writer.bytes();
}

std::optional<Part> parse_part(std::string_view message) {
  PositionReader reader(message);
  if (reader.get() == 0) return std::nullopt;
  Part part;
  part.number = reader.get();
  part.from_level = reader.get32();
  part.position = reader.get_position();
  const bool is_limited = reader.get() != 0;
  const std::uint64_t executions_max = reader.get();
  if (is_limited) part.executions_max = executions_max;
  return part;
}

std::string print_answer(const SliceAnswer& answer) {
  PositionWriter writer;
  writer.put(static_cast<std::uint64_t>(answer.how));
  writer.put(answer.from_level);
  return writer.bytes();
}

SliceAnswer parse_answer(std::string_view message) {
  PositionReader reader(message);
  const std::uint64_t how = reader.get();
  return {
      .how = how > static_cast<std::uint64_t>(GoOnWith::kNone) ? GoOnWith::kNone : static_cast<GoOnWith>(how),
      .from_level = reader.get32()};
}

std::string print_slice(const PartSlice& slice) {
  PositionWriter writer;
  writer.put(static_cast<std::uint64_t>(slice.kind));
  writer.put(slice.part);
  writer.put(slice.may_give ? 1 : 0);
  writer.put(slice.unfinished_events);
  writer.put_position(slice.notes);
  writer.put_position(print_findings(slice.found));
  put_steps(writer, slice.last);
  return writer.bytes();
}

std::optional<PartSlice> parse_slice(std::string_view message) {
  PositionReader reader(message);
  PartSlice slice;
  const std::uint64_t kind = reader.get();
  if (kind > static_cast<std::uint64_t>(PartSlice::Kind::kDiscovered)) return std::nullopt;
  slice.kind = static_cast<PartSlice::Kind>(kind);
  slice.part = reader.get();
  slice.may_give = reader.get() != 0;
  slice.unfinished_events = reader.get();
  slice.notes = reader.get_position();
  auto found = parse_findings(reader.get_position());
  if (!found || !get_steps(reader, slice.last) || !reader.is_complete()) return std::nullopt;
  slice.found = std::move(*found);
  return slice;
}

}  // namespace ravel
