// The process of a program under test, as far as the system knows it: it is started, gets and sends messages,
// and ends.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "threads/protocol/messages.h"
#include "threads/remote/program_call.h"

namespace ravel::threads {

class ProgramProcess {
 public:
  // `call` must outlive this object. `debugger`: the command of one that starts the program (debugger.h), or
  // nothing; it is waited for at the end.
  ProgramProcess(const ProgramCall& call, std::vector<std::string> debugger)
      : call_(call), debugger_(std::move(debugger)) {}
  ProgramProcess(const ProgramProcess&) = delete;
  ProgramProcess& operator=(const ProgramProcess&) = delete;
  ~ProgramProcess();

  // What it says of itself before its main(). REQUIRES: there is none, or it has ended.
  Result<Greeting> start();
  // Whether the process, or the debugger of it, is no more.
  bool is_gone() const { return socket_ < 0; }
  // False: it has ended, but end() was not called.
  bool send(const std::string& bytes) const;
  // Whether there is a message, or it has ended, before this time has passed.
  bool has_message(int milliseconds) const;
  // The next message; nothing: it has ended. REQUIRES: !is_gone().
  std::optional<std::string> receive() const;
  // It has ended. How, as waitpid() says it; 0: nobody knows.
  int end();

 private:
  bool awaits_message() const;
  void delete_files();

  const ProgramCall& call_;
  const std::vector<std::string> debugger_;
  int socket_ = -1;
  int process_ = -1;
  std::string files_;  // of the process: deleted after its end
};

}  // namespace ravel::threads
