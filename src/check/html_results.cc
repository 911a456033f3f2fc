#include "check/html_results.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "check/subject.h"
#include "check/subject_story.h"
#include "host/files.h"
#include "host/messages.h"
#include "report/html_index.h"
#include "story/page_template.h"
#include "story/story_page.h"

namespace ravel {

namespace {

// The name of a ticket's page: "bank.transfer.deadlock.03f2a1.html".
std::string page_name(const std::string& ticket) {
  constexpr std::string_view kEnding = ".ticket.json";
  std::string name = std::filesystem::path(ticket).filename().string();
  if (name.ends_with(kEnding)) name.resize(name.size() - kEnding.size());
  return name + ".html";
}

// The bug's execution is run again, as `ravel show` does.
Result<std::string> bug_page(const FrontEnds& front_ends, const CheckOptions& options,
                             const std::string& ticket) {
  const auto subject = open_saved(front_ends, ticket, {}, options.report, Purpose::kShow);
  if (!subject) return subject.error();
  const ToldSubject told = tell_subject(*subject, ticket, options.report);
  if (told.refusal) return Error{told.refusal->message};
  return story_page(page_template(), told.story);
}

}  // namespace

Status check_html_folder(const CheckOptions& options) {
  if (options.html_folder.empty()) return Success{};
  if (page_template().empty())
    return Error{
        "--html: this ravel was built without its page, which needs Node.js and npm. Build it again with "
        "them, "
        "or use --junit or --sarif."};
  const Status writable = check_writable_folder(options.html_folder, Creation::kNow);
  return writable ? Status(Success{}) : Error{writable.error().message + " Name another folder with --html."};
}

Status write_html_results(const FrontEnds& front_ends, const CheckOptions& options,
                          const CheckReport& report) {
  if (options.html_folder.empty()) return Success{};
  std::vector<BugPages> pages;
  for (const TestReport& tested : report.tests) {
    BugPages& of_test = pages.emplace_back();
    for (const std::string& ticket : tested.tickets) {
      std::string& name = of_test.emplace_back();
      if (ticket.empty() || of_test.size() > kStoriesMax) continue;
      const auto page = bug_page(front_ends, options, ticket);
      if (!page) {
        remark(fmt::format("there is no page for {}: {}", ticket, page.error().message),
               options.report.colour);
        continue;
      }
      name = page_name(ticket);
      if (Status written = write_text_file(options.html_folder + "/" + name, *page); !written) return written;
    }
  }
  return write_text_file(options.html_folder + "/index.html", html_index(report, pages));
}

}  // namespace ravel
