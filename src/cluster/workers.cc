#include "cluster/workers.h"

#include <unistd.h>

#include <filesystem>

namespace ravel::cluster {

namespace {

namespace fs = std::filesystem;

constexpr int kCannotStart = 127, kSignalled = 128;  // statuses of Child::wait()
constexpr const char kLocal[] = "local", kNone[] = "none";

// The factories tell a server of their authors what they do, unless another one is named. Here nobody
// listens.
constexpr const char kNoCatalog[] = "--catalog=localhost:1";

std::string own_name() {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

}  // namespace

bool are_submitted(const Options& options) {
  return options.workers_from != kLocal && options.workers_from != kNone;
}

Workers::Workers(const Options& options, int port, std::string password_file)
    : options_(options), port_(port), password_file_(std::move(password_file)) {}

std::string folder_of_workers(const Options& options) {
  const fs::path folder = fs::absolute(fs::path(options.folder) / "workers");
  fs::create_directories(folder);
  return folder;
}

// TaskVine's workers take their folder for theirs alone, and delete it.
std::vector<std::string> Workers::command_of_worker(int number) const {
  const fs::path folder = fs::path(folder_of_workers(options_)) / std::to_string(number);
  fs::create_directories(folder);
  // It hears of this program's end by a signal that lets it end its own processes, other than by
  // --parent-death.
  return {options_.engine->worker, "--cores=1", "-t",   "3600",      "--max-backoff=5",    "-P",
          password_file_,          "-s",        folder, "localhost", std::to_string(port_)};
}

std::vector<std::string> Workers::command_of_factory() const {
  const std::string workers = std::to_string(options_.workers);
  // Commands that the factories run do not quote: there is less in relative paths that would need it.
  const std::string folder = fs::proximate(folder_of_workers(options_));
  const std::string password = fs::proximate(password_file_);
  std::vector<std::string> command = {
      options_.engine->factory, "--parent-death", "-T", options_.workers_from, "-w", workers, "-W", workers,
      "--workers-per-cycle=" + workers, "--cores=1",
      // Else HTCondor gives a worker 1024, and Slurm all there is.
      "--memory=" + std::to_string(options_.memory), kNoCatalog, "-S", folder, "-P", password};
  if (!options_.batch_options.empty()) command.insert(command.end(), {"-B", options_.batch_options});
  command.insert(command.end(), {own_name(), std::to_string(port_)});
  return command;
}

void Workers::keep() {
  if (options_.workers_from == kNone || !problem_.empty()) return;
  const bool is_local = options_.workers_from == kLocal;
  const std::size_t wanted = is_local ? static_cast<std::size_t>(options_.workers) : 1;
  const std::string program = is_local ? options_.engine->worker : options_.engine->factory;
  const std::string log = fs::path(options_.folder) / "workers.log";
  std::vector<Child> running;
  for (Child& child : children_) {
    if (child.is_running()) {
      running.push_back(std::move(child));
      continue;
    }
    const int status = child.wait();
    if (status == kCannotStart)
      problem_ =
          program + ": this program cannot be started. It is in Debian's package coop-computing-tools.";
    else if (!is_local && status > 0 && status < kSignalled)
      problem_ = program + " has ended with status " + std::to_string(status) + "; " + log +
                 " has what it said. Is --batch-options right, and does this machine submit jobs?";
  }
  children_.swap(running);
  while (problem_.empty() && children_.size() < wanted)
    children_.emplace_back(is_local ? command_of_worker(++begun_) : command_of_factory(), Pipes::kNo, log);
}

}  // namespace ravel::cluster
