// Programs that ravel-cluster starts. They end when it does, however that happens.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ravel::cluster {

enum class Pipes : bool { kNo, kYes };

class Child {
 public:
  // Looks for the program in PATH, as a shell does. Without pipes it has the streams of this process, and no
  // input. `output`: empty, or a file that gets what it writes.
  Child(const std::vector<std::string>& command, Pipes pipes, const std::string& output = {});
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  // Asks it to end, and ends it after some seconds.
  ~Child();

  // Whether the line could be written.
  bool say(const std::string& line);
  // The next line that it has written; nothing: there is none any more.
  std::optional<std::string> hear();
  void close_input();
  bool is_running();
  // Waits for its end. The exit status, or 128 and the number of a signal.
  int wait();
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = -1;
  int to_ = -1, from_ = -1;
  std::string heard_;  // and not yet told
  std::optional<int> status_;
};

}  // namespace ravel::cluster
