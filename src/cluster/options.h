// What the command line of ravel-cluster asks for.
#pragma once

#include <string>
#include <vector>

#include "cluster/task_engine.h"

namespace ravel::cluster {

struct Options {
  std::vector<std::string> check;  // FILE... and options of `ravel check`; empty: --resume
  std::string folder = "ravel-search";
  bool resumes = false;
  const EngineKind* engine = engines().front();
  std::string workers_from = "none";  // none, local, slurm, condor
  int workers = 2;
  int seconds = 10;   // of a part at a time
  int memory = 1024;  // of a part, in megabytes
  int silence = 30;
  int port = 0;
  std::string password_file;  // empty: FOLDER/password
  std::string ravel = "ravel";
  std::string batch_options;
  std::vector<std::string>
      results;  // --out DIR, --json FILE, --junit FILE, -q, --color, as `ravel merge` takes them
  bool is_quiet = false;
};

}  // namespace ravel::cluster
