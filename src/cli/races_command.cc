// ravel races: what could have happened otherwise in one execution, and running one of these variants.
#include <fmt/format.h>

#include <cstdio>

#include "check/subject.h"
#include "cli/commands.h"
#include "host/files.h"
#include "races/races.h"
#include "report/race_text.h"
#include "report/summary.h"
#include "report/verdict.h"
#include "story/lines_view.h"
#include "story/plain_story.h"
#include "story/told_execution.h"

namespace ravel {

namespace {

void print(const std::string& text) { std::fputs(text.c_str(), stdout); }

// How an execution ended, in one line.
std::string ending(const Recording& recording) {
  std::string text = outcome_text(recording);
  for (char& c : text)
    if (c == '_') c = ' ';
  return recording.bug ? text + ", " + recording.bug->message : text;
}

std::string behind_bug(const Recording& recording) {
  return recording.bug && recording.bug->kind == "abnormal_exit"
             ? " The execution was looked at beyond its bug."
             : "";
}

class Races {
 public:
  Races(const FrontEnds& front_ends, const RacesOptions& options)
      : front_ends_(front_ends),
        options_(options),
        colour_(colour_for(options.subject.report.colour, stdout)) {}

  Result<int> run() {
    const std::string& out = options_.subject.out;
    if (!out.empty() && !options_.variant)
      return Error{"--out saves the trace of a variant. Choose one with --variant N."};
    if (!out.empty()) {
      if (const Status writable = check_writable_file(out); !writable)
        return Error{writable.error().message + " Name another file with --out."};
    }
    auto subject = open_subject(front_ends_, options_.subject, Purpose::kShowBeyondBug);
    if (!subject) return subject.error();
    has_messages_ = subject->test->has_messages();
    const auto observation = observe(*subject, options_.subject.report);
    if (observation->recording().refusal) return refuse(observation->recording());
    // Before other executions are tried.
    const std::vector<std::string> data_races = subject->test->findings(subject->events_max);
    const std::vector<Race> races = find_races(*observation);
    title_ = paint(subject->test->title(), Ink::kBold, colour_) + "\n\n";
    if (options_.variant) return run_variant(*subject, *observation, races);
    if (is_told()) tell(*observation, races, data_races);
    return exit_status(Verdict::kPass);
  }

 private:
  bool is_told() const { return options_.subject.report.quiet == Quiet::kNo; }

  Result<int> refuse(const Recording& recording) const {
    std::fflush(stdout);
    std::fputs(describe_refusal(*recording.refusal).c_str(), stderr);
    return exit_status(Verdict::kUnsupported);
  }

  void tell(const Observation& observation, const std::vector<Race>& races,
            const std::vector<std::string>& data_races) const {
    std::vector<RaceDescription> descriptions;
    for (const Race& race : races) descriptions.push_back(describe_race(observation, race));
    std::size_t receives = 0;
    for (EventId event = 0; event < observation.length(); ++event)
      receives += observation.history()[event].receives() ? 1 : 0;
    print(title_ + counted(observation.length(), "event") +
          (has_messages_ ? ", " + counted(receives, "receive") : "") +
          fmt::format("; it ends: {}.{}\n", ending(observation.recording()),
                      behind_bug(observation.recording())));
    if (!has_messages_)
      print(
          "Threads receive no messages, so that only the order of operations could have been another one.\n");
    if (!has_messages_ && observation.recording().bug && observation.recording().bug->kind == "deadlock") {
      print("The operations that wait for ever have not happened, and are no part of the races:\n");
      for (const std::string& waiting : observation.recording().bug->details) print("  " + waiting + "\n");
    }
    print(describe_races(descriptions, colour_));
    if (!data_races.empty())
      print("\nAccesses to memory that are no operations here, and that nothing orders:\n");
    for (const std::string& race : data_races) print("  " + race + "\n");
    const std::string orphans = describe_orphans(describe_orphans(observation), colour_);
    if (!orphans.empty()) print("\n" + orphans);
  }

  Result<int> run_variant(const Subject& subject, const Observation& before,
                          const std::vector<Race>& races) const {
    const std::uint32_t number = *options_.variant;
    if (number == 0 || number > races.size())
      return Error{fmt::format(
          "--variant {}: this execution has {}. 'ravel races' without --variant lists them.", number,
          races.empty() ? "none" : counted(races.size(), "variant") + ", numbered from 1")};
    const Race& race = races[number - 1];
    Observation variant(subject.system(), subject.events_max);
    variant.run(steps_of_variant(before, race));
    const Recording& recording = variant.finish();
    if (recording.refusal) return refuse(recording);
    if (is_told()) tell_variant(before, variant, describe_race(before, race));
    if (!options_.subject.out.empty()) {
      Trace trace = trace_of_variant(before, race, subject.events_max);
      note_subject(subject, trace);
      if (Status written = write_text_file(options_.subject.out, print_trace(trace)); !written)
        return written.error();
    }
    return exit_status(recording.bug ? Verdict::kBug : Verdict::kPass);
  }

  void tell_variant(const Observation& before, const Observation& variant,
                    const RaceDescription& race) const {
    const RaceDescription races[] = {race};
    print(title_ + describe_variants(races, *options_.variant, colour_));
    print(fmt::format("\n  It departs after {} of {}.\n", counted(race.kept, "event"),
                      counted(before.length(), "event")));
    const std::string was = ending(before.recording()), is = ending(variant.recording());
    print(was == is ? "  It ends as before: " + is + ".\n"
                    : fmt::format("  Before it ended: {}.\n  Now it ends: {}.\n", was, is));
    if (before.recording().output != variant.recording().output) print("  It prints something else.\n");
    const Story story = plain_story(variant.recording());
    const StoryViewOptions view{.colour = colour_, .columns = terminal_columns(stdout)};
    print("\n" + describe_execution(variant.recording(),
                                    {.text = tell_lines(story, story.failing, view), .colour = colour_}));
  }

  const FrontEnds& front_ends_;
  const RacesOptions& options_;
  const Colour colour_;
  std::string title_;
  bool has_messages_ = true;
};

}  // namespace

Result<int> races_command(const FrontEnds& front_ends, const RacesOptions& options) {
  return Races(front_ends, options).run();
}

}  // namespace ravel
