#include "mcp/session.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "base/version.h"
#include "mcp/tools.h"

namespace ravel::mcp {

namespace {

using Json = nlohmann::ordered_json;

// Versions of the protocol that differ in nothing that is used here, the newest first.
constexpr std::array<std::string_view, 3> kVersions = {"2025-06-18", "2025-03-26", "2024-11-05"};

// Of JSON-RPC.
constexpr int kParseError = -32700, kInvalidRequest = -32600, kNoMethod = -32601, kInvalidArguments = -32602;

std::string print(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

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

std::string failure(const Json& id, int code, const std::string& message) {
  return print({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}});
}

Json greeting(const Json& parameters) {
  const std::string wanted = text_in(parameters, "protocolVersion");
  const bool is_known = std::ranges::find(kVersions, wanted) != kVersions.end();
  return {{"protocolVersion", is_known ? wanted : std::string(kVersions.front())},
          {"capabilities", {{"tools", Json::object()}}},
          {"serverInfo", {{"name", "ravel"}, {"version", kVersion}}}};
}

// What a tool has failed with is for whoever called it, and no error of the protocol.
Json tool_result(const Result<std::string>& answer) {
  Json result = {{"content", {{{"type", "text"}, {"text", answer ? *answer : answer.error().message}}}},
                 {"isError", !answer.ok()}};
  if (answer) result["structuredContent"] = Json::parse(*answer, nullptr, false);
  return result;
}

}  // namespace

std::optional<std::string> Session::answer(const std::string& line) const {
  const Json request = Json::parse(line, nullptr, false);
  if (request.is_discarded()) return failure(nullptr, kParseError, "this line is no JSON");
  const std::string method = text_in(request, "method");
  const Json& id = member(request, "id");
  if (!request.is_object() || (method.empty() && !request.contains("result") && !request.contains("error")))
    return failure(nullptr, kInvalidRequest, "this is no request of JSON-RPC 2.0");
  if (id.is_null() || method.empty()) return std::nullopt;  // a notification, or a response
  const Json& parameters = member(request, "params");
  Json result;
  if (method == "initialize") {
    result = greeting(parameters);
  } else if (method == "ping") {
    result = Json::object();
  } else if (method == "tools/list") {
    result = {{"tools", Json::parse(list_tools())}};
  } else if (method == "tools/call") {
    const std::string name = text_in(parameters, "name");
    if (!is_tool(name)) return failure(id, kInvalidArguments, "there is no tool '" + name + "'");
    result = tool_result(call_tool(front_ends_, name, print(member(parameters, "arguments"))));
  } else {
    return failure(id, kNoMethod, "there is no method '" + method + "'");
  }
  return print({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

}  // namespace ravel::mcp
