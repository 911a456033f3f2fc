// The program ravel-cluster: a search of one test by the workers of a cluster.
#include <CLI/CLI.hpp>

#include <atomic>
#include <csignal>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "cluster/child.h"
#include "cluster/coordinator.h"
#include "cluster/options.h"

namespace {

using ravel::cluster::Child;
using ravel::cluster::EngineKind;
using ravel::cluster::engines;
using ravel::cluster::Options;
using ravel::cluster::Pipes;

constexpr int kIncomplete = 3;

std::atomic<bool> interrupted = false;

void note_interrupt(int) { interrupted = true; }

void add_options(CLI::App& app, Options& options, std::string& resumed) {
  app.add_option("CHECK", options.check, "after --: the program and options of 'ravel check'");
  app.add_option("--into", options.folder, "the folder of the search, which is made (default ravel-search)");
  app.add_option("--resume", resumed, "goes on with the search in this folder");
  app.add_option(
         "--workers-from", options.workers_from,
         "none (they connect by themselves, the default), local (processes of this machine), slurm or condor "
         "(jobs that its factory submits)")
      ->check(CLI::IsMember({"none", "local", "slurm", "condor"}));
  std::vector<std::string> names;
  for (const EngineKind* const engine : engines()) names.emplace_back(engine->name);
  app.add_option_function<std::string>(
         "--engine",
         [&options](const std::string& name) {
           for (const EngineKind* const engine : engines())
             if (engine->name == name) options.engine = engine;
         },
         "which system brings parts to workers (default " + names.front() + ")")
      ->check(CLI::IsMember(names));
  app.add_option("--workers", options.workers, "how many workers are expected, or started (default 2)")
      ->check(CLI::Range(1, 10'000));
  app.add_option("--batch-options", options.batch_options,
                 "what is handed to the batch system for each worker");
  app.add_option("--seconds", options.seconds, "how long a worker has a part at a time (default 10)")
      ->check(CLI::Range(1, 3600));
  app.add_option("--memory", options.memory,
                 "how many megabytes a part may take at a time (default 1024): workers with less get none")
      ->check(CLI::Range(64, 1'000'000));
  app.add_option("--silence", options.silence,
                 "after so many seconds without a sign a worker is lost (default 30)")
      ->check(CLI::Range(2, 3600));
  app.add_option("--port", options.port, "where workers connect (default: any that is free)")
      ->check(CLI::Range(1, 65535));
  app.add_option(
      "--password-file", options.password_file,
      "the password that workers have to know (default: FOLDER/password; made if it is not there)");
  app.add_option("--ravel", options.ravel, "the program ravel (default: the one in PATH)");
  for (const char* const name : {"--out", "--json", "--junit", "--color"})
    app.add_option_function<std::string>(
        name,
        [&options, name](const std::string& value) {
          options.results.insert(options.results.end(), {name, value});
        },
        "as for 'ravel check'");
  app.add_flag("-q,--quiet", options.is_quiet, "one line for each bug, and nothing else");
}

// The exit status of `ravel split`, which tells what it has found if nothing is left.
int split(const Options& options) {
  std::vector<std::string> command = {options.ravel,  "split",   "--into",
                                      options.folder, "--parts", std::to_string(2 * options.workers)};
  command.insert(command.end(), options.results.begin(), options.results.end());
  if (options.is_quiet) command.emplace_back("-q");
  // Last, since what comes after another -- is for the program.
  command.insert(command.end(), options.check.begin(), options.check.end());
  Child process(command, Pipes::kYes);
  std::string told;
  while (const auto line = process.hear()) told += *line + "\n";
  const int status = process.wait();
  // What to do with parts is for people who run them by hand.
  if (status != kIncomplete || interrupted) std::fputs(told.c_str(), stdout);
  return status;
}

int run(int argc, char** argv) {
  CLI::App app("Searches the schedules of one test on the workers of a cluster.", "ravel-cluster");
  app.footer(
      "\nExample:\n  ravel-cluster --workers-from local --workers 4 -- bank.erl -t bank:transfer -k\n"
      "\nThe exit status is that of 'ravel check'; 3 means that --resume goes on.\n");
  Options options;
  std::string resumed;
  add_options(app, options, resumed);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return error.get_exit_code() == 0 ? app.exit(error) : (app.exit(error), 2);
  }
  options.resumes = !resumed.empty();
  if (options.resumes) options.folder = resumed;
  if (options.resumes != options.check.empty()) {
    std::fputs(
        options.resumes
            ? "ravel-cluster: --resume: the search is that of the folder; leave out what is after --.\n"
            : "ravel-cluster: after -- stand the program and options of 'ravel check'; there is nothing.\n",
        stderr);
    return 2;
  }
  struct sigaction action = {};
  action.sa_handler = note_interrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  if (!options.resumes)
    if (const int status = split(options); status != kIncomplete) return status;
  return ravel::cluster::Coordinator(options, interrupted).run();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "ravel-cluster: cannot go on: %s\n", problem.what());
    return 2;
  }
}
