// A web server for one person on this machine: it listens to this machine only, answers who knows its token,
// and has no files.
//
// What is checked of every request, before anything of its body is read: the name by which the server was
// called (Host), so that no other name that leads to this machine is one; which page it comes from (Origin);
// and the token, which is in the address that the user is given, and in a header of what the page asks for.
// Whoever fails gets an answer that says nothing.

#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/result.h"

namespace ravel {

inline constexpr std::size_t kRequestBytesMax = 64 << 10;

class LocalServer {
 public:
  // Of the JSON that was sent, the JSON of the answer; or what is wrong with the request.
  using Handler = std::function<Result<std::string>(const std::string& body)>;

  LocalServer();
  ~LocalServer();

  void serve_page(std::function<std::string()> page);
  // Answers POST requests for "/api/NAME". Handlers are called one at a time.
  void answer(const std::string& name, Handler handler);

  // Port 0: any that is free. The address for the user, with the token; the error says --port.
  Result<std::string> bind(int port);
  const std::string& token() const;
  // Until stop(), which another thread or a handler of a signal calls. REQUIRES: bind() succeeded.
  void run();
  void stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ravel
