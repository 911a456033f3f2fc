#include "ui/live_page.h"

#include <chrono>
#include <string_view>
#include <thread>
#include <utility>

#include "base/check.h"
#include "story/make_story.h"
#include "story/story_json.h"
#include "ui/local_server.h"
#include "ui/session.h"
#include "ui/what_if.h"

namespace ravel {

namespace {

constexpr std::chrono::milliseconds kBetweenLooks{50};

// There may be some hundreds of them.
constexpr std::size_t kStoryBytesMax = 8 << 20;

void insert_after(std::string& text, std::string_view place, std::string_view what) {
  const std::size_t found = text.find(place);
  CHECK(found != std::string::npos);
  text.insert(found + place.size(), what);
}

WhatIf::Tell teller(const Subject& subject) {
  return [&subject](const Observation& observation) {
    StoryRequest request;
    ask_subject(subject, observation.length(), request);
    return print_story(make_story(observation, request), kStoryBytesMax);
  };
}

// Lets the server end when the user wants it.
class Stopper {
 public:
  Stopper(LocalServer& server, const std::atomic<bool>& interrupt)
      : thread_([&](const std::stop_token& over) {
          while (!interrupt && !over.stop_requested()) std::this_thread::sleep_for(kBetweenLooks);
          server.stop();
        }) {}

 private:
  std::jthread thread_;
};

}  // namespace

std::string live_page(std::string page, const std::string& token) {
  insert_after(page, R"(<meta name="generator" content="Ravel">)",
               R"(<meta name="ravel-token" content=")" + token + R"(">)");
  insert_after(page, "default-src 'none';", " connect-src 'self';");
  return page;
}

Status serve_live(const FrontEnds& front_ends, const Subject& subject, ToldSubject told, const LivePage& live,
                  const std::function<void(const std::string&)>& tell_address,
                  const std::atomic<bool>& interrupt) {
  LocalServer server;
  Session session(front_ends, subject,
                  WhatIf(subject, std::move(told.observation), print_story(told.story), teller(subject)),
                  live.folder);
  session.add_to(server);
  server.serve_page([page = live_page(live.page, server.token())] { return page; });
  const auto address = server.bind(live.port);
  if (!address) return address.error();
  tell_address(*address);
  const Stopper stopper(server, interrupt);
  server.run();
  return Success{};
}

}  // namespace ravel
