#include "ui/local_server.h"

#include <fmt/format.h>
#include <httplib.h>
#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <array>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/check.h"

namespace ravel {

namespace {

constexpr const char kHere[] = "127.0.0.1";
constexpr const char kTokenHeader[] = "X-Ravel-Token";
constexpr const char kJson[] = "application/json";
constexpr int kSecondsToWait = 5;
constexpr std::size_t kThreads = 4;

// The page has its script and style in it, and asks nobody but this server.
constexpr const char kPolicy[] =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

std::string make_token() {
  std::array<unsigned char, 24> bytes;
  CHECK(RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) == 1);
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

// Takes as long for a token that is wrong in its first letter as for one that is wrong in its last.
bool is_same(const std::string& one, const std::string& other) {
  return one.size() == other.size() && CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

std::string error_json(const std::string& message) {
  return nlohmann::json({{"error", message}}).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

struct LocalServer::State {
  httplib::Server server;
  std::string token = make_token();
  std::string host, local_name;  // by which it may be called
  std::mutex handlers;           // one at a time

  bool is_called_right(const httplib::Request& request) const {
    const std::string called = request.get_header_value("Host");
    if (request.get_header_value_count("Host") != 1 || (called != host && called != local_name)) return false;
    const std::string origin = request.get_header_value("Origin");
    return !request.has_header("Origin") || origin == "http://" + called;
  }
  bool knows_token(const httplib::Request& request) const {
    if (request.method == "GET") return is_same(request.get_param_value("token"), token);
    return is_same(request.get_header_value(kTokenHeader), token);
  }
};

LocalServer::LocalServer() : state_(std::make_unique<State>()) {
  httplib::Server& server = state_->server;
  server.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
  // By default another program could listen at the same port.
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  });
  server.set_payload_max_length(kRequestBytesMax);
  server.set_read_timeout(kSecondsToWait);
  server.set_write_timeout(kSecondsToWait);
  server.set_keep_alive_max_count(1'000);
  server.set_default_headers({{"Content-Security-Policy", kPolicy},
                              {"X-Content-Type-Options", "nosniff"},
                              {"Referrer-Policy", "no-referrer"},
                              {"Cache-Control", "no-store"}});
  server.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
    const bool is_known = request.method == "GET" || request.method == "POST";
    if (is_known && state_->is_called_right(request) && state_->knows_token(request))
      return httplib::Server::HandlerResponse::Unhandled;
    response.status = 403;
    response.set_content("Forbidden\n", "text/plain");
    return httplib::Server::HandlerResponse::Handled;
  });
  server.set_exception_handler([](const httplib::Request&, httplib::Response& response, std::exception_ptr) {
    response.status = 500;
    response.set_content(error_json("The request could not be answered."), kJson);
  });
}

LocalServer::~LocalServer() = default;

void LocalServer::serve_page(std::function<std::string()> page) {
  state_->server.Get("/",
                     [this, page = std::move(page)](const httplib::Request&, httplib::Response& response) {
                       const std::lock_guard lock(state_->handlers);
                       response.set_content(page(), "text/html; charset=utf-8");
                     });
}

void LocalServer::answer(const std::string& name, Handler handler) {
  state_->server.Post("/api/" + name, [this, handler = std::move(handler)](const httplib::Request& request,
                                                                           httplib::Response& response) {
    // A form of another page can send no such type.
    if (request.get_header_value("Content-Type") != kJson) {
      response.status = 415;
      response.set_content(error_json("What is sent must be JSON."), kJson);
      return;
    }
    const std::lock_guard lock(state_->handlers);
    const auto answered = handler(request.body);
    if (!answered) response.status = 400;
    response.set_content(answered ? *answered : error_json(answered.error().message), kJson);
  });
}

Result<std::string> LocalServer::bind(int port) {
  httplib::Server& server = state_->server;
  if (port == 0) {
    port = server.bind_to_any_port(kHere);
    if (port <= 0) return Error{"No port of this machine is free."};
  } else if (!server.bind_to_port(kHere, port)) {
    return Error{
        fmt::format("--port {}: it is taken, or not for you. Leave it out to get one that is free.", port)};
  }
  state_->host = fmt::format("{}:{}", kHere, port);
  state_->local_name = fmt::format("localhost:{}", port);
  return fmt::format("http://{}/?token={}", state_->host, state_->token);
}

const std::string& LocalServer::token() const { return state_->token; }

void LocalServer::run() { state_->server.listen_after_bind(); }

void LocalServer::stop() { state_->server.stop(); }

}  // namespace ravel
