// What ravel-cluster needs of a system that brings tasks to workers: the one interface between the two.
//
// A task is a command line that runs in an empty folder of some worker, with files that are brought there and
// one that is brought back. A task whose worker is lost is run again elsewhere, by the engine.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ravel::cluster {

struct TaskFile {
  std::string here;     // path on this machine
  std::string there;    // relative, in the task's folder
  bool is_kept = true;  // by the worker, for further tasks
};

struct Task {
  std::string name;
  std::string command;
  std::vector<TaskFile> inputs;
  TaskFile result;
  int memory = 0;  // that it needs, in megabytes
};

struct EndedTask {
  std::string name;
  bool has_result = false;  // the command succeeded, and its result is here
  int exit_status = 0;
  std::string output;   // what the command has written to its standard output and error
  std::string problem;  // why there is no result; empty: see exit_status
};

struct EngineCounts {
  int workers = 0, running = 0, waiting = 0;
  int lost = 0;     // workers that were lost, until now
  int aborted = 0;  // of these, those whose task took far longer than others
};

class TaskEngine {
 public:
  virtual ~TaskEngine() = default;

  virtual int port() const = 0;
  // Whether the task was taken.
  virtual bool submit(const Task& task) = 0;
  // A task that has ended. Nothing: none did within so many seconds.
  virtual std::optional<EndedTask> wait(int seconds) = 0;
  virtual EngineCounts counts() const = 0;
  // Tells all workers to end.
  virtual void release_workers() = 0;
};

struct EngineOptions {
  int port = 0;  // 0: any
  std::string password_file;
  std::string folder;           // for what it notes
  double times_as_long = 10;    // as the average: then a task's worker is given up
  int seconds_of_silence = 30;  // of a worker: then it is given up
  // Whether what is no error, as that somebody connects with a wrong password, is told on standard error.
  bool tells_notices = true;
};

// Such a system.
struct EngineKind {
  const char* name;
  const char* worker;   // the program of a worker
  const char* factory;  // the program that has a batch system run workers
  // Null: the port is taken, or the password file cannot be read; `problem` says which.
  std::unique_ptr<TaskEngine> (*make)(const EngineOptions& options, std::string& problem);
};
extern const EngineKind kWorkQueue, kTaskVine;

// Those that were there when this program was built, at least one: the first one is the default.
std::span<const EngineKind* const> engines();

}  // namespace ravel::cluster
