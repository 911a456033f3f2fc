// The engine by Work Queue of the Cooperative Computing Tools, whose library is under the GPL.

#include <cerrno>
#include <cstring>
#include <memory>
#include <set>
#include <utility>

extern "C" {
#include <debug.h>
#include <work_queue.h>
}

#include "cluster/task_engine.h"

namespace ravel::cluster {

namespace {

class WorkQueueEngine final : public TaskEngine {
 public:
  explicit WorkQueueEngine(work_queue* queue) : queue_(queue) {}
  ~WorkQueueEngine() override {
    // The queue does not free them with itself.
    for (const int task : under_way_)
      if (work_queue_task* const one = work_queue_cancel_by_taskid(queue_, task)) work_queue_task_delete(one);
    work_queue_delete(queue_);
  }
  WorkQueueEngine(const WorkQueueEngine&) = delete;
  WorkQueueEngine& operator=(const WorkQueueEngine&) = delete;

  int port() const override { return work_queue_port(queue_); }

  bool submit(const Task& task) override {
    work_queue_task* const one = work_queue_task_create(task.command.c_str());
    work_queue_task_specify_tag(one, task.name.c_str());
    work_queue_task_specify_cores(one, 1);
    work_queue_task_specify_memory(one, task.memory);
    bool is_right = true;
    for (const TaskFile& file : task.inputs) is_right = is_right && add(one, file, WORK_QUEUE_INPUT);
    is_right = is_right && add(one, task.result, WORK_QUEUE_OUTPUT);
    if (!is_right) {
      work_queue_task_delete(one);
      return false;
    }
    under_way_.insert(work_queue_submit(queue_, one));
    return true;
  }

  std::optional<EndedTask> wait(int seconds) override {
    // Other workers of a machine on which one was given up may go on.
    work_queue_unblock_all(queue_);
    work_queue_task* const one = work_queue_wait(queue_, seconds);
    if (one == nullptr) return std::nullopt;
    EndedTask ended;
    ended.name = one->tag;
    ended.exit_status = one->return_status;
    ended.has_result = one->result == WORK_QUEUE_RESULT_SUCCESS && one->return_status == 0;
    if (one->output != nullptr) ended.output = one->output;
    // What is missing because the command has failed is no problem of its own.
    if (one->result != WORK_QUEUE_RESULT_SUCCESS && one->return_status == 0)
      ended.problem = work_queue_result_str(one->result);
    under_way_.erase(one->taskid);
    work_queue_task_delete(one);
    return ended;
  }

  EngineCounts counts() const override {
    work_queue_stats stats;
    work_queue_get_stats(queue_, &stats);
    return {.workers = stats.workers_connected,
            .running = stats.tasks_on_workers,
            .waiting = stats.tasks_waiting,
            .lost = stats.workers_lost,
            .aborted = stats.workers_fast_aborted};
  }

  void release_workers() override { work_queue_shut_down_workers(queue_, 0); }

 private:
  static bool add(work_queue_task* task, const TaskFile& file, work_queue_file_type_t type) {
    return work_queue_task_specify_file(task, file.here.c_str(), file.there.c_str(), type,
                                        file.is_kept ? WORK_QUEUE_CACHE : WORK_QUEUE_NOCACHE) != 0;
  }

  work_queue* const queue_;
  std::set<int> under_way_;  // tasks, by the queue's numbers
};

std::unique_ptr<TaskEngine> make_work_queue(const EngineOptions& options, std::string& problem) {
  if (!options.tells_notices) {
    debug_flags_clear();
    for (const char* const kind : {"fatal", "error"}) debug_flags_set(kind);
  }
  work_queue* const queue = work_queue_create(options.port);
  if (queue == nullptr) {
    problem = "the port " + std::to_string(options.port) + " cannot be opened: " + std::strerror(errno);
    return nullptr;
  }
  auto engine = std::make_unique<WorkQueueEngine>(queue);
  if (work_queue_specify_password_file(queue, options.password_file.c_str()) == 0) {
    problem = options.password_file + ": the password cannot be read";
    return nullptr;
  }
  work_queue_activate_fast_abort(queue, options.times_as_long);
  work_queue_specify_keepalive_interval(queue, options.seconds_of_silence / 2);
  work_queue_specify_keepalive_timeout(queue, options.seconds_of_silence / 2);
  return engine;
}

}  // namespace

const EngineKind kWorkQueue = {.name = "work-queue",
                               .worker = "work_queue_worker",
                               .factory = "work_queue_factory",
                               .make = make_work_queue};

}  // namespace ravel::cluster
