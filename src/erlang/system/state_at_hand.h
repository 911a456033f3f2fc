// The state that was numbered or asked for last, where parts of states have numbers (state_numbers.h,
// states_in_parts.h): its words, as Freezer::save() has them, of which images may be missing; and the three
// parts of each image.
//
// What is no image is a state's frame: how many words there are, the words in front of the images, and who
// there is. It seldom changes.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "erlang/machine/process_image.h"
#include "erlang/system/image_nodes.h"
#include "erlang/system/known_steps.h"
#include "erlang/term/term.h"
#include "states/state_table.h"

namespace ravel::erlang {

// Which words of a state are images; a last one without a pid in front of it is none.
constexpr bool is_image(std::size_t place) {
  return place > kWordsBeforeImages && (place - kWordsBeforeImages) % 2 == 1;
}
constexpr std::size_t image_count(std::size_t words) { return (words - kWordsBeforeImages) / 2; }

class StateAtHand {
 public:
  using Node = StateTable::Node;

  // The table's leaves are stored terms; it must outlive this object.
  explicit StateAtHand(StateTable& table) : table_(table) {}

  // Who is told from now on what changes.
  void tell(KnownSteps& known) { known_ = &known; }

  KnownSteps::State state() const { return {.words = words_, .parts = parts_}; }
  const std::vector<Term>& words() const { return words_; }
  std::vector<Term>& words() { return words_; }  // roots of the store
  std::span<const Node> parts() const { return parts_; }
  std::span<const Node> parts_of(std::size_t image) const {
    return std::span(parts_).subspan(image * kPartsOfImage, kPartsOfImage);
  }
  std::size_t images() const { return parts_.size() / kPartsOfImage; }

  bool has_frame(std::span<const Term> words) const;
  // Another state, of whose images nothing is known: with the frame of these words; or with this one, of a
  // state of so many words.
  void begin(std::span<const Term> words);
  void begin(Node frame, std::size_t count);
  // True if it was another one.
  bool change_part(std::size_t part, Node node) {
    if (parts_[part] == node) return false;
    parts_[part] = node;
    words_[word_of_image(part / kPartsOfImage)] = Term::none();
    if (known_ != nullptr) known_->note_change(part / kPartsOfImage);
    return true;
  }
  // The images of a state with this frame. Calls changed(part) for each part that was another one.
  template <class Changed>
  void change_images(std::span<const Term> words, Changed changed) {
    for (std::size_t image = 0; image < images(); ++image) {
      const Term word = words[word_of_image(image)];
      if (word == words_[word_of_image(image)]) continue;
      const std::array<Node, kPartsOfImage> nodes = nodes_of_image(table_, word);
      for (std::size_t i = 0; i < kPartsOfImage; ++i)
        if (change_part(image * kPartsOfImage + i, nodes[i])) changed(image * kPartsOfImage + i);
      words_[word_of_image(image)] = word;
    }
  }
  // Those that are missing are what make(parts) says.
  template <class Make>
  void complete_images(Make make) {
    for (std::size_t image = 0; image < images(); ++image)
      if (Term& word = words_[word_of_image(image)]; word.is_none()) word = make(parts_of(image));
  }
  // No state is.
  void forget() {
    words_.clear();
    parts_.clear();
  }

 private:
  void begin_parts();

  StateTable& table_;
  KnownSteps* known_ = nullptr;
  std::vector<Term> words_;
  std::vector<Node> parts_;
};

// A frame as a node of the table, and the words that have this frame, without their images.
StateTable::Node node_of_frame(StateTable& table, std::span<const Term> words);
void words_of_frame(const StateTable& table, StateTable::Node frame, std::size_t count,
                    std::vector<Term>& words);

}  // namespace ravel::erlang
