#include "story/mermaid.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "story/story_text.h"

namespace ravel {

namespace {

// Texts of a diagram are short.
constexpr std::size_t kTextMax = 80, kNameMax = 40;

// What the syntax gives a meaning is written as an entity: a number between # and ;.
std::string escaped(std::string_view text) {
  constexpr std::string_view kPlain = " _.,:-()[]'!?/*=+&@^~$`\\|";
  std::string escaped;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = byte >= 0x80 || (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
                          (byte >= 'a' && byte <= 'z') || kPlain.find(c) != std::string_view::npos;
    if (is_plain) {
      escaped += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      escaped += ' ';
    } else {
      escaped += fmt::format("#{};", byte);
    }
  }
  return escaped;
}

class Diagram {
 public:
  Diagram(const Story& story, Folding folding)
      : story_(story), steps_(story.failing.steps), rows_(rows_of(story.failing, folding)) {}

  std::string print() {
    text_ = "sequenceDiagram\n";
    std::vector<bool> is_told(story_.actors.size(), false);
    for (const StoryRow& row : rows_) {
      if (row.is_fold()) continue;
      const StoryStep& step = steps_[main_step(story_.failing, row)];
      is_told[step.actor] = true;
      for (const StoryMessage& message : step.sends)
        if (message.received) is_told[message.to] = true;
    }
    for (std::size_t actor = 0; actor < is_told.size(); ++actor) {
      if (!is_told[actor]) continue;
      told_.push_back(actor);
      text_ += fmt::format("  participant a{} as {}\n", actor,
                           escaped(cut_characters(story_.actors[actor].label, kNameMax)));
    }
    if (told_.empty()) return text_ + "  participant nobody\n";
    for (const StoryRow& row : rows_) tell(row);
    if (is_in_loop_) text_ += "  end\n";
    if (story_.bug) note_over_all(story_.bug->title);
    return std::move(text_);
  }

 private:
  void tell(const StoryRow& row) {
    if (story_.failing.loop == row.first) {
      text_ += "  loop again and again\n";
      is_in_loop_ = true;
    }
    const std::string preemption = describe_preemption(story_, story_.failing, row.first);
    if (!preemption.empty()) note_over_all(preemption);
    if (row.is_fold()) return note_over_all("... " + describe_fold(story_, story_.failing, row) + " ...");
    const std::size_t index = main_step(story_.failing, row);
    if (!row.call || !story_.failing.calls[*row.call].callee) return tell(index);
    const StoryCall& call = story_.failing.calls[*row.call];
    const std::size_t caller = steps_[index].actor;
    text_ += fmt::format("  a{}->>a{}: {}. {}\n", caller, *call.callee, index + 1,
                         escaped(cut_characters(call.request, kTextMax)));
    text_ += fmt::format("  a{}-->>a{}: {}\n", *call.callee, caller,
                         escaped(cut_characters(call.reply, kTextMax)));
  }

  void tell(std::size_t index) {
    const StoryStep& step = steps_[index];
    bool is_arrow = false;
    for (const StoryMessage& message : step.sends) {
      if (!message.received) continue;
      const std::string text = message.text.empty() ? step.text : message.text;
      text_ += fmt::format("  a{}-)a{}: {}. {}\n", step.actor, message.to, index + 1,
                           escaped(cut_characters(text, kTextMax)));
      is_arrow = true;
    }
    if (is_arrow && step.sends.size() == 1) return;
    text_ += fmt::format("  Note over a{}: {}. {}\n", step.actor, index + 1,
                         escaped(cut_characters(step.text, kTextMax)));
  }

  void note_over_all(const std::string& text) {
    const std::string over = told_.size() == 1 ? fmt::format("a{}", told_[0])
                                               : fmt::format("a{},a{}", told_.front(), told_.back());
    text_ += fmt::format("  Note over {}: {}\n", over, escaped(cut_characters(text, kTextMax)));
  }

  const Story& story_;
  const std::vector<StoryStep>& steps_;
  const std::vector<StoryRow> rows_;
  std::vector<std::size_t> told_;
  bool is_in_loop_ = false;
  std::string text_;
};

}  // namespace

std::string print_mermaid(const Story& story, Folding folding) { return Diagram(story, folding).print(); }

}  // namespace ravel
