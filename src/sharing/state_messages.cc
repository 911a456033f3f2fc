#include "sharing/state_messages.h"

#include <utility>

#include "engine/position.h"

namespace ravel {

namespace {

void put_report(PositionWriter& writer, const StratumReport& report) {
  writer.put(report.was_cut ? 1 : 0);
  writer.put(report.first_open);
  writer.put(report.ends_at);
  writer.put_all(report.runs, [&](const StratumRun& run) {
    for (const std::uint64_t number : {run.first, run.count, run.put_off}) writer.put(number);
  });
}

StratumReport get_report(PositionReader& reader) {
  StratumReport report;
  report.was_cut = reader.get() != 0;
  report.first_open = reader.get();
  report.ends_at = reader.get();
  reader.get_all([&] {
    StratumRun& run = report.runs.emplace_back();
    for (std::uint64_t* const number : {&run.first, &run.count, &run.put_off}) *number = reader.get();
  });
  return report;
}

}  // namespace

std::string print_state_orders(const StateOrders& orders) {
  PositionWriter writer;
  writer.put(orders.distance_max);
  writer.put(orders.piece ? 1 : 0);
  if (orders.piece) writer.put_position(print_state_piece(*orders.piece));
  const StratumOrder& stratum = orders.stratum;
  writer.put(static_cast<std::uint64_t>(stratum.kind));
  writer.put(stratum.base);
  writer.put(stratum.last_rank);
  writer.put_all(stratum.firsts, [&](std::uint64_t rank) { writer.put(rank); });
  return writer.bytes();
}

StateOrders parse_state_orders(std::string_view message) {
  PositionReader reader(message);
  StateOrders orders{.distance_max = reader.get32()};
  if (reader.get() != 0) orders.piece = parse_state_piece(reader.get_position());
  StratumOrder& stratum = orders.stratum;
  stratum.kind = static_cast<StratumOrder::Kind>(reader.get());
  stratum.base = reader.get();
  stratum.last_rank = reader.get();
  reader.get_all([&] { stratum.firsts.push_back(reader.get()); });
  return orders;
}

std::string print_state_news(const StateNews& news) {
  PositionWriter writer;
  writer.put(static_cast<std::uint64_t>(news.kind));
  writer.put_all(news.pieces,
                 [&](const StatePiece& piece) { writer.put_position(print_state_piece(piece)); });
  if (news.kind == StateNews::Kind::kGives) return writer.bytes();
  writer.put(news.has_rest ? 1 : 0);
  writer.put_all(news.way, [&](std::uint32_t index) { writer.put(index); });
  writer.put(news.report ? 1 : 0);
  if (news.report) put_report(writer, *news.report);
  writer.put_position(print_findings(news.found));
  writer.put_position(news.looks);
  writer.put(news.notes ? 1 : 0);
  if (news.notes) writer.put_position(print_state_notes(*news.notes));
  return writer.bytes();
}

std::optional<StateNews> parse_state_news(std::string_view message) {
  PositionReader reader(message);
  StateNews news;
  const std::uint64_t kind = reader.get();
  if (kind > static_cast<std::uint64_t>(StateNews::Kind::kEnds)) return std::nullopt;
  news.kind = static_cast<StateNews::Kind>(kind);
  bool is_right = true;
  reader.get_all([&] {
    auto piece = parse_state_piece(reader.get_position());
    is_right = is_right && piece;
    if (piece) news.pieces.push_back(std::move(*piece));
  });
  if (!is_right) return std::nullopt;
  if (news.kind == StateNews::Kind::kGives)
    return reader.is_complete() ? std::optional(std::move(news)) : std::nullopt;
  news.has_rest = reader.get() != 0;
  reader.get_all([&] { news.way.push_back(reader.get32()); });
  if (reader.get() != 0) news.report = get_report(reader);
  auto found = parse_findings(reader.get_position());
  news.looks = reader.get_position();
  const bool has_notes = reader.get() != 0;
  if (has_notes) news.notes = parse_state_notes(reader.get_position());
  if (!found || has_notes != news.notes.has_value() || !reader.is_complete()) return std::nullopt;
  news.found = std::move(*found);
  return news;
}

}  // namespace ravel
