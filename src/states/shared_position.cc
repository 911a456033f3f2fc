#include "states/shared_position.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/check.h"
#include "engine/position.h"

namespace ravel {

namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};

// In the place of the index of a step: the state counts as visited no more.
constexpr std::uint32_t kGivenBack = kNone - 1;

// What a position of one process begins with is the number of its states, which is never this one.
constexpr std::uint64_t kNoNumberOfStates = 0;

// The states of all visitors, each under a number of its own: those that came with pieces as well.
class TreeReader {
 public:
  // Nothing: the position is damaged.
  std::optional<StateTree> read(std::string_view position) {
    if (!read_visitors(position) || !settle_pieces() || !read_rest()) return std::nullopt;
    return tree();
  }

 private:
  struct Visitor {
    std::uint32_t base = 0, states = 0;  // its states have the numbers from `base` on
    std::string_view found, open, looks;
  };
  // A state that came with a piece stands for one of the visitor that has given it.
  struct State {
    std::uint32_t parent = kNone, index = kNone;
    std::uint32_t stands_for = kNone;

    bool is_own() const { return stands_for == kNone && index != kGivenBack; }
    bool is_given_back() const { return index == kGivenBack; }
  };

  // Nothing: there is no such state.
  std::optional<std::uint32_t> number_of(std::uint64_t visitor, std::uint64_t state) const {
    if (visitor >= visitors_.size() || state >= visitors_[visitor].states) return std::nullopt;
    return visitors_[visitor].base + static_cast<std::uint32_t>(state);
  }
  bool read_visitors(std::string_view position);
  bool read_found(const Visitor& visitor);
  bool read_piece(std::string_view bytes, const Visitor& visitor, std::uint32_t& state);
  bool settle_pieces();
  bool read_open(const Visitor& visitor);
  bool read_looks(const Visitor& visitor);
  bool read_waiting();
  bool read_rest();
  bool open(std::optional<std::uint32_t> number, std::uint32_t first, std::uint64_t rank);
  std::optional<StateTree> tree() const;

  std::vector<Visitor> visitors_;
  std::vector<std::string_view> waiting_;
  std::vector<State> states_;
  std::vector<bool> is_open_;
  std::vector<StateTree::Open> open_;
  std::vector<StateTree::Look> looks_;
  std::uint32_t stratum_ = 0;
  std::uint64_t base_ = 0;
};

bool TreeReader::read_visitors(std::string_view position) {
  PositionReader reader(position);
  if (reader.get() != kNoNumberOfStates) return false;
  stratum_ = reader.get32();
  base_ = reader.get();
  std::uint64_t states = 0;
  reader.get_all([&] {
    Visitor& visitor = visitors_.emplace_back();
    visitor.base = static_cast<std::uint32_t>(states);
    visitor.states = reader.get32();
    visitor.found = reader.get_position();
    visitor.open = reader.get_position();
    visitor.looks = reader.get_position();
    states += visitor.states;
  });
  reader.get_all([&] { waiting_.push_back(reader.get_position()); });
  // Each state takes a byte or more.
  if (!reader.is_complete() || states == 0 || states >= kNone || states > position.size()) return false;
  states_.resize(states);
  is_open_.resize(states);
  return std::ranges::all_of(visitors_, [this](const Visitor& visitor) { return read_found(visitor); });
}

bool TreeReader::read_found(const Visitor& visitor) {
  PositionReader reader(visitor.found);
  std::uint32_t state = 0;
  while (state < visitor.states) {
    if (reader.is_complete() || reader.is_damaged()) return false;
    const std::uint64_t how = reader.get();
    if (how == StateNotesWriter::kOfPiece) {
      if (!read_piece(reader.get_position(), visitor, state)) return false;
      continue;
    }
    State& one = states_[visitor.base + state];
    if (how == StateNotesWriter::kGivenBack) one.index = kGivenBack;
    if (how > StateNotesWriter::kNotByDistance) {
      const std::uint64_t distance = how - StateNotesWriter::kNotByDistance;
      if (distance > state) return false;
      one.parent = visitor.base + state - static_cast<std::uint32_t>(distance);
      one.index = reader.get32();
      if (one.index >= kGivenBack) return false;
    }
    ++state;
  }
  return reader.is_complete();
}

bool TreeReader::read_piece(std::string_view bytes, const Visitor& visitor, std::uint32_t& state) {
  PositionReader reader(bytes);
  const std::uint64_t giver = reader.get();
  std::uint64_t number = 0;
  while (!reader.is_complete()) {
    number += reader.get();
    const auto stands_for = number_of(giver, number);
    if (reader.is_damaged() || !stands_for || state == visitor.states) return false;
    states_[visitor.base + state++].stands_for = *stands_for;
  }
  return true;
}

// What a state of a piece stands for came with a piece itself, perhaps.
bool TreeReader::settle_pieces() {
  for (std::uint32_t number = 0; number < states_.size(); ++number) {
    std::uint32_t own = number;
    for (std::size_t steps = 0; states_[own].stands_for != kNone; ++steps) {
      if (steps > states_.size()) return false;
      own = states_[own].stands_for;
    }
    for (std::uint32_t one = number; one != own;) one = std::exchange(states_[one].stands_for, own);
  }
  for (State& state : states_)
    if (state.parent != kNone && states_[state.parent].stands_for != kNone)
      state.parent = states_[state.parent].stands_for;
  return true;
}

bool TreeReader::read_rest() {
  return std::ranges::all_of(
             visitors_,
             [this](const Visitor& visitor) { return read_open(visitor) && read_looks(visitor); }) &&
         read_waiting();
}

