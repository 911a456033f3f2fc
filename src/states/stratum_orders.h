// What processes that share a search by delays (shared_strata.h) are told to do when nobody runs chains, and
// what they tell then.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ravel {

// Chains whose ranks follow each other.
struct StratumRun {
  std::uint64_t first = 0;  // rank
  std::uint64_t count = 0;
  std::uint64_t put_off = 0;  // how many states they put off to the next stratum

  friend bool operator==(const StratumRun&, const StratumRun&) = default;
};

struct StratumReport {
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  bool was_cut = false;              // a chain
  std::uint64_t first_open = kNone;  // the least rank of a chain that has to go on,
  std::uint64_t ends_at = kNone;     // and of one with which the search is over
  std::vector<StratumRun> runs = {};

  void add(const StratumReport& other) {
    was_cut |= other.was_cut;
    first_open = std::min(first_open, other.first_open);
    ends_at = std::min(ends_at, other.ends_at);
    runs.insert(runs.end(), other.runs.begin(), other.runs.end());
  }
  // Whether the chains of all processes are those of one, as far as they matter. REQUIRES: all were added.
  bool is_settled() const { return !was_cut && first_open >= ends_at; }
};

struct StratumOrder {
  enum class Kind : std::uint8_t {
    kGoOn,         // run the chains that are to go on
    kCheck,        // SharedStrata::check()
    kSettle,       // StateSearch::settle(); it is the last order of the search
    kNextStratum,  // StateSearch::go_on_in_next_stratum()
  };
  Kind kind = Kind::kGoOn;
  std::uint64_t base = 0;                  // SharedStrata::set_base()
  std::uint64_t last_rank = 0;             // kSettle
  std::vector<std::uint64_t> firsts = {};  // kNextStratum

  friend bool operator==(const StratumOrder&, const StratumOrder&) = default;
};

}  // namespace ravel
