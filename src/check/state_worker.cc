#include "check/state_worker.h"

#include <unistd.h>

#include <utility>

namespace ravel {

namespace {

constexpr int kParentIsGone = 3;

}  // namespace

void StateWorker::tell(const StateNews& news) {
  if (!channel_.send(print_state_news(news))) _exit(kParentIsGone);
}

void StateWorker::attend(StateSearch& search) {
  if (flags_.stopped.load(std::memory_order_relaxed)) stop_ = true;
  if (!flags_.asked.load(std::memory_order_relaxed)) return;
  flags_.asked = false;
  StateNews news{.kind = StateNews::Kind::kGives};
  if (StatePiece piece = search.give(); !piece.nodes.empty()) news.pieces.push_back(std::move(piece));
  tell(news);
}

// `piece`: what it was given last.
void StateWorker::tell(StateSearch& search, const Exploration& found, std::optional<StatePiece> piece) {
  StateNews news{.kind = StateNews::Kind::kEnds, .found = save_(found)};
  if (looking_ != nullptr) news.looks = looking_->take_notes();
  if (search.part().has_learnt()) {
    news.kind = StateNews::Kind::kLearnt;
    news.way = search.way();
    if (StatePiece rest = search.rest(); !rest.nodes.empty()) news.pieces.push_back(std::move(rest));
    if (search.part().has_refused_piece() && piece) news.pieces.push_back(std::move(*piece));
  } else if (found.stop == Stop::kComplete) {
    news.kind = StateNews::Kind::kPauses;
    news.has_rest = search.part().has_rest();
  } else if (found.refusal) {
    news.way = search.way();
  }
  tell(news);
  if (news.kind != StateNews::Kind::kPauses) _exit(0);
}

void StateWorker::serve(StateSearch& search, const Exploration& found) {
  tell(search, found, std::nullopt);
  serve(search);
}

void StateWorker::serve(StateSearch& search) {
  for (;;) {
    const auto message = channel_.receive();
    if (!message) _exit(0);
    StateOrders orders = parse_state_orders(*message);
    search.part().limit_distance(orders.distance_max);
    const Exploration found = orders.piece ? search.go_on_with(*orders.piece) : search.go_on();
    tell(search, found, std::move(orders.piece));
  }
}

}  // namespace ravel
