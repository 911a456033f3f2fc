#include "strategy/order_cover.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace ravel {

namespace {

// With more orders than these, permutations are drawn.
constexpr double kOrdersMax = 1'200'000;
// Among so many random permutations the best one is chosen; fewer where looking at one takes long.
constexpr std::uint32_t kCandidates = 12, kCandidatesOfMany = 3;
constexpr std::size_t kMany = 20'000;

Permutation random_permutation(std::uint32_t numbers, Random& random) {
  Permutation permutation(numbers);
  std::iota(permutation.begin(), permutation.end(), 0u);
  for (std::size_t i = permutation.size(); i > 1; --i)
    std::swap(permutation[i - 1], permutation[random.below(i)]);
  return permutation;
}

class Cover {
 public:
  Cover(std::uint32_t numbers, std::uint32_t orders_of) : numbers_(numbers), orders_of_(orders_of) {
    for (std::uint32_t i = 2; i <= orders_of; ++i) orders_ *= i;
    Permutation subset(orders_of);
    std::iota(subset.begin(), subset.end(), 0u);
    while (true) {
      subsets_.insert(subsets_.end(), subset.begin(), subset.end());
      std::size_t grown = orders_of;
      while (grown > 0 && subset[grown - 1] + (orders_of - grown) + 1 == numbers) --grown;
      if (grown == 0) break;
      ++subset[grown - 1];
      for (std::size_t i = grown; i < orders_of; ++i) subset[i] = subset[i - 1] + 1;
    }
    covered_.resize(subsets_.size() / orders_of * orders_);
    missing_ = covered_.size();
  }

  bool is_complete() const { return missing_ == 0; }
  std::size_t subsets() const { return subsets_.size() / orders_of_; }

  // How many orders are seen in it first; notes them if asked to.
  enum class Note : std::uint8_t { kNo, kYes };
  std::size_t gain(const Permutation& permutation, Note note) {
    std::vector<std::uint32_t> place(numbers_);
    for (std::uint32_t i = 0; i < numbers_; ++i) place[permutation[i]] = i;
    std::size_t gained = 0;
    for (std::size_t i = 0; i < subsets(); ++i) {
      char& covered = covered_[i * orders_ + rank(&subsets_[i * orders_of_], place)];
      if (covered != 0) continue;
      ++gained;
      if (note == Note::kYes) covered = 1;
    }
    if (note == Note::kYes) missing_ -= gained;
    return gained;
  }

  // A random permutation with an order that is missing. REQUIRES: !is_complete().
  Permutation with_missing(Random& random) {
    while (covered_[first_missing_] != 0) ++first_missing_;
    const std::uint32_t* const subset = &subsets_[first_missing_ / orders_ * orders_of_];
    Permutation permutation = random_permutation(numbers_, random);
    std::vector<std::uint32_t> place(numbers_), places(orders_of_);
    for (std::uint32_t i = 0; i < numbers_; ++i) place[permutation[i]] = i;
    for (std::uint32_t i = 0; i < orders_of_; ++i) places[i] = place[subset[i]];
    std::ranges::sort(places);
    const std::size_t wanted = first_missing_ % orders_;
    Permutation order(orders_of_);
    std::iota(order.begin(), order.end(), 0u);
    do {
      for (std::uint32_t i = 0; i < orders_of_; ++i) place[subset[i]] = places[order[i]];
    } while (rank(subset, place) != wanted && std::ranges::next_permutation(order).found);
    for (std::uint32_t i = 0; i < numbers_; ++i) permutation[place[i]] = i;
    return permutation;
  }

 private:
  // The number of the order in which the numbers of a subset have their places.
  std::size_t rank(const std::uint32_t* subset, const std::vector<std::uint32_t>& place) const {
    std::size_t rank = 0;
    for (std::uint32_t i = 0; i < orders_of_; ++i) {
      std::size_t before = 0;
      for (std::uint32_t j = 0; j < i; ++j) before += place[subset[j]] < place[subset[i]] ? 1 : 0;
      rank = rank * (i + 1) + before;
    }
    return rank;
  }

  const std::uint32_t numbers_, orders_of_;
  std::size_t orders_ = 1;
  std::vector<std::uint32_t> subsets_;  // one after the other
  std::vector<char> covered_;           // by subset, then by order
  std::size_t missing_ = 0, first_missing_ = 0;
};

}  // namespace

std::uint64_t permutations_needed(std::uint64_t orders_of, std::uint64_t numbers, double miss) {
  double orders = 1;
  for (std::uint64_t i = 2; i <= orders_of + 1; ++i) orders *= static_cast<double>(i);
  const double product = static_cast<double>(numbers) * static_cast<double>(orders_of);
  return static_cast<std::uint64_t>(std::ceil(orders * (std::log(product) + std::log(1 / miss))));
}

OrderCover cover_orders(std::uint32_t numbers, std::uint32_t orders_of, double miss,
                        const std::vector<Permutation>& before, Random& random) {
  orders_of = std::min(orders_of, numbers);
  OrderCover cover{.permutations = before, .is_exact = true};
  double all = 1;
  for (std::uint32_t i = 0; i < orders_of; ++i) all *= numbers - i;
  if (all > kOrdersMax) {
    const std::uint64_t needed = permutations_needed(orders_of, numbers, miss);
    while (cover.permutations.size() < needed)
      cover.permutations.push_back(random_permutation(numbers, random));
    cover.is_exact = false;
    return cover;
  }
  Cover orders(numbers, orders_of);
  for (const Permutation& permutation : before) orders.gain(permutation, Cover::Note::kYes);
  const auto add = [&](Permutation permutation) {
    if (orders.gain(permutation, Cover::Note::kYes) > 0) cover.permutations.push_back(std::move(permutation));
  };
  Permutation identity(numbers);
  std::iota(identity.begin(), identity.end(), 0u);
  add(identity);
  add({identity.rbegin(), identity.rend()});
  const std::uint32_t candidates = orders.subsets() > kMany ? kCandidatesOfMany : kCandidates;
  while (!orders.is_complete()) {
    Permutation best;
    std::size_t most = 0;
    for (std::uint32_t i = 0; i < candidates; ++i) {
      Permutation candidate = orders.with_missing(random);
      const std::size_t gained = orders.gain(candidate, Cover::Note::kNo);
      if (gained <= most) continue;
      most = gained;
      best = std::move(candidate);
    }
    add(std::move(best));
  }
  return cover;
}

}  // namespace ravel
