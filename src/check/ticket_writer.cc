#include "check/ticket_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/hash.h"
#include "engine/recording.h"
#include "engine/round_finder.h"
#include "engine/ticket.h"
#include "host/files.h"

namespace ravel {

Recording record_bug(System& system, const FoundBug& found, std::uint64_t events_max) {
  Recording recording = record(system, found.schedule, events_max);
  if (found.lasso || (found.bug.kind == kLivelock && !recording.bug)) {
    recording.lasso = found.lasso;
    recording.bug = found.bug;
    recording.outcome = Outcome::kBug;
  }
  return recording;
}

Result<std::string> write_ticket(const TicketSubject& subject, const Recording& recording, const Bug& bug) {
  Ticket ticket = make_ticket(recording, subject.events_max);
  ticket.front_end = subject.front_end;
  ticket.program = subject.program;
  const std::string path = ticket_file_name(subject.folder, subject.test, bug);
  Status status = make_folder(subject.folder);
  // Where the disk is full, the ticket of an earlier schedule stays.
  if (status) status = replace_text_file(path, print_ticket(ticket));
  if (!status) return status.error();
  return path;
}

TicketWriter::TicketWriter(System& system, TicketSubject subject, ProgressLine& progress)
    : system_(system), subject_(std::move(subject)), progress_(progress) {}

void TicketWriter::on_bug(const FoundBug& found) {
  if (is_silent_) return;
  const bool is_of_lassos = found.lasso && of_lassos_ != nullptr;
  System& system = is_of_lassos ? *of_lassos_ : system_;
  TicketSubject subject = subject_;
  if (is_of_lassos) subject.program = program_of_lassos_;
  const auto path = write_ticket(subject, record_bug(system, found, subject_.events_max), found.bug);
  if (!path) {
    problem_ = path.error().message;
  } else if (std::ranges::find(written_, *path) == written_.end()) {
    written_.push_back(*path);
  }
}

std::string TicketWriter::ticket_of(const Bug& bug) const {
  const std::string path = ticket_file_name(subject_.folder, subject_.test, bug);
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
