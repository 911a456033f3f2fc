// ravel show: the story of one execution, as text, as data, and as diagrams.
#include <cstdio>

#include "check/subject_story.h"
#include "cli/commands.h"
#include "host/files.h"
#include "report/summary.h"
#include "report/verdict.h"
#include "story/story_json.h"

namespace ravel {

namespace {

Status check_writable(const ShowOptions& options) {
  for (const ShowOptions::File& file : options.files()) {
    if (file.path.empty() || file.path == "-") continue;
    if (const Status writable = check_writable_file(file.path); !writable)
      return Error{writable.error().message + " Name another file with " + file.option + "."};
  }
  return Success{};
}

// Into a file, or for "-" to the standard output.
Status write(const std::string& path, const std::string& text) {
  if (path != "-") return write_text_file(path, text);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return Success{};
}

}  // namespace

Result<int> show_command(const FrontEnds& front_ends, const ShowOptions& options) {
  if (Status writable = check_writable(options); !writable) return writable.error();
  const auto subject = open_subject(front_ends, options.subject, Purpose::kShow);
  if (!subject) return subject.error();
  const std::string saved =
      subject->ticket || subject->trace ? options.subject.program.files.front() : std::string();
  const ToldSubject told = tell_subject(*subject, saved, options.subject.report);
  if (told.refusal) {
    std::fputs(describe_refusal(*told.refusal).c_str(), stderr);
    return exit_status(Verdict::kUnsupported);
  }
  if (!options.json_file.empty())
    if (Status written = write(options.json_file, print_story(told.story)); !written) return written.error();
  return exit_status(Verdict::kPass);
}

}  // namespace ravel
