#include "threads/remote/program_process.h"

#include <signal.h>
#include <sys/poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

#include "threads/frameworks/test_framework.h"
#include "threads/remote/launch.h"

namespace ravel::threads {

namespace {

constexpr int kMillisecondsPerLook = 100;
// What is only slow comes to its end in this time.
constexpr int kLooksWhenInterrupted = 10;

}  // namespace

ProgramProcess::~ProgramProcess() {
  if (socket_ >= 0) close(socket_);
  if (process_ > 0) {
    if (debugger_.empty()) kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  delete_files();
}

Result<Greeting> ProgramProcess::start() {
  // A name without a folder means the file here, not one that the shell would find.
  const std::string path = call_.path.find('/') == std::string::npos ? "./" + call_.path : call_.path;
  std::vector<std::string> arguments = call_.arguments, environment;
  if (const TestFramework* const framework = find_framework(call_.test.kind)) {
    const std::vector<std::string> chosen = framework->run_arguments(call_.test.name);
    arguments.insert(arguments.end(), chosen.begin(), chosen.end());
    environment.assign(framework->environment.begin(), framework->environment.end());
  }
  auto launched = launch(path, arguments, call_.share->input, environment, debugger_);
  if (!launched) return launched.error();
  process_ = launched->process;
  socket_ = launched->socket;
  files_ = launched->files;
  if (!awaits_message()) return Error{call_.path + ": the program was interrupted before its main() began."};
  auto frame = receive();
  Greeting greeting;
  if (frame) {
    Reader in(*frame);
    if (in.get<MessageKind>() == MessageKind::kGreeting) in >> greeting;
  }
  if (!frame || greeting.modules.empty())
    return Error{call_.path +
                 ": the program ended before its main() could be taken over. Does it run by itself?"};
  if (greeting.version != kProtocolVersion)
    return Error{call_.path +
                 ": this program was linked with the runtime of another version of ravel. Build it again."};
  return greeting;
}

// False: it takes long, and the user does not want to wait.
bool ProgramProcess::awaits_message() const {
  const std::atomic<bool>* const interrupt = call_.share->interrupt;
  int interrupted = 0;
  while (true) {
    pollfd input{.fd = socket_, .events = POLLIN, .revents = 0};
    const int ready = poll(&input, 1, kMillisecondsPerLook);
    if (ready > 0) return true;
    if (ready == 0 && interrupt != nullptr && *interrupt && ++interrupted > kLooksWhenInterrupted)
      return false;
  }
}

bool ProgramProcess::has_message(int milliseconds) const {
  pollfd input{.fd = socket_, .events = POLLIN, .revents = 0};
  return poll(&input, 1, milliseconds) > 0;
}

bool ProgramProcess::send(const std::string& bytes) const {
  return socket_ < 0 || send_frame(socket_, bytes);
}

std::optional<std::string> ProgramProcess::receive() const { return receive_frame(socket_); }

int ProgramProcess::end() {
  if (socket_ >= 0) close(socket_);
  socket_ = -1;
  int status = 0;
  if (process_ > 0) waitpid(process_, &status, 0);
  process_ = -1;
  delete_files();
  return status;
}

void ProgramProcess::delete_files() {
  std::error_code ignored;
  if (!files_.empty()) std::filesystem::remove_all(files_, ignored);
  files_.clear();
}

}  // namespace ravel::threads
