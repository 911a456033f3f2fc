#include "ui/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ticket.h"
#include "host/files.h"
#include "report/verdict.h"
#include "story/story_json.h"
#include "story/told_execution.h"

namespace ravel {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kSearchSecondsMax = 3'600;

std::string print(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

// Each question is about one member. What is missing or wrong is noted, the first one only; then the values
// are of no use.
class Session::Request {
 public:
  explicit Request(const std::string& body) : json_(Json::parse(body, nullptr, false)) {
    if (json_.is_object()) return;
    json_ = Json::object();
    problem_ = "What was sent is no JSON object.";
  }

  // A number from 0 to `most`.
  std::uint64_t number(const char* name, std::uint64_t most) {
    const auto found = json_.find(name);
    if (found != json_.end() && found->is_number_unsigned() && found->get<std::uint64_t>() <= most)
      return found->get<std::uint64_t>();
    note(fmt::format("'{}' must be a number from 0 to {}.", name, most));
    return 0;
  }
  std::string text(const char* name) {
    const auto found = json_.find(name);
    if (found != json_.end() && found->is_string()) return found->get<std::string>();
    note(fmt::format("'{}' must be a text.", name));
    return "";
  }
  TransitionKind kind(const char* name) {
    const auto found = kind_of(text(name));
    if (!found) note(fmt::format("'{}' is no kind of steps.", name));
    return found.value_or(TransitionKind::kOperation);
  }
  ActorName actor(const char* name) {
    auto parsed = ActorName::parse(text(name));
    if (parsed) return std::move(*parsed);
    note(fmt::format("'{}' is no name of an actor.", name));
    return {};
  }

  const std::optional<std::string>& problem() const { return problem_; }

 private:
  void note(std::string problem) {
    if (!problem_) problem_ = std::move(problem);
  }

  Json json_;
  std::optional<std::string> problem_;
};

Session::Session(const FrontEnds& front_ends, const Subject& subject, WhatIf what_if, std::string folder)
    : front_ends_(front_ends), subject_(subject), what_if_(std::move(what_if)), folder_(std::move(folder)) {}

void Session::add(LocalServer& server, const char* name, Answer answer) {
  server.answer(name, [this, answer](const std::string& body) -> Result<std::string> {
    Request request(body);
    if (request.problem()) return Error{*request.problem()};
    return (this->*answer)(request);
  });
}

void Session::add_to(LocalServer& server) {
  add(server, "branches", &Session::list);
  add(server, "story", &Session::story);
  add(server, "choose", &Session::choose);
  add(server, "roll_back", &Session::roll_back);
  add(server, "vary", &Session::vary);
  add(server, "save", &Session::save);
  add(server, "search", &Session::search);
  add(server, "stop", &Session::stop_search);
}

std::size_t Session::branch_of(Request& request) const {
  return request.number("branch", what_if_.branches().size() - 1);
}

std::size_t Session::step_of(Request& request, const char* name, std::size_t branch) const {
  return request.number(name, what_if_.branches()[branch].observation->length());
}

// ---- Executions ------------------------------------------------------------------------------------------

Result<std::string> Session::list(Request&) { return branches(); }

Result<std::string> Session::story(Request& request) {
  const std::size_t branch = branch_of(request);
  if (request.problem()) return Error{*request.problem()};
  return what_if_.branches()[branch].told;
}

Result<std::string> Session::choose(Request& request) {
  const std::size_t branch = branch_of(request);
  const std::size_t step = step_of(request, "step", branch);
  const NamedStep instead = {
      .actor = request.actor("actor"),
      .alternative = static_cast<std::uint32_t>(request.number("alternative", ~std::uint32_t{0})),
      .kind = request.kind("kind")};
  if (request.problem()) return Error{*request.problem()};
  const auto added = what_if_.choose(branch, step, instead);
  return added ? Result(branches(*added)) : added.error();
}

Result<std::string> Session::roll_back(Request& request) {
  const std::size_t branch = branch_of(request);
  const std::size_t step = step_of(request, "step", branch);
  if (request.problem()) return Error{*request.problem()};
  const auto added = what_if_.roll_back(branch, step);
  return added ? Result(branches(*added)) : added.error();
}

Result<std::string> Session::vary(Request& request) {
  const std::size_t branch = branch_of(request);
  const std::size_t step = step_of(request, "step", branch), other = step_of(request, "other", branch);
  if (request.problem()) return Error{*request.problem()};
  const auto added = what_if_.vary(branch, step, other);
  return added ? Result(branches(*added)) : added.error();
}

Result<std::string> Session::save(Request& request) {
  const std::size_t branch = branch_of(request);
  if (request.problem()) return Error{*request.problem()};
  if (const Status made = make_folder(folder_); !made)
    return Error{made.error().message + " Start ravel ui with another folder, by --out."};
  const bool has_bug = what_if_.branches()[branch].observation->recording().bug.has_value();
  const std::string file = fmt::format("{}/tried.{}.{}.json", folder_, branch, has_bug ? "ticket" : "trace");
  if (const Status written = write_text_file(file, what_if_.saved_text(branch)); !written)
    return written.error();
  return print({{"file", file}, {"replay", "ravel replay " + file}});
}

std::string Session::branches(std::optional<std::size_t> added) {
  const SearchProcess::State* state = look_at_search();
  Json list = Json::array();
  for (const Branch& branch : what_if_.branches()) {
    const Recording& recording = branch.observation->recording();
    Json json = {{"steps", recording.events.size()}, {"outcome", outcome_text(recording)}};
    if (branch.parent)
      json.update({{"parent", *branch.parent}, {"common", branch.common}, {"change", branch.change}});
    if (recording.bug) json["bug"] = recording.bug->message;
    list.push_back(std::move(json));
  }
  Json json = {{"branches", std::move(list)}};
  if (added) json["added"] = *added;
  if (state == nullptr) return print(json);
  Json& search = json["search"] = {{"branch", search_->branch},       {"step", search_->step},
                                   {"strategy", search_->strategy},   {"running", state->is_running},
                                   {"executions", state->executions}, {"events", state->events},
                                   {"seconds", state->seconds}};
  if (!state->is_running && state->problem.empty()) search["verdict"] = to_string(verdict_of(state->found));
  if (!state->problem.empty()) search["problem"] = state->problem;
  if (state->found.result.refusal) search["problem"] = state->found.result.refusal->message;
  if (search_->found) search["found"] = *search_->found;
  return print(json);
}

// ---- Searches --------------------------------------------------------------------------------------------

Result<std::string> Session::search(Request& request) {
  const std::size_t branch = branch_of(request);
  const std::size_t step = step_of(request, "step", branch);
  const std::string strategy = request.text("strategy");
  const std::uint64_t seconds = request.number("seconds", kSearchSecondsMax);
  if (request.problem()) return Error{*request.problem()};
  if (const auto* state = look_at_search(); state != nullptr && state->is_running)
    return Error{"A search is running. Stop it first."};
  std::vector<std::string> arguments = {"--budget", fmt::format("{}s", seconds)};
  if (!strategy.empty()) arguments.insert(arguments.end(), {"--strategy", strategy});
  auto process = SearchProcess::start(front_ends_, subject_, what_if_.steps(branch, step), arguments);
  if (!process) return process.error();
  search_ = Search{.process = std::move(*process), .branch = branch, .step = step, .strategy = strategy};
  return branches();
}

Result<std::string> Session::stop_search(Request&) {
  if (search_) search_->process->stop();
  return branches();
}

const SearchProcess::State* Session::look_at_search() {
  if (!search_) return nullptr;
  const SearchProcess::State& state = search_->process->look();
  if (!state.is_running && !search_->is_noted) {
    search_->is_noted = true;
    note_found(state.found.result.bugs);
  }
  return &state;
}

void Session::note_found(const std::vector<NamedBug>& bugs) {
  if (bugs.empty()) return;
  const auto added = what_if_.add(search_->branch, bugs.front().schedule,
                                  "found by a search from step " + std::to_string(search_->step + 1));
  if (added) search_->found = *added;
}

}  // namespace ravel
