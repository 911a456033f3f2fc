// The parts of a search by variable and thread bounding: some sets of one stage each.
//
// The idea: what is run for a set follows from the set, the stage, and what executions have told about the
// program before: which variables and actors there are. That soon stays as it is. So a part is begun with
// what is known by then; when all sets before it have been run, it is known whether that was right. If not,
// what the part has found is void, and it is run once more. Where executions have just told something new,
// only the first part that is left is run. So what is found, in the order of sets, is what one process finds:
// each execution as often, and the same one first. The next stage begins when all parts have ended.
//
// Invariants:
// 1. Each set of the stage that has not been run, or not been known to be right, is in one piece.
// 2. A piece has one state, of what was learned before it, where it is, and what it has learned there; so if
//    what was learned before turns out to be other, all runs of it are void.
//
// Cost: a position for each piece that was interrupted, with what the strategy remembers of its set. Whoever
// has one large set has it alone.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "engine/part_source.h"
#include "engine/position.h"
#include "strategy/variable_thread_bounding.h"

namespace ravel {

namespace {

// So many parts that wait for one before them are enough.
constexpr std::size_t kEndedMax = 1'000;
constexpr std::uint64_t kSetsMax = std::uint64_t{1} << 31;  // of a part that does not have all that are left

// How many subsets of so many there are, or the largest number.
std::uint64_t count_subsets(std::uint64_t of, std::uint64_t size) {
  if (size > of) return 0;
  std::uint64_t count = 1;
  for (std::uint64_t i = 1; i <= size; ++i) {
    const std::uint64_t factor = of - size + i;
    if (count > std::numeric_limits<std::uint64_t>::max() / factor)
      return std::numeric_limits<std::uint64_t>::max();
    count = count * factor / i;
  }
  return count;
}

// The subset with this number, from 0, in the order of words.
std::vector<std::size_t> subset_of_number(std::uint64_t number, std::uint64_t of, std::uint64_t size) {
  std::vector<std::size_t> subset;
  for (std::size_t first = 0; subset.size() < size; ++first) {
    CHECK(first < of);
    const std::uint64_t with_first = count_subsets(of - first - 1, size - subset.size() - 1);
    if (number < with_first)
      subset.push_back(first);
    else
      number -= with_first;
  }
  return subset;
}

}  // namespace

class VariableThreadBounding::Source final : public PartSource {
 public:
  explicit Source(const Options& options) : stage_(options) {}

  // From where one process was. False: that makes no sense.
  bool begin(std::string position) {
    PositionReader reader(position);
    if (!stage_.read(reader) || !reader.is_complete()) return false;
    const std::uint64_t first = stage_.set_number_;
    if (first >= sets()) return false;
    stage_.cache_.forget();
    stage_.choices_.clear();
    learned_ = stage_.take_notes();
    is_right_ = true;
    pieces_[first] = {.end = sets(),
                      .set = first,
                      .position = std::move(position),
                      .learned_before = learned_,
                      .learned = learned_};
    return true;
  }

  std::optional<Part> hand_out() override {
    const auto found = first_waiting();
    if (found == pieces_.end()) return std::nullopt;
    Piece& piece = found->second;
    const bool is_front = found == pieces_.begin();
    if (!is_front && !piece.position.empty() && piece.learned_before != learned_) make_void(piece);
    if (piece.position.empty()) {
      piece.set = found->first;
      piece.learned_before = piece.learned = learned_;
      if (is_front) is_right_ = true;
    }
    if (!piece.number) {
      piece.number = next_part_++;
      first_of_[*piece.number] = found->first;
    }
    piece.status = Status::kRunning;
    piece.runs.push_back(place_of(piece));
    const std::uint64_t left = piece.end == sets() ? 0 : piece.end - piece.set;
    return Part{.number = *piece.number,
                .from_level = static_cast<std::uint32_t>(left),
                .position = piece.position.empty() ? before_set(piece.set, learned_) : piece.position};
  }
  bool has_waiting() const override { return std::as_const(*this).first_waiting() != pieces_.end(); }
  bool is_done() const override { return is_over_ || pieces_.empty(); }