// Nobody else goes on from there.
bool TreeReader::open(std::optional<std::uint32_t> number, std::uint32_t first, std::uint64_t rank) {
  if (!number) return false;
  if (states_[*number].stands_for != kNone) number = states_[*number].stands_for;
  if (states_[*number].is_given_back() || is_open_[*number]) return false;
  is_open_[*number] = true;
  open_.push_back({.state = *number, .first = first, .rank = rank});
  return true;
}

bool TreeReader::read_open(const Visitor& visitor) {
  const auto visitor_number = static_cast<std::uint64_t>(&visitor - visitors_.data());
  if (visitor.states == 0 && visitor.open.empty()) return true;  // it has not told anything
  PositionReader reader(visitor.open);
  bool is_right = true;
  std::uint64_t state = 0;
  reader.get_all([&] {
    state += reader.get();
    const std::uint64_t end = state + reader.get();
    is_right = is_right && end <= visitor.states;
    for (; is_right && state < end; ++state) is_right = open(number_of(visitor_number, state), 0, 0);
  });
  reader.get_all([&] {
    const auto partly = number_of(visitor_number, reader.get());
    const std::uint32_t first = reader.get32();
    is_right = is_right && open(partly, first, reader.get());
  });
  return is_right && reader.is_complete();
}

bool TreeReader::read_looks(const Visitor& visitor) {
  PositionReader reader(visitor.looks);
  while (!reader.is_complete()) {
    const std::uint64_t state = reader.get();
    if (reader.is_damaged() || state >= visitor.states) return false;
    std::uint32_t number = visitor.base + static_cast<std::uint32_t>(state);
    if (states_[number].stands_for != kNone) number = states_[number].stands_for;
    const std::uint32_t index = reader.get32();
    if (reader.is_damaged()) return false;
    if (!states_[number].is_given_back()) looks_.push_back({.state = number, .index = index});
  }
  return true;
}

bool TreeReader::read_waiting() {
  for (const std::string_view bytes : waiting_) {
    const auto piece = parse_state_piece(bytes);
    if (!piece) return false;
    for (const StatePiece::Node& node : piece->nodes)
      if (node.is_open && !open(number_of(piece->giver, node.number), node.first, node.rank)) return false;
  }
  return true;
}

// Breadth first, from the one state that has no parent.
std::optional<StateTree> TreeReader::tree() const {
  std::vector<std::uint32_t> first_child(states_.size() + 1), children;
  std::uint32_t root = kNone, own = 0;
  for (std::uint32_t number = 0; number < states_.size(); ++number) {
    const State& state = states_[number];
    if (!state.is_own()) continue;
    ++own;
    if (state.parent != kNone)
      ++first_child[state.parent + 1];
    else if (std::exchange(root, number) != kNone)
      return std::nullopt;
  }
  if (root == kNone) return std::nullopt;
  std::partial_sum(first_child.begin(), first_child.end(), first_child.begin());
  children.resize(own - 1);
  std::vector<std::uint32_t> next = first_child;
  for (std::uint32_t number = 0; number < states_.size(); ++number) {
    const State& state = states_[number];
    if (state.is_own() && state.parent != kNone) children[next[state.parent]++] = number;
  }
  StateTree tree{.stratum = stratum_, .base = base_};
  tree.nodes.reserve(own);
  std::vector<std::uint32_t>& place_of = next;
  std::vector<std::uint32_t> order = {root};
  order.reserve(own);
  for (std::uint32_t place = 0; place < order.size(); ++place) {
    const std::uint32_t number = order[place];
    const State& state = states_[number];
    place_of[number] = place;
    tree.nodes.push_back(
        {.parent = state.parent == kNone ? 0 : place_of[state.parent], .index = state.index});
    for (std::uint32_t child = first_child[number]; child < first_child[number + 1]; ++child)
      order.push_back(children[child]);
  }
  if (order.size() != own) return std::nullopt;  // some come from themselves, or from none that counts
  for (const StateTree::Open& one : open_) {
    tree.open.push_back(one);
    tree.open.back().state = place_of[one.state];
  }
  std::ranges::sort(tree.open, {}, &StateTree::Open::state);
  for (const StateTree::Look& look : looks_)
    tree.looks.push_back({.state = place_of[look.state], .index = look.index});
  return tree;
}

}  // namespace

void SharedPosition::hear(const StateNotes& notes) {
  if (visitors_.size() <= notes.visitor) visitors_.resize(notes.visitor + 1);
  Visitor& visitor = visitors_[notes.visitor];
  CHECK(visitor.states <= notes.states);
  visitor.states = notes.states;
  visitor.found += notes.found;
  visitor.open = notes.open;
  visitor.looks += notes.looks;
  stratum_ = notes.stratum;
  base_ = std::max(base_, notes.base);
}

std::string SharedPosition::print(const std::deque<StatePiece>& waiting) const {
  PositionWriter writer;
  writer.put(kNoNumberOfStates);
  writer.put(stratum_);
  writer.put(base_);
  writer.put_all(visitors_, [&](const Visitor& visitor) {
    writer.put(visitor.states);
    for (const std::string* const part : {&visitor.found, &visitor.open, &visitor.looks})
      writer.put_position(*part);
  });
  writer.put_all(waiting, [&](const StatePiece& piece) { writer.put_position(print_state_piece(piece)); });
  return writer.bytes();
}

std::optional<StateTree> SharedPosition::read(std::string_view position) {
  return TreeReader().read(position);
}

}  // namespace ravel
