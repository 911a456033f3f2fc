#include "front_ends/threads/own_options.h"

namespace ravel::threads {

std::shared_ptr<OwnOptions> add_own_options(OptionTable& table, CommandKind command) {
  auto own = std::make_shared<OwnOptions>();
  if (command != CommandKind::kCheck) return own;
  table.choice(
      "--accesses", "WHICH", own->accesses,
      {{"racy", AccessOperations::kRacy}, {"all", AccessOperations::kAll}, {"sync", AccessOperations::kSync}},
      "which memory accesses are interleaved besides atomics: racy (to memory with a data race), all (but "
      "those of a "
      "thread to its own stack) or sync (none; default racy)");
  table.choice("--arrays", "PARTS", own->parts,
               {{"elements", VariableParts::kElements}, {"whole", VariableParts::kWhole}},
               "what a variable of --variables and vt is: a word, of arrays and blocks of the heap, too "
               "(elements), or all of an "
               "array or block (whole; default elements)");
  table.of_search();
  table.list("--track", "NAME", own->tracked,
             "a global variable, NAME or NAME+OFFSET: of memory accesses only those to it are interleaved, "
             "and others are not even "
             "looked at, also for races; may be repeated");
  table.choice("--races", "HOW", own->races_are_bugs, {{"warn", false}, {"bug", true}},
               "what a data race is: warn or bug (default warn)");
  table.flag("--spurious", "waits on condition variables may wake, and weak exchanges fail, without reason",
             [own = own.get()] { own->spurious = true; });
  table.flag("--host-files",
             "what a program does to files really happens, in each execution; without it each finds the "
             "files as they are, and "
             "nothing reaches them",
             [own = own.get()] { own->host_files = true; });
  table.flag("--isolate", "each execution has a process of its own, which is slower and survives everything",
             [own = own.get()] { own->isolates = true; });
  table.of_search();
  return own;
}

const OwnOptions& own_options(const CommandOptions& options) {
  return static_cast<const OwnOptions&>(*options.own.find(std::string_view(kFrontEndName))->second);
}

std::vector<std::string_view> ignorable_bugs() {
  return {"deadlock",      "abort",
          "assertion",     "crash",
          "data_race",     "double_free",
          "exit_status",   "invalid_free",
          "misuse",        "no_progress",
          "out_of_memory", "stack_overflow",
          "terminate",     "uncaught_exception",
          "use_after_free"};
}

Configuration configuration_for(const CheckOptions& options) {
  const OwnOptions& own = own_options(options);
  Configuration configuration;
  configuration.accesses = own.accesses;
  configuration.races_are_bugs = own.races_are_bugs;
  configuration.spurious = own.spurious;
  configuration.host_files = own.host_files;
  configuration.isolates = own.isolates;
  configuration.follows_deadlines = options.time == TimeOption::kDeadlines;
  configuration.passes_when_idle = options.time == TimeOption::kIdle;
  configuration.fires_early = options.early.value_or(0) > 0;
  return configuration;
}

}  // namespace ravel::threads
