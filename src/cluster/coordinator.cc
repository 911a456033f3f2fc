#include "cluster/coordinator.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

namespace ravel::cluster {

namespace {

namespace fs = std::filesystem;

constexpr int kBadInput = 2, kIncomplete = 3;

// So that a worker never waits for the next part.
constexpr int kPartsForEachWorker = 2;
// A part that has failed so many times is not given out again.
constexpr int kFailuresMax = 5;
constexpr int kSecondsForLock = 15;
// After so long it is told that no worker has a part.
constexpr std::chrono::seconds kIdleMax{60};
// What every system has of its own.
constexpr std::array<std::string_view, 5> kOfSystem = {"linux-vdso", "ld-linux", "libc.so", "libm.so",
                                                       "libpthread"};

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return fs::absolute(name);
  std::istringstream folders(std::getenv("PATH") == nullptr ? "" : std::getenv("PATH"));
  std::string folder;
  while (std::getline(folders, folder, ':'))
    if (access((folder + "/" + name).c_str(), X_OK) == 0) return fs::absolute(folder + "/" + name);
  return {};
}

// The libraries that a program is linked with, but for those of the system.
std::vector<std::string> libraries_of(const std::string& program) {
  Child ldd({"ldd", program}, Pipes::kYes);
  std::vector<std::string> found;
  while (const auto line = ldd.hear()) {
    const std::size_t arrow = line->find(" => /");
    const bool is_of_system = std::ranges::any_of(
        kOfSystem, [&](std::string_view name) { return line->find(name) != std::string::npos; });
    if (arrow == std::string::npos || is_of_system) continue;
    const std::size_t from = arrow + 4;
    found.push_back(line->substr(from, line->find(' ', from) - from));
  }
  return found;
}

double seconds_of(const char* variable, double otherwise) {
  const char* const text = std::getenv(variable);
  const double seconds = text == nullptr ? 0 : std::atof(text);
  return seconds > 0 ? seconds : otherwise;
}

}  // namespace

int Coordinator::complain(const std::string& what) const {
  std::fprintf(stderr, "ravel-cluster: %s\n", what.c_str());
  return kBadInput;
}

std::string Coordinator::path(const std::string& part, const char* end) const {
  return fs::path(options_.folder) / (part + end);
}

// ---- Before the first part -------------------------------------------------------------------------------

