#include "erlang/term/release.h"

#include <algorithm>
#include <array>

namespace ravel::erlang {

namespace {

constexpr Release kOtp25 = {.number = 25, .nif_version = "2.16"};

constexpr Release since_26(Release release) {
  release.number = 26;
  release.nif_version = "2.17";
  release.external_minor_version = 2;
  release.iterates_in_order = true;
  release.has_async_dist = true;
  release.warps_time = true;
  return release;
}
constexpr Release since_27(Release release) {
  release.number = 27;
  release.are_zeros_distinct = true;
  release.explains_positions = true;
  release.has_process_labels = true;
  release.hashes_keys_widely = true;
  release.process_limit = 1'048'576;
  release.reserves_maybe = true;
  release.takes_bits_for_bytes = true;
  release.tells_what_was_printed = true;
  release.integer_limbs_max = 65'535;
  release.inserts_bags_backwards = false;
  release.fits_keys_partly = true;
  release.joins_small_parts = true;
  release.wants_whole_bytes = true;
  release.looks_at_patterns_first = true;
  release.explains_increments = true;
  release.guards_by_tuple_size = true;
  release.sizes_by_any_option = true;
  release.large_binary_words = 8;
  release.fun_words = 6;
  release.external_fun_words = 2;
  release.has_short_bitstrings = true;
  release.limits_shared_binaries = true;
  release.has_trace_sessions = true;
  return release;
}
constexpr Release since_28(Release release) {
  release.number = 28;
  release.explains_default_rows = true;
  release.has_silent_heirs = true;
  release.hibernates_in_place = true;
  release.has_priority_messages = true;
  release.takes_bits_for_bytes = false;
  release.fun_words = 2;
  return release;
}
constexpr Release since_29(Release release) {
  release.number = 29;
  release.nif_version = "2.18";
  release.assigns_in_comprehensions = true;
  release.has_native_records = true;
  release.refuses_short_defaults = true;
  release.lists_maps_forwards = true;
  release.rounds_to_nearest = true;
  return release;
}

// Each release has what the one before had, unless it says otherwise.
constexpr Release kOtp26 = since_26(kOtp25), kOtp27 = since_27(kOtp26), kOtp28 = since_28(kOtp27),
                  kOtp29 = since_29(kOtp28);
constexpr std::array kReleases = {kOtp25, kOtp26, kOtp27, kOtp28, kOtp29};
static_assert(std::ranges::is_sorted(kReleases, {}, &Release::number));

const Release* installed = &kReleases.front();

}  // namespace

std::span<const Release> known_releases() { return kReleases; }

const Release& release_numbered(int number) {
  const auto above = std::ranges::upper_bound(kReleases, number, {}, &Release::number);
  return above == kReleases.begin() ? kReleases.front() : *(above - 1);
}

const Release& installed_release() { return *installed; }
void set_installed_release(const Release& release) { installed = &release; }

}  // namespace ravel::erlang
