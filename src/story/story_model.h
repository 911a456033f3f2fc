// A story: one execution told as data, of which every view is made: text, lanes, diagrams, a page, JSON.
//
// Numbers are positions in the vectors of the story, from 0: of an actor in Story::actors, of a step in
// StoryExecution::steps, of a source in Story::sources. Texts are plain text of any bytes, cut where they are
// longer than kStoryTextMax. docs/design/story.md explains the model; story_json.h writes it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/recording.h"
#include "engine/transition.h"

namespace ravel {

// Of the JSON form. A change that older readers would misread raises it.
inline constexpr int kStoryVersion = 1;

// Characters of one text. A cut text ends in "…", and that counts.
inline constexpr std::size_t kStoryTextMax = 2'000;

struct StoryBug {
  std::string kind;  // as Bug::kind
  std::string title;
  std::string message;
  std::string file = {};  // where, or empty
  std::uint32_t line = 0;
  std::optional<std::size_t> actor = {};
  std::vector<std::string> details = {};
};

// A file of the program or of a library that steps name.
struct StorySource {
  std::string name;                      // as it is shown: without its folder, unless that is needed
  std::string path;                      // as steps name it
  std::optional<std::string> text = {};  // all of it
  std::string gone = {};                 // why there is no text
};

enum class StoryActorKind : std::uint8_t {
  kProcess,
  kThread,
  kMachine,
  kEnvironment,  // a timer, a message in transit
};

struct StoryActor {
  std::string name;   // the logical one: "P.1"
  std::string label;  // the longest that it had: "P.1 (server)"
  StoryActorKind kind = StoryActorKind::kProcess;
  std::optional<std::size_t> parent = {};  // by name
  // Of the failing execution
  std::optional<std::size_t> born = {};   // the step that made it
  std::optional<std::size_t> ended = {};  // its last step, if it is over then
  std::string end = {};                   // what that step did
  bool is_inner = false;                  // of the language's libraries, not of the program
};

struct StoryMessage {
  std::size_t to = 0;
  std::string text = {};                     // its value
  std::optional<std::size_t> received = {};  // by which step
};

// An object that a step has touched.
struct StoryTouch {
  std::string object;  // "mailbox of P.1", "life of P.1", "object 3"
  bool is_write = false;
};

// Told at the earlier one of the two steps, or at the one that happens if the other one does not.
struct StoryRace {
  std::optional<std::size_t> with = {};  // nothing: what does not happen in this execution
  bool decides = false;                  // the pair that makes the difference
};

enum class LeadsTo : std::uint8_t { kUnknown, kPasses, kThisBug, kAnotherBug };

// What else could have moved in the place of a step.
struct StoryChoice {
  std::size_t actor = 0;
  TransitionKind kind = TransitionKind::kOperation;
  std::uint32_t alternative = 0;
  std::string text = {};                 // what it does then, if that is known
  std::optional<std::size_t> next = {};  // the step with which this actor goes on in this execution
  LeadsTo leads_to = LeadsTo::kUnknown;
};

// A part of an actor's state that a step has changed. The first step gives all parts of those that are there.
struct StoryState {
  std::optional<std::size_t> actor = {};  // none: of what all share
  std::string part;                       // "mailbox", "stack", "fields", ...
  std::string name = {};                  // of a variable or field
  std::vector<std::string> lines = {};    // none: it is gone
};

struct StoryStep {
  std::size_t actor = 0;
  std::string text;
  std::string said = {};  // of a question or an answer: its text without what carries it, if that is known
  std::optional<std::size_t> source = {};
  std::uint32_t line = 0;
  std::string code = {};  // the text of that line, without indentation; not in the JSON form
  std::vector<std::string> extra = {};
  TransitionKind kind = TransitionKind::kOperation;
  bool has_alternatives = false;  // its actor had a choice
  std::uint32_t alternative = 0;
  bool is_cut = false;         // a text of this step is cut
  bool is_inner = false;       // it only looks, or is a library's own affair
  bool is_by_library = false;  // not by the program's own code, whose line this is; not in the JSON form
  Switch switched = Switch::kNone;
  bool is_relevant = true;              // the bug, a race with it, or what led to these
  std::vector<std::size_t> after = {};  // the last steps of other actors that it comes after in any case
  std::vector<StoryMessage> sends = {};
  std::optional<std::size_t> receives = {};  // the step that sent what it takes
  std::optional<std::size_t> spawns = {};    // an actor
  std::vector<StoryTouch> touches = {};
  std::vector<StoryRace> races = {};
  std::vector<StoryChoice> choices = {};
  std::size_t choices_cut = 0;  // how many more there were
  std::vector<StoryState> state = {};
};

// An actor that cannot go on by itself at the end.
struct StoryWaiting {
  std::size_t actor = 0;
  std::vector<std::size_t> waits_for = {};  // actors, where that is known
  std::vector<std::string> lines = {};
};

// Steps in a row that are told as one: a question and its answer, or one of the two with what the asking
// actor does for its sake, such as watching whom it asks.
struct StoryCall {
  std::size_t first = 0, last = 0;         // its steps
  std::size_t main = 0;                    // the one whose actor and place are those of all
  std::optional<std::size_t> callee = {};  // of a whole call: who has answered; none: a part of one
  std::string request = {}, reply = {};    // of a whole call: what was asked, and answered
};

struct StoryExecution {
  std::string outcome;  // "finished", "running", "unsupported" or the kind of the bug
  std::vector<StoryStep> steps = {};
  std::vector<StoryCall> calls = {};     // in their order; no two have a step in common
  std::size_t left_out = 0;              // steps of the execution after these
  std::optional<std::size_t> loop = {};  // of an execution without an end: where the cycle begins
  std::vector<StoryWaiting> waiting = {};
  std::size_t common = 0;  // of a passing one: how many first steps are those of the failing one
  std::string output = {};
};

struct Story {
  std::string front_end;
  std::string test;
  std::optional<StoryBug> bug = {};
  std::vector<std::string> difference = {};  // what makes the difference: sentences
  std::string replay = {};                   // the command that shows it again, or empty
  std::uint32_t preemptions = 0;
  std::vector<std::string> assumptions = {};
  std::vector<StorySource> sources = {};
  std::vector<StoryActor> actors = {};  // in the order of their appearance
  StoryExecution failing;               // or the only one there is
  std::optional<StoryExecution> passing = {};
};

}  // namespace ravel
