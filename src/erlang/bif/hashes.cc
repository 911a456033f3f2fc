// Built-ins that compute hashes of terms and checksums of I/O data.
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <vector>

#include "erlang/beam/md5.h"
#include "erlang/bif/builtins.h"
#include "erlang/bif/shown_names.h"
#include "erlang/machine/machine.h"
#include "erlang/term/bits.h"
#include "erlang/term/hash_functions.h"
#include "erlang/term/iodata.h"

namespace ravel::erlang {

namespace {

std::optional<std::uint64_t> to_unsigned(Term t) {
  if (t.is_small() && t.small_value() >= 0) return static_cast<std::uint64_t>(t.small_value());
  if (is_kind(t, Kind::kPositiveBig) && size_of(t.header()) == 1) return t.object()[1].bits();
  return std::nullopt;
}

constexpr std::uint64_t k2To32 = std::uint64_t{1} << 32;

// The range of a hash, from 1 to 2^32.
std::optional<std::uint64_t> to_range(Term t) {
  const std::optional<std::uint64_t> range = to_unsigned(t);
  return range && *range >= 1 && *range <= k2To32 ? range : std::nullopt;
}

std::optional<std::uint32_t> to_checksum(Term t) {
  const std::optional<std::uint64_t> sum = to_unsigned(t);
  if (!sum || *sum >= k2To32) return std::nullopt;
  return static_cast<std::uint32_t>(*sum);
}

Term to_term(std::uint64_t hash) { return Term::small(static_cast<std::int64_t>(hash)); }

Term phash_2(Call& call, const Term* arguments) {
  const auto range = to_range(arguments[1]);
  if (!range) return call.badarg();
  if (!may_show(call, arguments[0], NameUse::kHash)) return Term::none();
  return to_term(portable_hash(call.names, arguments[0]) % *range + 1);
}

Term phash2_1(Call& call, const Term* arguments) {
  if (!may_show(call, arguments[0], NameUse::kHash)) return Term::none();
  return to_term(portable_hash_2(call.names, arguments[0]) & ((1U << 27) - 1));
}

Term phash2_2(Call& call, const Term* arguments) {
  const auto range = to_range(arguments[1]);
  if (!range) return call.badarg();
  if (!may_show(call, arguments[0], NameUse::kHash)) return Term::none();
  return to_term(portable_hash_2(call.names, arguments[0]) % *range);
}

// Gives `update(bytes, size)` the bytes of I/O data in order, single bytes in runs. False if `data` is none.
template <class Update>
bool update_with_iodata(Term data, Update update) {
  std::uint8_t run[512];
  std::size_t used = 0;
  const auto flush = [&] {
    if (used > 0) update(run, used);
    used = 0;
  };
  const bool is_iodata = for_each_iodata(
      data, IodataUnit::kByte,
      [&](std::uint8_t byte) {
        if (used == sizeof run) flush();
        run[used++] = byte;
        return true;
      },
      [&](const BitView& view) {
        flush();
        if (view.is_byte_aligned()) {
          update(view.data(),
                 view.length / 8);  // also when empty: Adler's sum is then still brought into range
          return true;
        }
        std::uint64_t done = 0;
        do {
          const std::uint64_t count = std::min<std::uint64_t>(view.length - done, 8 * sizeof run);
          copy_bits(run, 0, view.bytes, view.offset + done, count);
          update(run, count / 8);
          done += count;
        } while (done < view.length);
        return true;
      });
  if (is_iodata) flush();
  return is_iodata;
}

using Checksum = uLong (*)(uLong, const Bytef*, z_size_t);

struct SumsToCombine {
  std::uint32_t first, second, second_size;
};

Term checksum_of(Call& call, Checksum checksum, std::uint32_t start, Term data) {
  uLong sum = start;
  const bool done = update_with_iodata(
      data, [&](const std::uint8_t* bytes, std::size_t size) { sum = checksum(sum, bytes, size); });
  return done ? to_term(sum) : call.badarg();
}

Term checksum_from(Call& call, Checksum checksum, const Term* arguments) {
  const auto start = to_checksum(arguments[0]);
  return start ? checksum_of(call, checksum, *start, arguments[1]) : call.badarg();
}

std::optional<SumsToCombine> to_sums(const Term* arguments) {
  const auto first = to_checksum(arguments[0]);
  const auto second = to_checksum(arguments[1]);
  const auto second_size = to_checksum(arguments[2]);
  if (!first || !second || !second_size) return std::nullopt;
  return SumsToCombine{*first, *second, *second_size};
}

Term adler32_1(Call& call, const Term* arguments) { return checksum_of(call, adler32_z, 1, arguments[0]); }
Term adler32_2(Call& call, const Term* arguments) { return checksum_from(call, adler32_z, arguments); }
Term adler32_combine_3(Call& call, const Term* arguments) {
  const auto sums = to_sums(arguments);
  if (!sums) return call.badarg();
  if (sums->second_size == 0) return to_term(sums->first);  // not what zlib says
  return to_term(adler32_combine(sums->first, sums->second, sums->second_size) & 0xFFFFFFFF);
}
Term crc32_1(Call& call, const Term* arguments) { return checksum_of(call, crc32_z, 0, arguments[0]); }
Term crc32_2(Call& call, const Term* arguments) { return checksum_from(call, crc32_z, arguments); }
Term crc32_combine_3(Call& call, const Term* arguments) {
  const auto sums = to_sums(arguments);
  if (!sums) return call.badarg();
  return to_term(crc32_combine(sums->first, sums->second, sums->second_size) & 0xFFFFFFFF);
}

// The context of md5_init/0 and its companions is a binary with the emulator's layout: four words of state,
// the number of bits in two words, and the block that is not full yet; all words little-endian.
constexpr std::size_t kMd5ContextSize = 4 * 4 + 2 * 4 + 64;

Term make_md5_context(Heap& heap, const Md5State& state) {
  std::uint8_t bytes[kMd5ContextSize];
  const std::uint64_t bits = state.length * 8;
  std::memcpy(bytes, state.words.data(), 16);
  std::memcpy(bytes + 16, &bits, 8);
  std::memcpy(bytes + 24, state.pending.data(), 64);
  return make_binary(heap, bytes, sizeof bytes);
}

std::optional<Md5State> to_md5_state(Term context) {
  if (!is_bitstring(context) || bit_size(context) != 8 * kMd5ContextSize) return std::nullopt;
  std::uint8_t bytes[kMd5ContextSize];
  const BitView view = view_bits(context);
  copy_bits(bytes, 0, view.bytes, view.offset, view.length);
  Md5State state;
  std::memcpy(state.words.data(), bytes, 16);
  std::uint64_t bits;
  std::memcpy(&bits, bytes + 16, 8);
  state.length = bits / 8;
  std::memcpy(state.pending.data(), bytes + 24, 64);
  return state;
}

bool update_md5(Md5State& state, Term data) {
  return update_with_iodata(data, [&](const std::uint8_t* bytes, std::size_t size) {
    md5_update(state, {bytes, size});
  });
}

Term make_digest(Heap& heap, const Md5State& state) {
  const Md5Digest digest = md5_final(state);
  return make_binary(heap, digest.data(), digest.size());
}

Term md5_1(Call& call, const Term* arguments) {
  Md5State state;
  return update_md5(state, arguments[0]) ? make_digest(call.heap, state) : call.badarg();
}

Term md5_final_1(Call& call, const Term* arguments) {
  const auto state = to_md5_state(arguments[0]);
  return state ? make_digest(call.heap, *state) : call.badarg();
}

Term md5_init_0(Call& call, const Term*) { return make_md5_context(call.heap, Md5State{}); }

Term md5_update_2(Call& call, const Term* arguments) {
  auto state = to_md5_state(arguments[0]);
  if (!state || !update_md5(*state, arguments[1])) return call.badarg();
  return make_md5_context(call.heap, *state);
}

constexpr auto kHashBuiltins = std::to_array<Builtin>({
    {"erlang", "adler32", 1, Effect::kPure, adler32_1},
    {"erlang", "adler32", 2, Effect::kPure, adler32_2},
    {"erlang", "adler32_combine", 3, Effect::kPure, adler32_combine_3},
    {"erlang", "crc32", 1, Effect::kPure, crc32_1},
    {"erlang", "crc32", 2, Effect::kPure, crc32_2},
    {"erlang", "crc32_combine", 3, Effect::kPure, crc32_combine_3},
    {"erlang", "md5", 1, Effect::kPure, md5_1},
    {"erlang", "md5_final", 1, Effect::kPure, md5_final_1},
    {"erlang", "md5_init", 0, Effect::kPure, md5_init_0},
    {"erlang", "md5_update", 2, Effect::kPure, md5_update_2},
    {"erlang", "phash", 2, Effect::kPure, phash_2},
    {"erlang", "phash2", 1, Effect::kPure, phash2_1},
    {"erlang", "phash2", 2, Effect::kPure, phash2_2},
});
static_assert(std::ranges::is_sorted(kHashBuiltins, {}, &Builtin::key));

}  // namespace

std::span<const Builtin> hash_builtins() { return kHashBuiltins; }

}  // namespace ravel::erlang
