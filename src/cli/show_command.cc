// ravel show: the story of one execution, as text, as data, and as diagrams.
#include <algorithm>
#include <cstdio>

#include "check/subject_story.h"
#include "cli/commands.h"
#include "host/files.h"
#include "report/summary.h"
#include "report/verdict.h"
#include "story/mermaid.h"
#include "story/page_template.h"
#include "story/shiviz.h"
#include "story/story_json.h"
#include "story/story_page.h"

namespace ravel {

namespace {

Status check_writable(const ShowOptions& options) {
  if (!options.html_file.empty() && page_template().empty())
    return Error{
        "--html: this ravel was built without its page, which needs Node.js and npm. Build it again with "
        "them, "
        "or use --json, --mermaid or --shiviz."};
  for (const ShowOptions::File& file : options.files()) {
    if (file.path.empty() || file.path == "-") continue;
    if (const Status writable = check_writable_file(file.path); !writable)
      return Error{writable.error().message + " Name another file with " + file.option + "."};
  }
  return Success{};
}

// Into a file, or for "-" to the standard output; nowhere for no path.
template <class Print>
Status write(const std::string& path, const Print& print) {
  if (path.empty()) return Success{};
  const std::string text = print();
  if (path != "-") return write_text_file(path, text);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return Success{};
}

Status write_files(const Story& story, const ShowOptions& options) {
  if (Status done = write(options.json_file, [&] { return print_story(story); }); !done) return done;
  if (Status done = write(options.html_file, [&] { return story_page(page_template(), story); }); !done)
    return done;
  if (Status done = write(options.mermaid_file, [&] { return print_mermaid(story, options.story.folding); });
      !done)
    return done;
  return write(options.shiviz_file, [&] { return print_shiviz(story); });
}

bool writes_files(const ShowOptions& options) {
  return std::ranges::any_of(options.files(), [](const auto& file) { return !file.path.empty(); });
}

}  // namespace

Result<int> show_command(const FrontEnds& front_ends, const ShowOptions& options) {
  if (Status writable = check_writable(options); !writable) return writable.error();
  const ReportOptions& report = options.subject.report;
  const auto subject = open_subject(front_ends, options.subject, Purpose::kShow);
  if (!subject) return subject.error();
  const std::string saved =
      subject->ticket || subject->trace ? options.subject.program.files.front() : std::string();
  const ToldSubject told = tell_subject(*subject, saved, report);
  if (told.refusal) {
    std::fputs(describe_refusal(*told.refusal).c_str(), stderr);
    return exit_status(Verdict::kUnsupported);
  }
  if (Status written = write_files(told.story, options); !written) return written.error();
  if (!writes_files(options) && report.quiet == Quiet::kNo) {
    const StoryViewOptions view{.colour = colour_for(report.colour, stdout),
                                .columns = terminal_columns(stdout),
                                .folding = options.story.folding};
    std::fputs(tell_story(told.story, options.story.form, view).c_str(), stdout);
  }
  return exit_status(Verdict::kPass);
}

}  // namespace ravel