  bool commit(PartNumber part, std::string_view notes) override {
    of(part).learned = notes;
    return true;
  }
  void keep(PartNumber part, std::string position) override {
    Piece& piece = of(part);
    piece.set = set_of(position);
    CHECK(piece.set < piece.end);
    piece.position = std::move(position);
    ++piece.step;
    piece.has_news = true;
    settle();
  }
  void finish(PartNumber part, bool has_all) override {
    of(part).has_all = has_all;
    end(of(part));
  }
  bool has_all() const override { return has_all_; }

  // The later half of the sets that the part has not begun.
  Division divide(PartNumber part) override {
    Piece& piece = of(part);
    const std::uint64_t left = piece.end - piece.set - 1;
    if (left == 0 || is_learning_ || is_void(part)) return {};
    const std::uint64_t own = std::min(1 + left / 2, kSetsMax);
    const std::uint64_t end = std::exchange(piece.end, piece.set + own);
    pieces_[piece.end] = {.end = end};
    return {.from_level = static_cast<std::uint32_t>(own)};
  }
  void take_back(PartNumber part) override {
    const bool was_void = is_void(part);
    Piece& piece = of(part);
    piece.status = Status::kWaiting;
    if (was_void) make_void(piece);
    settle();
  }

  // That of one process: what was found after that place is searched again.
  std::string position() const override {
    if (pieces_.empty()) return end_;
    const auto& [first, front] = *pieces_.begin();
    return is_right_ && !front.position.empty() ? front.position : before_set(first, learned_);
  }
  std::optional<std::vector<Bound>> bounds() const override { return stage_.coverage().bounds; }

  PartPlace beginning_of(PartNumber part) const override { return of(part).runs.back(); }
  bool is_strict() const override { return true; }
  PartPlace settled_before() const override {
    if (pieces_.empty()) return {stage_number_ + 1};
    const auto& [first, front] = *pieces_.begin();
    return is_right_ ? place_of(front) : PartPlace{stage_number_, first};
  }
  bool is_first(PartNumber part) const override {
    return !is_over_ && is_right_ && pieces_.begin()->second.number == part;
  }
  bool is_void(PartNumber part) const override {
    if (is_over_ || is_beyond_end(first_of_.at(part))) return true;
    return !is_first(part) && of(part).learned_before != learned_;
  }
  std::vector<PartPlace> take_void() override { return std::exchange(void_, {}); }
  void end_search_at(PartNumber part) override {
    of(part).ends_search = true;
    end(of(part));
  }

 private:
  enum class Status : std::uint8_t { kWaiting, kRunning, kEnded };
  struct Piece {
    std::uint64_t end = 0;                  // before that set
    std::optional<PartNumber> number = {};  // once it was handed out
    Status status = Status::kWaiting;
    std::uint64_t set = 0;      // where it is
    std::uint64_t step = 0;     // how often it was there, or has begun anew
    std::string position = {};  // there; empty: before its first set
    std::string learned_before = {};
    std::string learned = {};
    bool has_news = false;  // since it was settled last
    bool has_all = true;
    bool ends_search = false;
    std::vector<PartPlace> runs = {};  // where it was begun
  };

  Piece& of(PartNumber part) { return pieces_.at(first_of_.at(part)); }
  const Piece& of(PartNumber part) const { return pieces_.at(first_of_.at(part)); }
  PartPlace place_of(const Piece& piece) const { return {stage_number_, piece.set, piece.step}; }
  // Of the stage.
  std::uint64_t sets() const { return count_subsets(stage_.order_of_sets_.size(), stage_.size_); }

  template <class Pieces>
  static auto first_waiting(Pieces& pieces, bool is_learning) {
    std::size_t ended = 0;
    for (auto one = pieces.begin(); one != pieces.end(); ++one) {
      const Piece& piece = one->second;
      const bool may_begin = one == pieces.begin() || (!is_learning && ended < kEndedMax);
      if (piece.status == Status::kWaiting) return may_begin ? one : pieces.end();
      if (piece.status != Status::kEnded) continue;
      if (piece.ends_search) break;
      ++ended;
    }
    return pieces.end();
  }
  std::map<std::uint64_t, Piece>::iterator first_waiting() {
    return is_over_ ? pieces_.end() : first_waiting(pieces_, is_learning_);
  }
  std::map<std::uint64_t, Piece>::const_iterator first_waiting() const {
    return is_over_ ? pieces_.end() : first_waiting(pieces_, is_learning_);
  }
  bool is_beyond_end(std::uint64_t first) const {
    return std::any_of(pieces_.begin(), pieces_.find(first),
                       [](const auto& one) { return one.second.ends_search; });
  }

