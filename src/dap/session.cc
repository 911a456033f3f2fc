#include "dap/session.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "dap/debuggee.h"

namespace ravel::dap {

namespace {

using Json = nlohmann::ordered_json;

// An error of a request; editors show its text. Each kind of failure has one number in the protocol, which
// nobody looks at here.
constexpr int kErrorNumber = 1;

constexpr std::uint64_t kFramesMax = 1'000'000;  // of one answer, if the client does not say how many

const Json& member(const Json& object, std::string_view name) {
  static const Json nothing;
  if (!object.is_object()) return nothing;
  const auto found = object.find(name);
  return found == object.end() ? nothing : *found;
}

std::string text_in(const Json& object, std::string_view name) {
  const Json& value = member(object, name);
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::int64_t number_in(const Json& object, std::string_view name, std::int64_t otherwise) {
  const Json& value = member(object, name);
  return value.is_number_integer() ? value.get<std::int64_t>() : otherwise;
}

bool truth_in(const Json& object, std::string_view name, bool otherwise) {
  const Json& value = member(object, name);
  return value.is_boolean() ? value.get<bool>() : otherwise;
}

std::string print(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

const char* word_of(StopReason reason) {
  switch (reason) {
    case StopReason::kEntry: return "entry";
    case StopReason::kStep: return "step";
    case StopReason::kBreakpoint: return "breakpoint";
    case StopReason::kBug: return "exception";
    case StopReason::kEnd: return "end";
  }
  return "step";
}

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n"), end = text.find_last_not_of(" \t\r\n");
  return begin == std::string::npos ? std::string() : text.substr(begin, end - begin + 1);
}

// What [start, start + count) is of `size` things.
std::pair<std::size_t, std::size_t> range_of(std::int64_t start, std::int64_t count, std::size_t size) {
  const std::size_t begin = start < 0 ? 0 : std::min(static_cast<std::uint64_t>(start), std::uint64_t{size});
  const std::uint64_t wanted = count <= 0 ? kFramesMax : static_cast<std::uint64_t>(count);
  return {begin, begin + std::min<std::uint64_t>(wanted, size - begin)};
}

}  // namespace

class Session::Implementation {
 public:
  explicit Implementation(const FrontEnds& front_ends) : front_ends_(front_ends) {}

  std::vector<std::string> answer(const std::string& message);
  bool is_over() const { return is_over_; }

 private:
  using Body = Result<Json>;
  struct Row {
    std::string_view command;
    Body (Implementation::*run)(const Json& arguments);
    bool needs_debuggee;
  };
  static const Row* find_row(std::string_view command);

  Body initialize(const Json& arguments);
  Body launch(const Json& arguments);
  Body refuse_attach(const Json& arguments);
  Body set_breakpoints(const Json& arguments);
  Body accept(const Json&) { return Json(); }
  Body configuration_done(const Json& arguments);
  Body threads(const Json& arguments);
  Body stack_trace(const Json& arguments);
  Body scopes(const Json& arguments);
  Body variables(const Json& arguments);
  Body evaluate(const Json& arguments);
  Body go_on(const Json& arguments);
  Body go_back(const Json& arguments);
  Body step(const Json& arguments);
  Body step_in(const Json& arguments);
  Body step_back(const Json& arguments);
  Body pause(const Json& arguments);
  Body exception_info(const Json& arguments);
  Body end(const Json& arguments);

  void send(Json message);
  void send_event(std::string_view event, Json body);
  void tell(std::string_view category, std::string text);
  Body moved(const Result<Stop>& stop);
  void tell_end();
  Result<Number> thread_in(const Json& arguments);
  Json source_of(const SourcePlace& place) const;

