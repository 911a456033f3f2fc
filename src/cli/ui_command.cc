// ravel ui: shows an execution in a browser, where others can be tried.
#include <cstdio>

#include "check/subject_story.h"
#include "cli/commands.h"
#include "host/interrupt.h"
#include "report/summary.h"
#include "report/verdict.h"
#include "story/page_template.h"
#include "story/story_page.h"
#include "ui/live_page.h"

namespace ravel {

namespace {

void tell_address(const std::string& address) {
  std::printf("Open this address in a browser on this machine; Ctrl-C ends it:\n  %s\n", address.c_str());
  std::fflush(stdout);
}

}  // namespace

Result<int> ui_command(const FrontEnds& front_ends, const UiOptions& options) {
  if (page_template().empty())
    return Error{
        "this ravel was built without its page, because Node.js was not there. 'ravel show' tells the "
        "same as text."};
  const std::vector<std::string>& files = options.subject.program.files;
  const auto subject = open_subject(front_ends, options.subject, Purpose::kShow);
  if (!subject) return subject.error();
  const std::string saved = subject->ticket || subject->trace ? files.front() : std::string();
  ToldSubject told = tell_subject(*subject, saved, options.subject.report);
  if (told.refusal) {
    std::fputs(describe_refusal(*told.refusal).c_str(), stderr);
    return exit_status(Verdict::kUnsupported);
  }
  const LivePage live = {.page = story_page(page_template(), told.story),
                         .port = static_cast<int>(options.port),
                         .folder = options.subject.out.empty() ? kDefaultTicketFolder : options.subject.out};
  const std::atomic<bool>& interrupt = catch_interrupts();
  if (Status served = serve_live(front_ends, *subject, std::move(told), live, tell_address, interrupt);
      !served)
    return served.error();
  return exit_status(Verdict::kPass);
}

}  // namespace ravel
