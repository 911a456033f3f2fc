#include "sharing/state_worker.h"

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
  if (flags_.asked.load(std::memory_order_relaxed)) give(search);
  if (flags_.saved.load(std::memory_order_relaxed)) tell_notes(search);
}

void StateWorker::give(StateSearch& search) {
  flags_.asked = false;
  StateNews news{.kind = StateNews::Kind::kGives};
  if (StatePiece piece = search.give(); !piece.nodes.empty()) news.pieces.push_back(std::move(piece));
  tell(news);
}

void StateWorker::tell_notes(StateSearch& search) {
  flags_.saved = false;
  StateNews news{.kind = StateNews::Kind::kNotes, .found = save_(search.found_so_far())};
  if (looking_ != nullptr) news.looks = looking_->take_notes();
  news.notes = search.take_notes();
  tell(news);
}

// `orders`: what it was told last.
void StateWorker::tell(StateSearch& search, Exploration found, StateOrders orders,
                       std::optional<StratumReport> report) {
  const bool ends = found.stop != Stop::kComplete && !search.part().has_learnt();
  // What was run of a stratum does happen, if it is not what one process would have run of it.
  if (ends && search.shared_strata() != nullptr) found = search.settle(SharedStates::kNobody);
  StateNews news{.kind = StateNews::Kind::kEnds, .report = std::move(report), .found = save_(found)};
  if (looking_ != nullptr) news.looks = looking_->take_notes();
  const bool by_delays = search.shared_strata() != nullptr;
  if (!by_delays) news.notes = search.take_notes();
  if (search.part().has_learnt()) {
    news.kind = StateNews::Kind::kLearnt;
    news.way = search.way();
    if (StatePiece rest = search.rest(); !rest.nodes.empty()) news.pieces.push_back(std::move(rest));
    if (search.part().has_refused_piece() && orders.piece) news.pieces.push_back(std::move(*orders.piece));
    // What is left to it is in these pieces.
    if (by_delays) news.notes = search.take_notes();
    news.notes->close_all();
  } else if (!ends) {
    news.kind = StateNews::Kind::kPauses;
    news.has_rest = search.has_rest();
  } else if (found.refusal) {
    news.way = search.way();
  }
  tell(news);
  if (news.kind != StateNews::Kind::kPauses) _exit(0);
}

void StateWorker::serve(StateSearch& search, Exploration found) {
  tell(search, std::move(found), {}, std::nullopt);
  serve(search);
}

void StateWorker::serve(StateSearch& search) {
  for (;;) {
    const auto message = channel_.receive();
    if (!message) _exit(0);
    StateOrders orders = parse_state_orders(*message);
    search.part().limit_distance(orders.distance_max);
    std::optional<StratumReport> report;
    Exploration found = orders.piece                        ? search.go_on_with(*orders.piece)
                        : search.shared_strata() != nullptr ? search.obey(orders.stratum, report)
                                                            : search.go_on();
    tell(search, std::move(found), std::move(orders), std::move(report));
  }
}

}  // namespace ravel
