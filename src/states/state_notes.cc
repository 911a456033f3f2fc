#include "states/state_notes.h"

#include "base/check.h"

namespace ravel {

std::string print_state_notes(const StateNotes& notes) {
  PositionWriter writer;
  writer.put(notes.visitor);
  writer.put(notes.states);
  for (const std::string* const part : {&notes.found, &notes.open, &notes.looks}) writer.put_position(*part);
  writer.put(notes.stratum);
  writer.put(notes.base);
  return writer.bytes();
}

std::optional<StateNotes> parse_state_notes(std::string_view bytes) {
  PositionReader reader(bytes);
  StateNotes notes;
  notes.visitor = reader.get32();
  notes.states = reader.get32();
  for (std::string* const part : {&notes.found, &notes.open, &notes.looks}) *part = reader.get_position();
  notes.stratum = reader.get32();
  notes.base = reader.get();
  if (!reader.is_complete()) return std::nullopt;
  return notes;
}

void StateNotes::close_all() { open = StateNotesWriter().take(visitor, states).open; }

// By their numbers, which become larger.
std::string StateNotesWriter::states_of_piece(const StatePiece& piece, std::uint32_t count) {
  PositionWriter writer;
  writer.put(piece.giver);
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    CHECK(piece.nodes[i].number >= last);
    writer.put(piece.nodes[i].number - last);
    last = piece.nodes[i].number;
  }
  return writer.bytes();
}

void StateNotesWriter::put_open(std::uint32_t state, std::uint32_t first, std::uint64_t rank) {
  if (first > 0)
    partly_.push_back({.state = state, .first = first, .rank = rank});
  else if (!open_.empty() && open_.back().end == state)
    ++open_.back().end;
  else
    open_.push_back({.begin = state, .end = state + 1});
}

StateNotes StateNotesWriter::take(std::uint32_t visitor, std::uint32_t states) {
  PositionWriter open;
  std::uint32_t last = 0;
  open.put_all(open_, [&](const Run& run) {
    open.put(run.begin - last);
    open.put(run.end - run.begin);
    last = run.end;
  });
  open.put_all(partly_, [&](const Partly& partly) {
    open.put(partly.state);
    open.put(partly.first);
    open.put(partly.rank);
  });
  return {.visitor = visitor,
          .states = states,
          .found = found_.bytes(),
          .open = open.bytes(),
          .looks = looks_.bytes()};
}

}  // namespace ravel
