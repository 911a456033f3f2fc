#include "report/race_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace ravel {

namespace {

std::string place_of(const EventDescription& event) {
  return place(std::string_view(event.file).substr(event.file.rfind('/') + 1), event.line);
}

// "  figure_1.erl:20  receive", or nothing.
std::string source_of(const EventDescription& event, Colour colour) {
  std::string text = place_of(event);
  if (text.empty()) return {};
  if (!event.source.empty()) text += "  " + event.source;
  return "  " + paint(text, Ink::kDim, colour);
}

std::string in_brackets(const EventDescription& event) {
  const std::string where = place_of(event);
  return where.empty() ? "" : " (" + where + ")";
}

std::string who(const EventRef& ref, const EventDescription& event) {
  return event.actor.empty() ? ref.actor.to_string() : event.actor;
}

}  // namespace

std::string describe_races(std::span<const RaceDescription> races, Colour colour) {
  if (races.empty()) return "There is no race: nothing in this execution could have happened otherwise.\n";
  return counted(races.size(), "thing") + " could have happened otherwise:\n\n" +
         describe_variants(races, 1, colour);
}

std::string describe_variants(std::span<const RaceDescription> races, std::size_t first, Colour colour) {
  std::string text;
  const RaceDescription* before = nullptr;
  for (std::size_t i = 0; i < races.size(); ++i) {
    const RaceDescription& race = races[i];
    const bool is_order = race.kind == RaceKind::kOrder;
    if (before == nullptr || before->event != race.event || (before->kind == RaceKind::kOrder) != is_order) {
      text += text.empty() ? "" : "\n";
      text += fmt::format("  {}  {}{}\n", paint(race.event.to_string(), Ink::kBold, colour), race.did.text,
                          source_of(race.did, colour));
      if (!is_order && !race.did.constraint.empty())
        text += fmt::format("    under {}\n", race.did.constraint);
    }
    before = &race;
    text += fmt::format("    variant {}: ", first + i);
    switch (race.kind) {
      case RaceKind::kMessage:
        text += fmt::format("it takes {} = {} of {}{}\n", race.message.to_string(), race.value,
                            who(race.other, race.other_did), source_of(race.other_did, colour));
        break;
      case RaceKind::kExpiry: text += "it goes on without a message\n"; break;
      case RaceKind::kChoice: text += fmt::format("it {} instead\n", race.other_did.text); break;
      case RaceKind::kOrder:
        text +=
            fmt::format("{} comes first: {} {}{}\n", race.other.to_string(), who(race.other, race.other_did),
                        race.other_did.text, source_of(race.other_did, colour));
        if (race.did.is_plain_access || race.other_did.is_plain_access)
          text += "      a data race: nothing but this order orders the two accesses\n";
        break;
    }
  }
  return text;
}

std::string describe_orphans(std::span<const OrphanDescription> orphans, Colour colour) {
  if (orphans.empty()) return {};
  std::string text = counted(orphans.size(), "message is", "messages are") + " never received:\n";
  for (const OrphanDescription& orphan : orphans)
    text += fmt::format("  {}{} from {} to {}{}\n", orphan.message.to_string(),
                        orphan.value.empty() ? "" : " = " + orphan.value, orphan.message.sender.to_string(),
                        orphan.receiver.to_string(), source_of(orphan.sent, colour));
  return text;
}

std::string describe_unreceived(const SearchResult& result, const std::optional<OrphanDescription>& first,
                                Colour colour) {
  if (!result.unreceived || !first) return {};
  const UnreceivedMessagesOf<NamedStep>& found = *result.unreceived;
  const std::string many =
      counted(found.messages, found.is_complete ? "message is never received" : "message was not received",
              found.is_complete ? "messages are never received" : "messages were not received");
  std::string text = fmt::format("Warning: {} in {} of {}{}", many, grouped(found.executions),
                                 counted(result.counts.executions, "execution"),
                                 found.is_complete ? "" : ", before it was cut off");
  text += fmt::format("; the first, {}, from {} to {}: {}{}", first->message.to_string(),
                      first->message.sender.to_string(), first->receiver.to_string(), first->sent.text,
                      in_brackets(first->sent));
  return paint(text + ".", Ink::kYellow, colour) + "\n";
}

std::string describe_explanation(const Explanation& explanation, Colour colour) {
  const std::string title = "\n  " + paint("What makes the difference:", Ink::kBold, colour);
  if (explanation.changes.empty()) {
    if (explanation.tried == 0 && !explanation.is_complete)
      return title + " not found; no other execution was met among those that were tried.\n";
    if (explanation.tried == 0 && explanation.has_faults)
      return title + " what befalls the program; no race decides about this bug.\n";
    if (explanation.tried == 0)
      return title + " nothing else could have happened; no race decides about this bug.\n";
    if (explanation.is_complete)
      return title + fmt::format(" {}; {} to which its races lead fails as well.\n",
                                 explanation.has_faults ? "what befalls the program, and no race" : "no race",
                                 explanation.tried == 1
                                     ? "the other execution"
                                     : fmt::format("each of the {} other executions", explanation.tried));
    return title +
           fmt::format(" not found; none of the {} nearest other executions that were tried passes.\n",
                       explanation.tried);
  }
  std::string text = title + "\n";
  for (std::size_t i = 0; i < explanation.changes.size(); ++i) {
    const RaceDescription& race = explanation.changes[i];
    const std::string actor = who(race.event, race.did);
    text +=
        fmt::format("    {}{} {}{}", i == 0 ? "" : "and then ", actor, race.did.text, in_brackets(race.did));
    switch (race.kind) {
      case RaceKind::kMessage:
        text += fmt::format(";\n    when it takes {} of {}{} instead", race.value,
                            who(race.other, race.other_did), in_brackets(race.other_did));
        break;
      case RaceKind::kExpiry: text += ";\n    when it goes on without a message"; break;
      case RaceKind::kChoice: text += fmt::format(";\n    when it {} instead", race.other_did.text); break;
      case RaceKind::kOrder:
        text += fmt::format(",\n    before {} {}{};\n    in the other order", who(race.other, race.other_did),
                            race.other_did.text, in_brackets(race.other_did));
        break;
    }
    text += i + 1 < explanation.changes.size() ? ",\n" : ", the test passes.\n";
  }
  return text;
}

}  // namespace ravel
