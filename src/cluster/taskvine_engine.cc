// The engine by TaskVine of the Cooperative Computing Tools, which follows Work Queue. Its library is under
// the GPL.

#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

extern "C" {
#include <debug.h>
// The name of a parameter there.
#define template template_
#include <taskvine.h>
#undef template
}

#include "cluster/task_engine.h"

namespace ravel::cluster {

namespace {

class TaskVineEngine final : public TaskEngine {
 public:
  explicit TaskVineEngine(vine_manager* manager) : manager_(manager) {}
  ~TaskVineEngine() override {
    vine_cancel_all(manager_);
    while (wait(0)) {
    }
    vine_delete(manager_);
  }
  TaskVineEngine(const TaskVineEngine&) = delete;
  TaskVineEngine& operator=(const TaskVineEngine&) = delete;

  int port() const override { return vine_port(manager_); }

  bool submit(const Task& task) override {
    vine_task* const one = vine_task_create(task.command.c_str());
    vine_task_set_tag(one, task.name.c_str());
    vine_task_set_cores(one, 1);
    vine_task_set_memory(one, task.memory);
    Files own;
    bool is_right = true;
    for (const TaskFile& file : task.inputs) {
      vine_file* const declared = declare(file, own);
      is_right = is_right && declared != nullptr &&
                 vine_task_add_input(one, declared, file.there.c_str(), VINE_TRANSFER_ALWAYS) != 0;
    }
    vine_file* const result = declare(task.result, own);
    is_right = is_right && result != nullptr &&
               vine_task_add_output(one, result, task.result.there.c_str(), VINE_TRANSFER_ALWAYS) != 0;
    const int number = is_right ? vine_submit(manager_, one) : 0;
    if (number <= 0) {
      vine_task_delete(one);
      forget(own);
      return false;
    }
    own_files_[number] = std::move(own);
    return true;
  }

  std::optional<EndedTask> wait(int seconds) override {
    // Other workers of a machine on which one was given up may go on.
    vine_unblock_all(manager_);
    vine_task* const one = vine_wait(manager_, seconds);
    if (one == nullptr) return std::nullopt;
    const vine_result_t result = vine_task_get_result(one);
    EndedTask ended;
    ended.name = vine_task_get_tag(one);
    ended.exit_status = vine_task_get_exit_code(one);
    ended.has_result = result == VINE_RESULT_SUCCESS && ended.exit_status == 0;
    if (const char* const output = vine_task_get_stdout(one)) ended.output = output;
    // What is missing because the command has failed is no problem of its own.
    if (result != VINE_RESULT_SUCCESS && ended.exit_status == 0) ended.problem = vine_result_string(result);
    const auto own = own_files_.find(vine_task_get_id(one));
    vine_task_delete(one);
    if (own != own_files_.end()) {
      forget(own->second);
      own_files_.erase(own);
    }
    return ended;
  }

  EngineCounts counts() const override {
    vine_stats stats;
    vine_get_stats(manager_, &stats);
    return {.workers = stats.workers_connected,
            .running = stats.tasks_on_workers,
            .waiting = stats.tasks_waiting,
            .lost = stats.workers_lost,
            .aborted = stats.workers_slow};
  }

  void release_workers() override { vine_workers_shutdown(manager_, 0); }

 private:
  using Files = std::vector<vine_file*>;

  // Files that workers keep are declared once; others are added to those that are the task's own. No worker
  // asks another one for them.
  vine_file* declare(const TaskFile& file, Files& own) {
    if (file.is_kept) {
      vine_file*& kept = kept_[file.here];
      if (kept == nullptr)
        kept = vine_declare_file(manager_, file.here.c_str(), VINE_CACHE_LEVEL_WORKFLOW, VINE_PEER_NOSHARE);
      return kept;
    }
    vine_file* const one =
        vine_declare_file(manager_, file.here.c_str(), VINE_CACHE_LEVEL_TASK, VINE_PEER_NOSHARE);
    if (one != nullptr) own.push_back(one);
    return one;
  }
  void forget(const Files& files) {
    for (vine_file* const file : files) vine_undeclare_file(manager_, file);
  }

  vine_manager* const manager_;
  std::map<std::string, vine_file*> kept_;  // by path
  std::map<int, Files> own_files_;          // of the tasks under way, by TaskVine's numbers
};

std::unique_ptr<TaskEngine> make_taskvine(const EngineOptions& options, std::string& problem) {
  if (!options.tells_notices) {
    debug_flags_clear();
    for (const char* const kind : {"fatal", "error"}) debug_flags_set(kind);
  }
  vine_set_runtime_info_path(options.folder.c_str());
  vine_manager* const manager = vine_create(options.port);
  if (manager == nullptr) {
    problem = "the port " + std::to_string(options.port) + " cannot be opened: " + std::strerror(errno);
    return nullptr;
  }
  auto engine = std::make_unique<TaskVineEngine>(manager);
  if (vine_set_password_file(manager, options.password_file.c_str()) == 0) {
    problem = options.password_file + ": the password cannot be read";
    return nullptr;
  }
  vine_enable_disconnect_slow_workers(manager, options.times_as_long);
  vine_set_keepalive_interval(manager, options.seconds_of_silence / 2);
  vine_set_keepalive_timeout(manager, options.seconds_of_silence / 2);
  return engine;
}

}  // namespace

const EngineKind kTaskVine = {
    .name = "taskvine", .worker = "vine_worker", .factory = "vine_factory", .make = make_taskvine};

}  // namespace ravel::cluster
