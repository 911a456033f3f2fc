#include "threads/search/turns.h"

#include "engine/position.h"

namespace ravel::threads {

namespace {

// What is counted of a search, in the order in which it is written.
constexpr std::uint64_t Counts::*kCounted[] = {&Counts::executions, &Counts::redundant,  &Counts::abandoned,
                                               &Counts::cut_off,    &Counts::unfinished, &Counts::unfair,
                                               &Counts::events,     &Counts::events_max, &Counts::erroneous};

}  // namespace

std::string write_turns(const Turns& turns) {
  PositionWriter writer;
  for (const Turn& turn : turns) {
    writer.put(turn.is_over ? 1 : 0);
    for (const auto counted : kCounted) writer.put(turn.so_far.counts.*counted);
    writer.put_position(turn.so_far.position.value_or(""));
  }
  return writer.bytes();
}

bool read_turns(std::string_view position, Turns& turns) {
  PositionReader reader(position);
  for (Turn& turn : turns) {
    const bool was_over = reader.get() != 0;
    for (const auto counted : kCounted) turn.so_far.counts.*counted = reader.get();
    turn.so_far.position = reader.get_position();
    if (turn.so_far.position->empty()) turn.so_far.position.reset();
    // With more memory it goes on.
    turn.is_over = was_over && !turn.so_far.position;
  }
  return reader.is_complete();
}

}  // namespace ravel::threads
