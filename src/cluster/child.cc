#include "cluster/child.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

namespace ravel::cluster {

namespace {

// Who has batch systems run workers takes their jobs back one after the other.
constexpr int kTriesToEnd = 600;
constexpr int kMicrosecondsBetweenTries = 100'000;
constexpr int kCannotStart = 127;

int status_of(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

[[noreturn]] void become(const std::vector<std::string>& command, pid_t parent, int in, int out,
                         const std::string& output) {
  // Ctrl-C comes to all of them; the parent says what becomes of that.
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(kCannotStart);
  dup2(in >= 0 ? in : open("/dev/null", O_RDONLY), STDIN_FILENO);
  if (out >= 0) dup2(out, STDOUT_FILENO);
  if (!output.empty()) {
    const int file = open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    dup2(file, STDOUT_FILENO), dup2(file, STDERR_FILENO);
  }
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execvp(words.front(), words.data());
  _exit(kCannotStart);
}

}  // namespace

Child::Child(const std::vector<std::string>& command, Pipes pipes, const std::string& output) {
  int to[2] = {-1, -1}, from[2] = {-1, -1};
  if (pipes == Pipes::kYes && (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0)) {
    status_ = kCannotStart;
    return;
  }
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) become(command, parent, to[0], from[1], output);
  if (to[0] >= 0) close(to[0]), close(from[1]);
  to_ = to[1], from_ = from[0];
  if (pid_ < 0) status_ = kCannotStart;
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      to_(std::exchange(other.to_, -1)),
      from_(std::exchange(other.from_, -1)),
      heard_(std::move(other.heard_)),
      status_(other.status_) {}

Child::~Child() {
  close_input();
  if (from_ >= 0) close(from_);
  if (pid_ <= 0) return;
  for (int i = 0; i < kTriesToEnd && is_running(); ++i) {
    if (i == 0) kill(pid_, SIGTERM);
    usleep(kMicrosecondsBetweenTries);
  }
  if (is_running()) {
    kill(pid_, SIGCONT), kill(pid_, SIGKILL);
    wait();
  }
  kill(-pid_, SIGKILL);  // what it has begun and left behind
}

bool Child::say(const std::string& line) {
  const std::string text = line + "\n";
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = write(to_, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return true;
}

std::optional<std::string> Child::hear() {
  for (;;) {
    if (const std::size_t end = heard_.find('\n'); end != std::string::npos) {
      std::string line = heard_.substr(0, end);
      heard_.erase(0, end + 1);
      return line;
    }
    char bytes[65536];
    const ssize_t count = read(from_, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::nullopt;
    heard_.append(bytes, static_cast<std::size_t>(count));
  }
}

void Child::close_input() {
  if (to_ >= 0) close(std::exchange(to_, -1));
}

bool Child::is_running() {
  if (status_) return false;
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) != pid_) return true;
  status_ = status_of(status);
  return false;
}

int Child::wait() {
  while (!status_) {
    int status = 0;
    if (waitpid(pid_, &status, 0) == pid_)
      status_ = status_of(status);
    else if (errno != EINTR)
      status_ = kCannotStart;
  }
  return *status_;
}

}  // namespace ravel::cluster
