// Where the workers of ravel-cluster come from, if it starts them itself.
#pragma once

#include <string>
#include <vector>

#include "cluster/child.h"
#include "cluster/options.h"

namespace ravel::cluster {

// Whether workers are jobs of Slurm or HTCondor. The program that submits them asks for the queue's state
// without a password, in vain; it needs no answer.
bool are_submitted(const Options& options);

// Where workers have their folders, which is made. Jobs begin there as well, so a batch system's machines
// have to see it.
std::string folder_of_workers(const Options& options);

class Workers {
 public:
  // On this machine: processes, which are begun again when one has ended; of Slurm or HTCondor: a factory,
  // which submits workers as jobs. None: others connect to the port.
  Workers(const Options& options, int port, std::string password_file);

  // Begins what is missing.
  void keep();
  // Why none can be had, or nothing.
  const std::string& problem() const { return problem_; }

 private:
  std::vector<std::string> command_of_worker(int number) const;
  std::vector<std::string> command_of_factory() const;

  const Options& options_;
  const int port_;
  const std::string password_file_;
  std::vector<Child> children_;
  int begun_ = 0;  // workers of this machine
  std::string problem_;
};

}  // namespace ravel::cluster