// The process that has the search holds the lock as well, so that it has written where it is before another
// one goes on with it.
bool Coordinator::lock_folder() {
  const std::string file = path("lock", "");
  lock_ = open(file.c_str(), O_RDWR | O_CREAT, 0600);
  for (int i = 0; lock_ >= 0 && i < kSecondsForLock * 10; ++i) {
    if (flock(lock_, LOCK_EX | LOCK_NB) == 0) return true;
    usleep(100'000);
  }
  return false;
}

std::string Coordinator::make_password(std::string& problem) const {
  const std::string file = options_.password_file.empty() ? path("password", "") : options_.password_file;
  if (access(file.c_str(), R_OK) == 0) return fs::absolute(file);
  const int made = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  std::random_device random;
  char word[65] = {};
  for (int i = 0; i < 8; ++i) std::snprintf(word + 8 * i, 9, "%08x", random());
  const bool is_written = made >= 0 && write(made, word, 64) == 64;
  if (made >= 0) close(made);
  if (!is_written)
    problem =
        file + ": the password can be neither read nor written. Name another file with --password-file.";
  return fs::absolute(file);
}

bool Coordinator::find_files(std::string& problem) {
  const std::string ravel = find_program(options_.ravel);
  if (ravel.empty() || access(ravel.c_str(), X_OK) != 0) {
    problem = options_.ravel + ": there is no such program. Name it with --ravel.";
    return false;
  }
  files_.push_back({.here = ravel, .there = "ravel-part/ravel"});
  for (const std::string& library : libraries_of(ravel))
    files_.push_back(
        {.here = library, .there = "ravel-part/libraries/" + fs::path(library).filename().string()});
  const auto files = merger_->files();
  if (!files) return false;
  for (const std::string& file : *files) {
    const fs::path normal = fs::path(file).lexically_normal();
    if (normal.is_absolute() || *normal.begin() == "..") {
      problem = file +
                ": workers get the files below the folder where the search was begun, and this one is not "
                "there. Begin the search in a folder above all files of the program.";
      return false;
    }
    if (access(normal.c_str(), R_OK) != 0) {
      problem =
          file + ": this file of the program is not here. Call ravel-cluster where the search was begun.";
      return false;
    }
    files_.push_back({.here = normal, .there = normal});
  }
  return true;
}

int Coordinator::run() {
  std::string problem;
  if (!lock_folder())
    return complain(options_.folder + ": another ravel-cluster has this search, or there is no such folder.");
  const std::string password = make_password(problem);
  if (!problem.empty()) return complain(problem);
  engine_ = options_.engine->make({.port = options_.port,
                                   .password_file = password,
                                   .folder = folder_of_workers(options_),
                                   .seconds_of_silence = options_.silence,
                                   .tells_notices = !are_submitted(options_)},
                                  problem);
  if (engine_ == nullptr) return complain(problem + ".");
  merger_ = std::make_unique<Merger>(options_);
  fcntl(lock_, F_SETFD, FD_CLOEXEC);
  if (!find_files(problem)) {
    const int status = merger_->end();
    return problem.empty() ? status : complain(problem);
  }
  if (!options_.is_quiet)
    std::fprintf(stderr, "ravel-cluster: workers connect to port %d: %s -P %s HOST %d\n", engine_->port(),
                 options_.engine->worker, password.c_str(), engine_->port());
  workers_ = std::make_unique<Workers>(options_, engine_->port(), password);
  seconds_between_saves_ = seconds_of("RAVEL_CHECKPOINT_SECONDS", seconds_between_saves_);
  next_save_ = idle_since_ = Clock::now();
  while (!interrupt_) {
    if (!want_enough() || !give_out()) return merger_->end();
    if (is_over_) break;
    workers_->keep();
    if (!workers_->problem().empty()) problem_ = workers_->problem();
    if (!problem_.empty()) break;
    if (const auto ended = engine_->wait(1); ended && !take(*ended)) return merger_->end();
    if (!save_if_due()) return merger_->end();
    tell_progress();
    tell_if_idle();
  }
  return stop();
}

// The number of parts follows that of the workers that are there.
bool Coordinator::want_enough() {
  const int workers = std::max(options_.workers, engine_->counts().workers);
  const int wanted = workers * kPartsForEachWorker;
  if (wanted == wanted_) return true;
  wanted_ = wanted;
  return merger_->want(wanted);
}

// ---- Parts -----------------------------------------------------------------------------------------------

bool Coordinator::give_out() {
  const auto next = merger_->next();
  if (!next) return false;
  is_over_ = next->is_over;
  for (const Merger::Part& part : next->parts)
    if (!submit(part)) problem_ = "part " + part.number + " cannot be given to workers";
  return true;
}

bool Coordinator::submit(const Merger::Part& part) {
  Task task;
  task.name = part.number;
  task.inputs = files_;
  task.inputs.push_back(
      {.here = part.path, .there = "ravel-part/" + part.number + ".part", .is_kept = false});
  task.result = {.here = path(part.number, ".result"), .there = "ravel-part/result", .is_kept = false};
  task.memory = options_.memory;
  // The libraries count only where the system has others. No shell stays between the worker and the part.
  const std::string budget =
      "--budget " + std::to_string(options_.seconds) + "s --budget " + std::to_string(options_.memory) + "M";
  task.command =
      "R=ravel-part; $R/ravel --version > /dev/null 2>&1 || export LD_LIBRARY_PATH=$PWD/$R/libraries; "
      "exec $R/ravel part $R/" +
      part.number + ".part --out $R/result " + budget + " --end-with-parent -q 2>&1";
  out_[part.number] = part.path;
  return engine_->submit(task);
}

bool Coordinator::take(const EndedTask& ended) {
  const auto given = out_.find(ended.name);
  if (given == out_.end()) return true;
  const Merger::Part part{.number = ended.name, .path = given->second};
  out_.erase(given);
  const std::string result = path(part.number, ".result");
  std::string why = ended.problem;
  if (ended.has_result) {
    const auto refused = merger_->take(result);
    if (!refused) return false;
    why = *refused;
  } else if (why.empty()) {
    why = ended.output.empty() ? "exit status " + std::to_string(ended.exit_status) : ended.output;
  }
  if (why.empty()) {
    old_files_.insert(old_files_.end(), {result, part.path});
    return true;
  }
  if (++failures_[part.number] < kFailuresMax) return submit(part);
  while (!why.empty() && why.back() == '\n') why.pop_back();
  problem_ = "part " + part.number + " could not be run, " + std::to_string(kFailuresMax) + " times: " + why;
  return true;
}

bool Coordinator::save_if_due() {
  if (Clock::now() < next_save_) return true;
  if (!merger_->save()) return false;
  for (const std::string& file : old_files_) std::remove(file.c_str());
  old_files_.clear();
  next_save_ = Clock::now() + std::chrono::milliseconds(static_cast<long>(seconds_between_saves_ * 1000));
  return true;
}

void Coordinator::tell_progress() const {
  if (options_.is_quiet || isatty(STDERR_FILENO) == 0) return;
  const EngineCounts counts = engine_->counts();
  std::fprintf(stderr, "\r\033[K%llu executions, %llu bugs; %d workers have %d parts, %d wait",
               static_cast<unsigned long long>(merger_->executions()),
               static_cast<unsigned long long>(merger_->bugs()), counts.workers, counts.running,
               counts.waiting);
}

// Batch systems hold jobs back, or refuse them, and the factory goes on.
void Coordinator::tell_if_idle() {
  if (engine_->counts().running > 0) idle_since_ = Clock::now();
  if (!are_submitted(options_) || Clock::now() - idle_since_ < kIdleMax) return;
  idle_since_ = Clock::time_point::max();
  std::fprintf(
      stderr,
      "ravel-cluster: no worker has had a part for %d seconds. See whether the batch system runs the "
      "jobs (%s), and what %s says.\n",
      static_cast<int>(kIdleMax.count()), options_.workers_from == "slurm" ? "squeue" : "condor_q -hold",
      path("workers", ".log").c_str());
}

int Coordinator::stop() {
  if (!options_.is_quiet && isatty(STDERR_FILENO) != 0) std::fputs("\r\033[K", stderr);
  const int status = merger_->end();
  engine_->release_workers();
  workers_.reset();
  engine_.reset();  // it has files there
  for (const std::string& file : old_files_) std::remove(file.c_str());
  std::error_code none;
  fs::remove_all(folder_of_workers(options_), none);
  if (is_over_) return status;
  if (!problem_.empty()) std::fprintf(stderr, "ravel-cluster: %s\n", problem_.c_str());
  std::printf("The search is not over: %llu executions so far. Go on with: ravel-cluster --resume %s\n",
              static_cast<unsigned long long>(merger_->executions()), options_.folder.c_str());
  return status == kIncomplete ? kIncomplete : status;
}

}  // namespace ravel::cluster
