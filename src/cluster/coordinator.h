// Gives the parts of a search to workers, and their results to the process that has the search.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cluster/merger.h"
#include "cluster/options.h"
#include "cluster/task_engine.h"
#include "cluster/workers.h"

namespace ravel::cluster {

class Coordinator {
 public:
  // `options` and `interrupt` must outlive this.
  Coordinator(const Options& options, const std::atomic<bool>& interrupt)
      : options_(options), interrupt_(interrupt) {}

  // The exit status: as of `ravel check`.
  int run();

 private:
  using Clock = std::chrono::steady_clock;

  int complain(const std::string& what) const;
  bool lock_folder();
  std::string make_password(std::string& problem) const;
  bool find_files(std::string& problem);
  bool give_out();
  bool take(const EndedTask& ended);
  bool submit(const Merger::Part& part);
  bool want_enough();
  bool save_if_due();
  void tell_progress() const;
  void tell_if_idle();
  int stop();
  std::string path(const std::string& part, const char* end) const;

  const Options& options_;
  const std::atomic<bool>& interrupt_;
  int lock_ = -1;
  std::unique_ptr<TaskEngine> engine_;
  std::unique_ptr<Merger> merger_;
  std::unique_ptr<Workers> workers_;
  std::vector<TaskFile> files_;             // that every part needs
  std::map<std::string, std::string> out_;  // the parts that workers have, or are to have: path by number
  std::map<std::string, int> failures_;     // how often a part has failed
  std::vector<std::string> old_files_;      // of no use once the search is saved
  Clock::time_point next_save_;
  Clock::time_point idle_since_;  // no worker has had a part since then; max(): that was told
  double seconds_between_saves_ = 30;
  int wanted_ = 0;
  bool is_over_ = false;
  std::string problem_;
};

}  // namespace ravel::cluster
