#include "cli/ticket_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/hash.h"
#include "cli/files.h"
#include "engine/recording.h"
#include "engine/round_finder.h"
#include "engine/ticket.h"

namespace ravel {

Recording record_bug(System& system, const FoundBug& found, std::uint64_t events_max) {
  Recording recording = record(system, found.schedule, events_max);
  if (found.bug.kind == kLivelock && !recording.bug) {
    recording.bug = found.bug;
    recording.outcome = Outcome::kBug;
  }
  return recording;
}

TicketWriter::TicketWriter(System& system, const TicketProgram& program, std::uint64_t events_max,
                           std::string folder, ProgressLine& progress)
    : system_(system),
      program_(program),
      events_max_(events_max),
      folder_(std::move(folder)),
      progress_(progress) {}

void TicketWriter::on_bug(const FoundBug& found) {
  const Recording recording = record_bug(system_, found, events_max_);
  Ticket ticket = make_ticket(recording, events_max_);
  ticket.front_end = kErlangFrontEnd;
  ticket.program = print_ticket_program(program_);
  const std::string path = name_of(found.bug);
  Status status = make_folder(folder_);
  if (status) status = write_text_file(path, print_ticket(ticket));
  if (!status) {
    problem_ = status.error().message;
    std::erase(written_, path);
  } else if (std::ranges::find(written_, path) == written_.end()) {
    written_.push_back(path);
  }
}

std::string TicketWriter::ticket_of(const Bug& bug) const {
  const std::string path = name_of(bug);
  return std::ranges::find(written_, path) == written_.end() ? "" : path;
}

std::string ticket_file_name(const std::string& folder, const std::string& test, const Bug& bug) {
  std::string name = test;
  for (char& c : name) {
    const bool is_plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (!is_plain) c = '.';
  }
  const std::uint64_t hash = hash_string(test + '\0' + bug.key());
  return std::filesystem::path(folder) /
         fmt::format("{}.{}.{:06x}.ticket.json", name, bug.kind, hash & 0xffffff);
}

}  // namespace ravel
