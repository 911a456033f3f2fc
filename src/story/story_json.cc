#include "story/story_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "base/version.h"
#include "story/story_text.h"

namespace ravel {

namespace {

using Json = nlohmann::ordered_json;

const char* word_of(StoryActorKind kind) {
  switch (kind) {
    case StoryActorKind::kProcess: return "process";
    case StoryActorKind::kThread: return "thread";
    case StoryActorKind::kMachine: return "machine";
    case StoryActorKind::kEnvironment: break;
  }
  return "environment";
}

struct KindWord {
  TransitionKind kind;
  std::string_view word;
};
constexpr std::array kKindWords = {
    KindWord{TransitionKind::kOperation, "operation"}, KindWord{TransitionKind::kBlocks, "blocks"},
    KindWord{TransitionKind::kPasses, "time passes"},  KindWord{TransitionKind::kEarly, "timeout"},
    KindWord{TransitionKind::kFault, "fault"},
};

const char* word_of(LeadsTo leads_to) {
  switch (leads_to) {
    case LeadsTo::kPasses: return "passes";
    case LeadsTo::kThisBug: return "this bug";
    case LeadsTo::kAnotherBug: return "another bug";
    case LeadsTo::kUnknown: break;
  }
  return "";
}

// Members that say nothing are left out.
void add(Json& to, const char* name, const std::string& text) {
  if (!text.empty()) to[name] = text;
}
void add(Json& to, const char* name, std::uint64_t number) {
  if (number != 0) to[name] = number;
}
void add(Json& to, const char* name, std::optional<std::size_t> index) {
  if (index) to[name] = *index;
}
void add_flag(Json& to, const char* name, bool flag) {
  if (flag) to[name] = true;
}
template <class Value>
void add(Json& to, const char* name, const std::vector<Value>& values) {
  if (!values.empty()) to[name] = values;
}
// Each value as what `print` makes of it.
template <class Value, class Print>
void add(Json& to, const char* name, const std::vector<Value>& values, const Print& print) {
  if (values.empty()) return;
  Json& list = to[name] = Json::array();
  for (const Value& value : values) list.push_back(print(value));
}

Json print_bug(const StoryBug& bug) {
  Json json = {{"kind", bug.kind}, {"title", bug.title}, {"message", bug.message}};
  add(json, "file", bug.file);
  add(json, "line", std::uint64_t{bug.line});
  add(json, "actor", bug.actor);
  add(json, "details", bug.details);
  return json;
}

Json print_source(const StorySource& source) {
  Json json = {{"name", source.name}, {"path", source.path}};
  if (source.text) {
    json["text"] = *source.text;
  } else {
    json["gone"] = source.gone;
  }
  return json;
}

Json print_actor(const StoryActor& actor) {
  Json json = {{"name", actor.name}, {"label", actor.label}, {"kind", word_of(actor.kind)}};
  add(json, "parent", actor.parent);
  add(json, "born", actor.born);
  add(json, "ended", actor.ended);
  add(json, "end", actor.end);
  add_flag(json, "inner", actor.is_inner);
  return json;
}

Json print_message(const StoryMessage& message) {
  Json json = {{"to", message.to}};
  add(json, "text", message.text);
  add(json, "received", message.received);
  return json;
}

Json print_touch(const StoryTouch& touch) {
  Json json = {{"object", touch.object}};
  add_flag(json, "write", touch.is_write);
  return json;
}

Json print_race(const StoryRace& race) {
  Json json = Json::object();
  add(json, "with", race.with);
  add_flag(json, "decides", race.decides);
  return json;
}

Json print_choice(const StoryChoice& choice) {
  Json json = {{"actor", choice.actor}, {"kind", word_of(choice.kind)}, {"alternative", choice.alternative}};
  add(json, "text", choice.text);
  add(json, "next", choice.next);
  add(json, "leads_to", std::string(word_of(choice.leads_to)));
  return json;
}

Json print_state(const StoryState& state) {
  Json json = {{"part", state.part}};
  add(json, "actor", state.actor);
  add(json, "name", state.name);
  json["lines"] = state.lines;
  return json;
}

Json print_step(const StoryStep& step) {
  Json json = {{"actor", step.actor}, {"text", step.text}};
  add(json, "said", step.said);
  add(json, "source", step.source);
  add(json, "line", std::uint64_t{step.line});
  add(json, "extra", step.extra);
  const bool is_choice = step.kind == TransitionKind::kOperation && step.has_alternatives;
  json["kind"] = is_choice ? "choice" : word_of(step.kind);
  add(json, "alternative", std::uint64_t{step.alternative});
  add_flag(json, "cut", step.is_cut);
  add_flag(json, "inner", step.is_inner);
  if (step.switched != Switch::kNone)
    json["switch"] = step.switched == Switch::kPreemption ? "preemption" : "free";
  add_flag(json, "relevant", step.is_relevant);
  add(json, "after", step.after);
  add(json, "sends", step.sends, print_message);
  add(json, "receives", step.receives);
  add(json, "spawns", step.spawns);
  add(json, "touches", step.touches, print_touch);
  add(json, "races", step.races, print_race);
  add(json, "choices", step.choices, print_choice);
  add(json, "choices_cut", std::uint64_t{step.choices_cut});
  add(json, "state", step.state, print_state);
  return json;
}

Json print_waiting(const StoryWaiting& waiting) {
  Json json = {{"actor", waiting.actor}};
  add(json, "for", waiting.waits_for);
  add(json, "lines", waiting.lines);
  return json;
}

Json print_call(const StoryCall& call) {
  Json json = {{"first", call.first}, {"last", call.last}, {"main", call.main}};
  add(json, "callee", call.callee);
  add(json, "request", call.request);
  add(json, "reply", call.reply);
  return json;
}

Json print_execution(const StoryExecution& execution) {
  Json json = {{"outcome", execution.outcome}, {"steps", Json::array()}};
  for (const StoryStep& step : execution.steps) json["steps"].push_back(print_step(step));
  add(json, "calls", execution.calls, print_call);
  add(json, "left_out", std::uint64_t{execution.left_out});
  add(json, "loop", execution.loop);
  add(json, "waiting", execution.waiting, print_waiting);
  add(json, "output", execution.output);
  return json;
}

std::string print_all(const Story& story, const std::vector<std::string>& shortened) {
  Json json = {{"format", "ravel-story"},
               {"version", kStoryVersion},
               {"ravel", kVersion},
               {"front_end", story.front_end},
               {"test", story.test}};
  if (story.bug) json["bug"] = print_bug(*story.bug);
  add(json, "difference", story.difference);
  add(json, "replay", story.replay);
  json["preemptions"] = story.preemptions;
  add(json, "assumptions", story.assumptions);
  add(json, "shortened", shortened);
  add(json, "sources", story.sources, print_source);
  add(json, "actors", story.actors, print_actor);
  json["failing"] = print_execution(story.failing);
  if (story.passing) {
    json["passing"] = print_execution(*story.passing);
    json["passing"]["common"] = story.passing->common;
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void for_each_step(Story& story, const std::function<void(StoryStep&)>& change) {
  for (StoryStep& step : story.failing.steps) change(step);
  if (!story.passing) return;
  for (StoryStep& step : story.passing->steps) change(step);
}

// A way to make a story smaller, and what a reader is told of it.
struct Shortening {
  const char* what;
  void (*take)(Story&);
};

void cut_texts(Story& story) {
  constexpr std::size_t kShort = 100;
  for_each_step(story, [](StoryStep& step) {
    step.text = cut_characters(step.text, step.is_cut, kShort);
    for (StoryMessage& message : step.sends) message.text = cut_characters(message.text, step.is_cut, kShort);
    step.is_cut = step.is_cut || !step.extra.empty();
    step.extra.clear();
  });
}

constexpr std::array kShortenings = {
    Shortening{"the texts of the sources",
               [](Story& story) {
                 for (StorySource& source : story.sources)
                   if (source.text) {
                     source.text.reset();
                     source.gone = "left out, since the story would be too large";
                   }
               }},
    Shortening{"the state at each step",
               [](Story& story) { for_each_step(story, [](StoryStep& step) { step.state.clear(); }); }},
    Shortening{"what else could have moved",
               [](Story& story) {
                 for_each_step(story, [](StoryStep& step) {
                   step.choices_cut += step.choices.size();
                   step.choices.clear();
                 });
               }},
    Shortening{"what each step touches",
               [](Story& story) { for_each_step(story, [](StoryStep& step) { step.touches.clear(); }); }},
    Shortening{"the ends of long texts", cut_texts},
};

}  // namespace

std::string_view word_of(TransitionKind kind) {
  return std::ranges::find(kKindWords, kind, &KindWord::kind)->word;
}

std::optional<TransitionKind> kind_of(std::string_view word) {
  const auto found = std::ranges::find(kKindWords, word, &KindWord::word);
  return found == kKindWords.end() ? std::nullopt : std::optional(found->kind);
}

std::string print_story(const Story& story, std::size_t bytes_max) {
  std::string text = print_all(story, {});
  if (text.size() <= bytes_max) return text;
  Story smaller = story;
  std::vector<std::string> shortened;
  for (const Shortening& shortening : kShortenings) {
    shortening.take(smaller);
    shortened.emplace_back(shortening.what);
    text = print_all(smaller, shortened);
    if (text.size() <= bytes_max) break;
  }
  return text;
}

}  // namespace ravel