  void end(Piece& piece) {
    piece.status = Status::kEnded;
    piece.has_news = true;
    settle();
  }

  // It is to be run from its beginning.
  void make_void(Piece& piece) {
    void_.insert(void_.end(), piece.runs.begin(), piece.runs.end());
    piece.runs.clear();
    piece.position.clear();
    piece.status = Status::kWaiting;
    piece.ends_search = piece.has_news = false;
    ++piece.step;
  }

  // Takes what comes next in the order, as far as it was begun with what was learned before.
  void settle() {
    while (!is_over_) {
      if (pieces_.empty() && !begin_next_stage()) return;
      const auto front = pieces_.begin();
      Piece& piece = front->second;
      if (!is_right_) {
        if (piece.status == Status::kWaiting && piece.position.empty()) return;
        if (piece.learned_before != learned_) {
          if (piece.status != Status::kRunning) make_void(piece);
          return;
        }
        is_right_ = true;
      }
      if (std::exchange(piece.has_news, false)) {
        is_learning_ = piece.learned != learned_;
        learned_ = piece.learned;
      }
      if (piece.status != Status::kEnded) return;
      is_over_ = piece.ends_search;
      if (is_over_) return;
      has_all_ = has_all_ && piece.has_all;
      first_of_.erase(*piece.number);
      pieces_.erase(front);
      is_right_ = false;
    }
  }

  // False: there is none.
  bool begin_next_stage() {
    stage_.go_to(sets() - 1, learned_);
    // All placements and permutations of the last set were run.
    stage_.enters_set_ = false;
    stage_.permutation_ = std::numeric_limits<std::uint32_t>::max();
    end_ = position_of(stage_);
    if (!stage_.next_stage()) return false;
    ++stage_number_;
    pieces_[stage_.set_number_] = {.end = sets()};
    return true;
  }

  // At which one a position is.
  static std::uint64_t set_of(const std::string& position) {
    PositionReader reader(position);
    CHECK(reader.get() == kPositionFormat);
    return reader.get();
  }

  static std::string position_of(const VariableThreadBounding& search) {
    PositionWriter writer;
    search.write_position(writer);
    return writer.bytes();
  }

  // Of one process that has run all sets of the stage before this one, and has learned so much.
  std::string before_set(std::uint64_t number, const std::string& learned) const {
    VariableThreadBounding search(stage_.options_);
    const std::string of_stage = position_of(stage_);
    PositionReader reader(of_stage);
    CHECK(search.read(reader));
    search.go_to(number, learned);
    return position_of(search);
  }

  VariableThreadBounding stage_;  // is at the stage, and runs nothing
  std::uint64_t stage_number_ = 0;
  std::map<std::uint64_t, Piece> pieces_;         // by their first set
  std::map<PartNumber, std::uint64_t> first_of_;  // set of its piece
  PartNumber next_part_ = 0;
  std::string learned_;       // by all that is known to be right
  bool is_right_ = false;     // the first piece was begun with what was learned before it
  bool is_learning_ = false;  // what was settled last has told something new
  bool is_over_ = false;      // it has ended the search
  bool has_all_ = true;
  std::string end_;  // where one process is when it has run the stage that has ended last
  std::vector<PartPlace> void_;
};

// Before a set of the stage, with what was learned by then.
void VariableThreadBounding::go_to(std::uint64_t set, std::string_view learned) {
  PositionReader reader(learned);
  read_learned(reader);
  has_begun_ = has_ended_ = enters_set_ = true;
  actors_max_ = actors_seen_;
  choices_.clear();
  set_number_ = set;
  set_ = subset_of_number(set, order_of_sets_.size(), size_);
}

void VariableThreadBounding::become_part(std::uint32_t from_level) {
  is_part_ = true;
  sets_end_ = from_level == 0 ? std::numeric_limits<std::uint64_t>::max() : set_number_ + from_level;
}

std::string VariableThreadBounding::take_notes() {
  PositionWriter writer;
  write_learned(writer);
  return writer.bytes();
}

std::unique_ptr<PartSource> VariableThreadBounding::make_source(System&, std::string position) const {
  auto source = std::make_unique<Source>(options_);
  if (!source->begin(std::move(position))) return nullptr;
  return source;
}

}  // namespace ravel