  const FrontEnds& front_ends_;
  std::unique_ptr<Debuggee> debuggee_;
  std::vector<std::string> out_;
  // What follows the response of the request at hand.
  std::vector<std::pair<std::string, Json>> events_;
  std::int64_t sent_ = 0;
  std::int64_t first_line_ = 1;  // as the client counts
  bool stops_on_entry_ = true;
  bool has_begun_ = false, has_ended_ = false, is_over_ = false;
};

const Session::Implementation::Row* Session::Implementation::find_row(std::string_view command) {
  using I = Implementation;
  static constexpr std::array kRows = {
      Row{"initialize", &I::initialize, false},
      Row{"launch", &I::launch, false},
      Row{"attach", &I::refuse_attach, false},
      Row{"setBreakpoints", &I::set_breakpoints, true},
      Row{"setFunctionBreakpoints", &I::accept, false},
      Row{"setExceptionBreakpoints", &I::accept, false},
      Row{"configurationDone", &I::configuration_done, true},
      Row{"threads", &I::threads, true},
      Row{"stackTrace", &I::stack_trace, true},
      Row{"scopes", &I::scopes, true},
      Row{"variables", &I::variables, true},
      Row{"evaluate", &I::evaluate, true},
      Row{"continue", &I::go_on, true},
      Row{"reverseContinue", &I::go_back, true},
      Row{"next", &I::step, true},
      Row{"stepOut", &I::step, true},
      Row{"stepIn", &I::step_in, true},
      Row{"stepBack", &I::step_back, true},
      Row{"pause", &I::pause, true},
      Row{"exceptionInfo", &I::exception_info, true},
      Row{"disconnect", &I::end, false},
      Row{"terminate", &I::end, false},
  };
  const auto row = std::ranges::find(kRows, command, &Row::command);
  return row == kRows.end() ? nullptr : &*row;
}

void Session::Implementation::send(Json message) {
  Json numbered = {{"seq", ++sent_}};
  numbered.update(message);
  out_.push_back(print(numbered));
}

void Session::Implementation::send_event(std::string_view event, Json body) {
  events_.emplace_back(event, std::move(body));
}

void Session::Implementation::tell(std::string_view category, std::string text) {
  if (!text.empty()) send_event("output", {{"category", category}, {"output", std::move(text)}});
}

std::vector<std::string> Session::Implementation::answer(const std::string& message) {
  out_.clear();
  events_.clear();
  const Json request = Json::parse(message, nullptr, false);
  const std::string command = text_in(request, "command");
  if (request.is_discarded() || !request.is_object() || text_in(request, "type").empty()) {
    tell("stderr", "ravel: the client has sent a message that is no request of the Debug Adapter Protocol\n");
  } else if (text_in(request, "type") == "request") {
    const Row* const row = find_row(command);
    Body body = row == nullptr ? Body(Error{"ravel does not know the request '" + command + "'"})
                : row->needs_debuggee && debuggee_ == nullptr
                    ? Body(Error{"'" + command + "' comes too early: nothing is launched"})
                    : (this->*row->run)(member(request, "arguments"));
    Json response = {{"type", "response"},
                     {"request_seq", number_in(request, "seq", 0)},
                     {"success", body.ok()},
                     {"command", command}};
    if (!body) {
      response["message"] = body.error().message;
      response["body"] = {
          {"error", {{"id", kErrorNumber}, {"format", body.error().message}, {"showUser", true}}}};
    } else if (!body->is_null()) {
      response["body"] = std::move(*body);
    }
    send(std::move(response));
  }
  for (auto& [event, body] : std::exchange(events_, {})) {
    Json told = {{"type", "event"}, {"event", event}};
    if (!body.is_null()) told["body"] = std::move(body);
    send(std::move(told));
  }
  return std::exchange(out_, {});
}

Result<Json> Session::Implementation::initialize(const Json& arguments) {
  first_line_ = truth_in(arguments, "linesStartAt1", true) ? 1 : 0;
  return Json{{"supportsConfigurationDoneRequest", true}, {"supportsStepBack", true},
              {"supportsExceptionInfoRequest", true},     {"supportsTerminateRequest", true},
              {"supportsEvaluateForHovers", true},        {"supportsDelayedStackTraceLoading", true}};
}

Result<Json> Session::Implementation::launch(const Json& arguments) {
  if (debuggee_ != nullptr) return Error{"one execution is launched already; end this session first"};
  const std::string ticket = text_in(arguments, "ticket");
  if (ticket.empty())
    return Error{"the launch configuration needs a \"ticket\": a file that 'ravel check' has written"};
  std::vector<std::string> files;
  if (const Json& given = member(arguments, "files"); !given.is_null()) {
    const auto is_text = [](const Json& one) { return one.is_string(); };
    if (!given.is_array() || !std::ranges::all_of(given, is_text))
      return Error{"\"files\" of the launch configuration is a list of file names"};
    for (const Json& file : given) files.push_back(file.get<std::string>());
  }
  stops_on_entry_ = truth_in(arguments, "stopOnEntry", true);
  auto opened = Debuggee::open(front_ends_, ticket, files);
  if (!opened) return opened.error();
  debuggee_ = std::move(*opened);
  for (const std::string& remark : debuggee_->remarks()) tell("console", remark + "\n");
  send_event("initialized", {});
  return Json();
}

Result<Json> Session::Implementation::refuse_attach(const Json&) {
  return Error{"there is nothing to attach to: launch a ticket"};
}

Result<Json> Session::Implementation::set_breakpoints(const Json& arguments) {
  const Json& source = member(arguments, "source");
  std::string path = text_in(source, "path");
  if (path.empty()) path = text_in(source, "name");
  if (path.empty()) return Error{"'setBreakpoints' needs the path of a source"};
  std::vector<std::uint32_t> lines;
  if (const Json& wanted = member(arguments, "breakpoints"); wanted.is_array())
    for (const Json& one : wanted) {
      const std::int64_t line = number_in(one, "line", 0) + 1 - first_line_;
      const bool is_line = line > 0 && line <= std::numeric_limits<std::uint32_t>::max();
      lines.push_back(is_line ? static_cast<std::uint32_t>(line) : 0);
    }
  Json set = Json::array();
  for (const Breakpoint& breakpoint : debuggee_->set_breakpoints(path, lines)) {
    Json one = {{"verified", breakpoint.is_met}, {"line", breakpoint.line + first_line_ - 1}};
    if (!breakpoint.is_met) one["message"] = "no step of this execution is at this line";
    set.push_back(std::move(one));
  }
  return Json{{"breakpoints", std::move(set)}};
}

Result<Json> Session::Implementation::configuration_done(const Json&) {
  if (has_begun_) return Error{"the execution has begun already"};
  has_begun_ = true;
  Result<Stop> stop = debuggee_->begin();
  if (stop && !stops_on_entry_) stop = debuggee_->go_on();
  return moved(stop);
}

// A move ends at once, so its response and the event that it has ended come together.
Result<Json> Session::Implementation::moved(const Result<Stop>& stop) {
  if (!stop) return stop.error();
  tell("stdout", debuggee_->take_output());
  Json body = {{"reason", word_of(stop->reason)}, {"threadId", stop->thread}, {"allThreadsStopped", true}};
  if (!stop->text.empty()) {
    body["text"] = stop->text;
    body["description"] = stop->reason == StopReason::kBug ? "Bug: " + debuggee_->bug()->kind : "The end";
  }
  send_event("stopped", std::move(body));
  return Json();
}

void Session::Implementation::tell_end() {
  if (std::exchange(has_ended_, true)) return;
  send_event("exited", {{"exitCode", debuggee_ != nullptr && debuggee_->bug() ? 1 : 0}});
  send_event("terminated", {});
}

Result<Json> Session::Implementation::threads(const Json&) {
  Json all = Json::array();
  for (const ThreadName& thread : debuggee_->threads())
    all.push_back({{"id", thread.id}, {"name", thread.name}});
  return Json{{"threads", std::move(all)}};
}

Json Session::Implementation::source_of(const SourcePlace& place) const {
  Json source = {{"name", place.name}};
  if (!place.path.empty()) source["path"] = place.path;
  return source;
}

Result<Json> Session::Implementation::stack_trace(const Json& arguments) {
  const auto frames = debuggee_->stack(number_in(arguments, "threadId", 0));
  if (!frames) return Error{"there is no such thread now"};
  const auto [begin, end] =
      range_of(number_in(arguments, "startFrame", 0), number_in(arguments, "levels", 0), frames->size());
  Json told = Json::array();
  for (std::size_t i = begin; i < end; ++i) {
    const StackFrame& frame = (*frames)[i];
    Json one = {{"id", frame.id}, {"name", frame.name}, {"line", 0}, {"column", 0}};
    if (frame.place.line > 0) {
      one["source"] = source_of(frame.place);
      one["line"] = frame.place.line + first_line_ - 1;
      one["column"] = 1;
    }
    told.push_back(std::move(one));
  }
  return Json{{"stackFrames", std::move(told)}, {"totalFrames", frames->size()}};
}

Result<Json> Session::Implementation::scopes(const Json& arguments) {
  const auto scopes = debuggee_->scopes(number_in(arguments, "frameId", 0));
  if (!scopes) return Error{"there is no such stack frame now"};
  Json told = Json::array();
  for (const Scope& scope : *scopes)
    told.push_back({{"name", scope.name},
                    {"variablesReference", scope.reference},
                    {"namedVariables", scope.size},
                    {"expensive", false}});
  return Json{{"scopes", std::move(told)}};
}

Result<Json> Session::Implementation::variables(const Json& arguments) {
  const auto variables = debuggee_->variables(number_in(arguments, "variablesReference", 0));
  if (!variables) return Error{"there are no such variables now"};
  const auto [begin, end] =
      range_of(number_in(arguments, "start", 0), number_in(arguments, "count", 0), variables->size());
  Json told = Json::array();
  for (std::size_t i = begin; i < end; ++i)
    told.push_back(
        {{"name", (*variables)[i].name}, {"value", (*variables)[i].value}, {"variablesReference", 0}});
  return Json{{"variables", std::move(told)}};
}

Result<Json> Session::Implementation::evaluate(const Json& arguments) {
  const std::string name = trimmed(text_in(arguments, "expression"));
  const auto value = debuggee_->value_of(name, number_in(arguments, "frameId", 0));
  if (!value)
    return Error{"nothing here is called '" + name.substr(0, 100) +
                 "'; names of variables have values, expressions are not evaluated"};
  return Json{{"result", *value}, {"variablesReference", 0}};
}

Result<Json> Session::Implementation::go_on(const Json&) {
  if (debuggee_->is_at_end()) {
    tell_end();
  } else if (auto body = moved(debuggee_->go_on()); !body) {
    return body;
  }
  return Json{{"allThreadsContinued", true}};
}

Result<Json> Session::Implementation::go_back(const Json&) { return moved(debuggee_->go_back()); }
Result<Json> Session::Implementation::step(const Json& arguments) {
  const auto thread = thread_in(arguments);
  return thread ? moved(debuggee_->step(*thread)) : Body(thread.error());
}
Result<Json> Session::Implementation::step_in(const Json&) { return moved(debuggee_->step_any()); }
Result<Json> Session::Implementation::step_back(const Json& arguments) {
  const auto thread = thread_in(arguments);
  return thread ? moved(debuggee_->step_back(*thread)) : Body(thread.error());
}

Result<Number> Session::Implementation::thread_in(const Json& arguments) {
  const Number wanted = number_in(arguments, "threadId", 0);
  const std::vector<ThreadName> known = debuggee_->threads();
  if (std::ranges::find(known, wanted, &ThreadName::id) == known.end())
    return Error{"there is no such thread now"};
  return wanted;
}

Result<Json> Session::Implementation::pause(const Json&) {
  const Stop stop = debuggee_->stop_here(StopReason::kStep);
  send_event("stopped", {{"reason", "pause"}, {"threadId", stop.thread}, {"allThreadsStopped", true}});
  return Json();
}

Result<Json> Session::Implementation::exception_info(const Json&) {
  const std::optional<Bug>& bug = debuggee_->bug();
  if (!bug || !debuggee_->is_at_end()) return Error{"there is no bug here"};
  std::string details;
  for (const std::string& line : bug->details) details += (details.empty() ? "" : "\n") + line;
  return Json{{"exceptionId", bug->kind},
              {"description", bug->message},
              {"breakMode", "always"},
              {"details", {{"message", bug->message}, {"typeName", bug->kind}, {"stackTrace", details}}}};
}

Result<Json> Session::Implementation::end(const Json&) {
  tell_end();
  is_over_ = true;
  return Json();
}

Session::Session(const FrontEnds& front_ends)
    : implementation_(std::make_unique<Implementation>(front_ends)) {}
Session::~Session() = default;
std::vector<std::string> Session::answer(const std::string& message) {
  return implementation_->answer(message);
}
bool Session::is_over() const { return implementation_->is_over(); }

}  // namespace ravel::dap
