// The bugs of a search of a program of C or C++: each is recorded with its execution in a process of its own,
// and has a ticket.
//
// A search tells of its bugs on its way, too (RemoteSystem::SearchListener::on_kept), so that their tickets
// are there if it is killed. What was recorded then is not recorded again at the end.

#pragma once

#include <deque>
#include <string>
#include <vector>

#include "base/result.h"
#include "check/check_options.h"
#include "engine/recording.h"
#include "engine/search_result.h"
#include "threads/protocol/messages.h"
#include "threads/remote/remote_system.h"

namespace ravel::threads {

struct RecordedBug {
  NamedBug bug;
  Recording recording;          // without a bug: the schedule did not lead there again
  Configuration configuration;  // with which it was recorded
  std::string ticket;           // the file; empty: there is none
};

class BugRecorder {
 public:
  // All references must outlive this object. `folder` is that of the tickets.
  BugRecorder(const ProgramCall& call, const std::string& folder, const ReportOptions& report,
              std::uint64_t events_max)
      : call_(call), folder_(folder), report_(report), events_max_(events_max) {}

  // `configuration` is that of the search, `system` has met the bug. Valid as long as this object.
  RecordedBug& record(RemoteSystem& system, const Configuration& configuration, const RawFoundBug& raw,
                      const NamedBug& found);
  // Writes the ticket, if there is none yet. An error if that is not possible now. REQUIRES:
  // recorded.recording.bug.
  Status write_ticket(RecordedBug& recorded) const;

 private:
  // A bug as the search has told it.
  struct Known {
    Configuration configuration;
    std::vector<NamedStep> schedule;
    RecordedBug recorded;
  };

  void record(Known& known, RemoteSystem& system, const RawFoundBug& raw);
  std::vector<NamedVariable> name_objects(Configuration configuration, const std::vector<NamedStep>& schedule,
                                          const std::vector<std::uint64_t>& objects) const;

  const ProgramCall& call_;
  const std::string& folder_;
  const ReportOptions& report_;
  const std::uint64_t events_max_;
  std::deque<Known> known_;
};

}  // namespace ravel::threads
