// Writes the ticket of every bug the moment it is found, so that nothing is lost if the search is cut short.

#pragma once

#include <string>
#include <vector>

#include "cli/ticket_program.h"
#include "engine/exploration.h"
#include "engine/recording.h"
#include "engine/system.h"
#include "report/progress_line.h"

namespace ravel {

// The file of a bug's ticket: the same bug of the same test has the same name in every search.
std::string ticket_file_name(const std::string& folder, const std::string& test, const Bug& bug);

// The execution that ends with a bug. One that goes round for ever is followed once round.
Recording record_bug(System& system, const FoundBug& found, std::uint64_t events_max);

class TicketWriter final : public Listener {
 public:
  // All references must outlive the writer.
  TicketWriter(System& system, const TicketProgram& program, std::uint64_t events_max, std::string folder,
               ProgressLine& progress);

  void on_progress(const Counts& counts) override { progress_.on_progress(counts); }
  // Records the schedule and writes its ticket, in the place of the ticket of a less simple schedule.
  void on_bug(const FoundBug& found) override;

  // The file of a bug's ticket, or empty if it could not be written.
  std::string ticket_of(const Bug& bug) const;
  // What went wrong in writing, once.
  const std::string& problem() const { return problem_; }

 private:
  std::string name_of(const Bug& bug) const { return ticket_file_name(folder_, program_.test, bug); }

  System& system_;
  const TicketProgram& program_;
  const std::uint64_t events_max_;
  const std::string folder_;
  ProgressLine& progress_;
  std::vector<std::string> written_;
  std::string problem_;
};

}  // namespace ravel
