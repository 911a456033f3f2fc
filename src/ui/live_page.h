// Shows an execution in a browser, and answers what its page asks for, until the user ends it.

#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "base/result.h"
#include "check/front_end.h"
#include "check/subject.h"
#include "check/subject_story.h"

namespace ravel {

struct LivePage {
  std::string page;    // that shows the story, as it is written into a file
  int port = 0;        // 0: any that is free
  std::string folder;  // of the executions that are saved
};

// `told` is of this subject. Calls `tell_address` once the page can be opened. Returns when `interrupt` is
// set.
Status serve_live(const FrontEnds& front_ends, const Subject& subject, ToldSubject told, const LivePage& live,
                  const std::function<void(const std::string&)>& tell_address,
                  const std::atomic<bool>& interrupt);

// The page with what it needs to ask a server: its token, and the permission to.
std::string live_page(std::string page, const std::string& token);

}  // namespace ravel
