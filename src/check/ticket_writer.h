// Writes the ticket of every bug the moment it is found, so that nothing is lost if the search is cut short.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/exploration.h"
#include "engine/recording.h"
#include "engine/system.h"
#include "report/progress_line.h"

namespace ravel {

// Of what tickets are written, and where.
struct TicketSubject {
  std::string folder = {};
  std::string front_end = {};
  std::string test = {};     // as files are named after it
  std::string program = {};  // FrontEnd's note
  std::uint64_t events_max = 0;
};

// The file of a bug's ticket: the same bug of the same test has the same name in every search.
std::string ticket_file_name(const std::string& folder, const std::string& test, const Bug& bug);

// The execution that ends with a bug. One that goes round for ever is followed once round.
Recording record_bug(System& system, const FoundBug& found, std::uint64_t events_max);

// Writes the ticket of a recorded bug, whose file has the name of `bug`. Returns the file.
// REQUIRES: recording.bug.
Result<std::string> write_ticket(const TicketSubject& subject, const Recording& recording, const Bug& bug);

class TicketWriter final : public Listener {
 public:
  // All references must outlive the writer.
  TicketWriter(System& system, TicketSubject subject, ProgressLine& progress);

  // Executions without an end are recorded by another System, and their tickets have this note of it.
  void set_system_of_lassos(System& system, std::string program) {
    of_lassos_ = &system;
    program_of_lassos_ = std::move(program);
  }

  // From now on nothing is told or written: another process does that.
  void be_silent() { is_silent_ = true; }

  void on_progress(const Counts& counts) override {
    if (!is_silent_) progress_.on_progress(counts);
  }
  // Records the schedule and writes its ticket, in the place of the ticket of a less simple schedule.
  void on_bug(const FoundBug& found) override;

  // The file of a bug's ticket, or empty if it could not be written.
  std::string ticket_of(const Bug& bug) const;
  // What went wrong in writing, once.
  const std::string& problem() const { return problem_; }

 private:
  System& system_;
  const TicketSubject subject_;
  ProgressLine& progress_;
  System* of_lassos_ = nullptr;
  std::string program_of_lassos_;
  std::vector<std::string> written_;
  std::string problem_;
  bool is_silent_ = false;
};

}  // namespace ravel
