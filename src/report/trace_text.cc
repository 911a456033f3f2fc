#include "report/trace_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace ravel {

namespace {

// Longer entries stick out.
constexpr std::size_t kColumnsMax = 70;

std::string text_of(const TraceAction& action) {
  switch (action.kind) {
    case TraceAction::Kind::kSpawn: return "spawns " + action.actor.to_string();
    case TraceAction::Kind::kSend:
      return fmt::format("sends {} = {} to {}", action.message.to_string(), action.text,
                         action.actor.to_string());
    case TraceAction::Kind::kReceive:
      return "receives " + action.message.to_string() + (action.text.empty() ? "" : ", under " + action.text);
    case TraceAction::Kind::kExpire: return "goes on without a message, under " + action.text;
  }
  return {};
}

std::string text_of(const TraceEvent& event) {
  std::string text = event.kind == TransitionKind::kFault ? event.operation : "";
  for (const TraceAction& action : event.actions) text += (text.empty() ? "" : "; ") + text_of(action);
  if (text.empty()) text = event.operation;
  std::string others;
  for (const EventRef& other : event.after) others += (others.empty() ? "" : ", ") + other.to_string();
  return others.empty() ? text : text + " (after " + others + ")";
}

}  // namespace

std::string describe_trace(const Trace& trace, Colour colour) {
  std::string text;
  for (const ActorTrace& actor : trace.actors) {
    if (!text.empty()) text += "\n";
    text += "  " + paint(actor.actor.to_string(), Ink::kBold, colour) + "\n";
    const std::size_t number_columns = std::to_string(actor.events.size()).size();
    std::size_t columns = 0;
    for (const TraceEvent& event : actor.events)
      columns = std::max(columns, std::min(kColumnsMax, width(text_of(event))));
    for (std::size_t i = 0; i < actor.events.size(); ++i) {
      const TraceEvent& event = actor.events[i];
      const std::string where =
          place(std::string_view(event.file).substr(event.file.rfind('/') + 1), event.line);
      std::string line =
          fmt::format("    {:>{}}  {}", i + 1, number_columns, padded(text_of(event), columns));
      if (!where.empty()) line += "  " + paint(where, Ink::kDim, colour);
      while (line.ends_with(' ')) line.pop_back();
      text += line + "\n";
    }
  }
  return text;
}

}  // namespace ravel
