#include "front_ends/p/own_options.h"

#include <algorithm>

namespace ravel::p {

std::shared_ptr<OwnOptions> add_own_options(OptionTable& table, CommandKind command) {
  auto own = std::make_shared<OwnOptions>();
  if (command != CommandKind::kRun)
    table.list(
        "--foreign", "FILE", own->libraries,
        "a library that has foreign functions of the program in P, written with <ravel/p_foreign.h>; may "
        "be repeated");
  if (command != CommandKind::kCheck && command != CommandKind::kShow) return own;
  table.choice("--steps", "HOW", own->steps,
               {{"operations", Steps::kOperations}, {"handlers", Steps::kHandlers}},
               "of a machine in P: operations (the default) or handlers (on over all that it creates and "
               "sends, until it "
               "has handled its event, waits or chooses)");
  table.flag("--attach-specs", "tests that have no spec are held to all specs of the program",
             [own = own.get()] { own->attaches_specs = true; });
  if (command != CommandKind::kCheck) return own;
  table.list("--ltl", "FORMULA", own->formulas,
             "of programs in P its propositions are hot(SPEC) and cold(SPEC), and of each spec is asked "
             "anyway that it "
             "does not stay hot");
  table.of_search();
  table.choice("--fairness", "WHICH", own->fairness,
               {{"none", Fairness::kNone}, {"weak", Fairness::kWeak}, {"strong", Fairness::kStrong}},
               "of programs in P this is also about specs that stay hot");
  table.of_search();
  table.list("--symmetric", "NAME[,...]", own->symmetric,
             "of programs in P: machines of these types are interchangeable");
  table.of_search();
  table.flag("--coverage",
             "tells which states of machines in P were entered, which events were handled in them, and which "
             "were sent",
             [own = own.get()] { own->tells_coverage = true; });
  table.of_search();
  table.text("--trace-json", "FILE", own->trace_file,
             "writes the execution of the first bug as P's checker does (.trace.json), for its viewers");
  table.of_search();
  return own;
}

const OwnOptions& own_options(const CommandOptions& options) {
  return static_cast<const OwnOptions&>(*options.own.find(std::string_view(kFrontEndName))->second);
}

std::vector<std::string_view> ignorable_bugs() { return {"deadlock", "liveness"}; }

Result<std::shared_ptr<const OpenedProgram>> open_program(const CommandOptions& options) {
  const LooseSpecs loose = own_options(options).attaches_specs ? LooseSpecs::kAttached : LooseSpecs::kLeftOut;
  return OpenedProgram::open({.sources = options.program.files, .libraries = own_options(options).libraries},
                             loose, options.report.colour);
}

Result<POptions> system_options(const CommandOptions& options) {
  if (options.is_given("--time") && options.time == TimeOption::kDeadlines)
    return Error{
        "--time deadlines is not for programs in P, whose timers have no durations. Choose idle or any."};
  const auto ignores = [&](std::string_view kind) {
    return std::ranges::find(options.ignored, kind) != options.ignored.end();
  };
  TimersFire timers = TimersFire::kAsModelled;
  if (options.is_given("--time"))
    timers = options.time == TimeOption::kIdle ? TimersFire::kWhenAllWait : TimersFire::kAnyTime;
  return POptions{.steps = own_options(options).steps,
                  .timers = timers,
                  .ignores_deadlocks = ignores("deadlock"),
                  .ignores_liveness = ignores("liveness")};
}

}  // namespace ravel::p
