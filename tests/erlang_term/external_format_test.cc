#include "erlang/term/external_format.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "erlang/term/compare.h"
#include "erlang/term/map.h"
#include "erlang/term/process_number.h"
#include "tests/erlang_term/random_term.h"

namespace ravel::erlang {
namespace {

using Bytes = std::vector<std::uint8_t>;

class ExternalFormatTest : public testing::Test {
 protected:
  Bytes encode(Term term, const EncodeOptions& options = {}) {
    return encode_external(heap, names, term, options).value();
  }
  Term decode(const Bytes& bytes) { return decode_external(heap, names, bytes).value(); }
  bool is_refused(const Bytes& bytes) { return !decode_external(heap, names, bytes).ok(); }

  Heap heap;
  Names names;
};

TEST_F(ExternalFormatTest, ARandomTermComesBackEqualWithAllOptions) {
  RandomTerms random(heap, names, 5);
  for (int round = 0; round < 2000; ++round) {
    heap.reset();
    const Term term = random.any(5);
    for (const EncodeOptions& options :
         {EncodeOptions{}, EncodeOptions{.compression = -1}, EncodeOptions{.minor_version = 0},
          EncodeOptions{.minor_version = 2}, EncodeOptions{.is_deterministic = true}}) {
      const Bytes bytes = encode(term, options);
      const auto decoded = decode_external_prefix(heap, names, bytes);
      ASSERT_TRUE(decoded);
      EXPECT_EQ(decoded->size, bytes.size());
      EXPECT_TRUE(equal_exactly(decoded->term, term)) << erlang_text(names, term);
    }
    EXPECT_EQ(external_size(heap, names, term), encode(term).size());
  }
}

TEST_F(ExternalFormatTest, PidsAndReferencesComeBackInATableWithOtherIndices) {
  Names other;
  for (std::uint32_t i = 1; i <= 10; ++i) other.child_pid(other.root_pid(), 100 + i);  // moves the indices
  Term pid = names.root_pid();
  for (const std::uint32_t ordinal : {3U, 1U, 2U}) {
    pid = names.child_pid(pid, ordinal);
    const Term reference = Names::make_reference(pid, (std::uint64_t{1} << 35) + 7);
    for (const Term term : {pid, reference}) {
      const Bytes bytes = encode(term);
      const Term there = decode_external(heap, other, bytes).value();
      EXPECT_EQ(encode_external(heap, other, there).value(), bytes);
      EXPECT_EQ(decode(bytes), term);
    }
    EXPECT_EQ(other.pid_text(decode_external(heap, other, encode(pid)).value()), names.pid_text(pid));
  }
  EXPECT_EQ(decode(encode(Names::device_pid())), Names::device_pid());
  EXPECT_EQ(decode(encode(Term::port(5))), Term::port(5));
}

TEST_F(ExternalFormatTest, APathThatIsTooLongForANumberIsNamedByItsIndex) {
  Term pid = names.root_pid();
  for (int depth = 0; depth < 80; ++depth)
    pid = names.child_pid(pid, 1 + static_cast<std::uint32_t>(depth) * 1000);
  EXPECT_NE(process_number(names, pid) & kProcessNumberIsIndex, 0U);
  EXPECT_EQ(decode(encode(pid)), pid);
}

TEST_F(ExternalFormatTest, WhatBelongsToOtherNodesIsKeptAsItIs) {
  const Bytes samples[] = {
      {131, 88, 119, 3, 'a', '@', 'b', 0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 5},                   // pid
      {131, 89, 119, 3, 'a', '@', 'b', 0, 0, 0, 9, 0, 0, 0, 5},                               // port
      {131, 120, 119, 3, 'a', '@', 'b', 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 5},  // large port
      {131, 90, 0, 2, 119, 3, 'a', '@', 'b', 0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0, 2},             // reference
      {131, 90, 0, 0, 119, 3, 'a', '@', 'b', 0, 0, 0, 5},
  };
  for (const Bytes& bytes : samples) {
    const Term term = decode(bytes);
    EXPECT_TRUE(is_kind(term, Kind::kForeign));
    EXPECT_EQ(encode(term, {.minor_version = 2}), bytes);
  }
}

TEST_F(ExternalFormatTest, AFunOfAModuleThatIsNotLoadedComesBackWithItsVariables) {
  Bytes bytes{131, 112, 0, 0, 0, 0, 1};
  for (std::uint8_t i = 0; i < 16; ++i) bytes.push_back(i);  // MD5 of the module
  for (const int byte : {0, 0, 0, 2, 0, 0, 0, 2, 100, 0, 1, int{'m'}, 97, 2, 98, 5, 6, 7, 8})
    bytes.push_back(static_cast<std::uint8_t>(byte));
  const Bytes creator = encode(names.root_pid());
  bytes.insert(bytes.end(), creator.begin() + 1, creator.end());
  for (const int byte : {97, 42, 107, 0, 1, int{'x'}}) bytes.push_back(static_cast<std::uint8_t>(byte));
  bytes[5] = static_cast<std::uint8_t>(bytes.size() - 2);  // its own size
  const Term fun = decode(bytes);
  ASSERT_TRUE(is_kind(fun, Kind::kFun));
  EXPECT_EQ(fun.object()[2], Term::small(1));
  EXPECT_EQ(fun.object()[3], Term::small(42));
  EXPECT_EQ(encode(fun), bytes);
  EXPECT_GT(external_size(heap, names, fun), bytes.size());  // the emulator's estimate
}

TEST_F(ExternalFormatTest, DepthIsNoLimit) {
  constexpr int kDepth = 200'000;
  Term list = Term::nil(), tuple = Term::small(1), map = Term::nil();
  for (int i = 0; i < kDepth; ++i) {
    list = heap.cons(list, Term::nil());
    tuple = heap.tuple({tuple});
  }
  for (int i = 0; i < 20'000; ++i) map = map_from_pairs(heap, names, std::vector<Term>{atoms::kOk, map});
  for (const Term term : {list, tuple, map}) {
    const Bytes bytes = encode(term);
    EXPECT_EQ(encode(decode(bytes)), bytes);
    EXPECT_TRUE(is_refused(Bytes(bytes.begin(), bytes.end() - 1)));
  }
}

TEST_F(ExternalFormatTest, EveryPrefixIsRefused) {
  RandomTerms random(heap, names, 11);
  for (int round = 0; round < 200; ++round) {
    heap.reset();
    const Bytes bytes = encode(random.any(4));
    for (std::size_t size = 0; size < bytes.size(); ++size)
      EXPECT_TRUE(is_refused(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size))))
          << size;
  }
}

TEST_F(ExternalFormatTest, DamagedBytesNeverCostMuchMemory) {
  RandomTerms random(heap, names, 13);
  std::mt19937 generator(17);
  for (int round = 0; round < 5000; ++round) {
    heap.reset();
    Bytes bytes = encode(random.any(4));
    for (std::uint32_t i = generator() % 4 + 1; i-- > 0;)
      bytes[generator() % bytes.size()] = static_cast<std::uint8_t>(generator());
    const std::size_t before = heap.words_used();
    const auto decoded = decode_external(heap, names, bytes);
    EXPECT_LT(heap.words_used() - before, 40 * bytes.size() + 100);
    if (decoded) encode(*decoded);  // what was accepted is a term
  }
}

TEST_F(ExternalFormatTest, NestedPromisesOfLargeContainersAllocateNothingLarge) {
  Bytes bytes{131};
  for (int i = 0; i < 10'000; ++i)
    for (const int byte : {105, 0, 0, 200, 0})
      bytes.push_back(static_cast<std::uint8_t>(byte));  // tuples of 51200 elements
  EXPECT_TRUE(is_refused(bytes));
  EXPECT_LT(heap.words_used(), 4 * bytes.size());
}

TEST_F(ExternalFormatTest, ACompressedStreamMustBeAsLongAsItSays) {
  const Term text = heap.list(std::vector<Term>(500, Term::small('a')));
  const Bytes bytes = encode(text, {.compression = 9});
  ASSERT_EQ(bytes[1], 80);
  EXPECT_TRUE(equal_exactly(decode(bytes), text));
  for (const int change : {-1, 1, 100}) {
    Bytes wrong = bytes;
    wrong[5] = static_cast<std::uint8_t>(wrong[5] + change);
    EXPECT_TRUE(is_refused(wrong));
  }
  Bytes huge = bytes;
  huge[2] = 255;  // 4 GiB promised
  EXPECT_TRUE(is_refused(huge));
}

TEST_F(ExternalFormatTest, NewAtomsCanBeRefused) {
  const Bytes known{131, 119, 2, 'o', 'k'}, unknown{131, 119, 4, 'q', 'x', 'z', 'q'};
  EXPECT_TRUE(decode_external(heap, names, known, NewAtoms::kRefused));
  EXPECT_FALSE(decode_external(heap, names, unknown, NewAtoms::kRefused));
  EXPECT_TRUE(decode_external(heap, names, unknown, NewAtoms::kRunTime));
  EXPECT_TRUE(decode_external(heap, names, unknown, NewAtoms::kRefused));
  names.atoms.set_run_time_atoms({});  // another execution
  EXPECT_FALSE(decode_external(heap, names, unknown, NewAtoms::kRefused));
  EXPECT_TRUE(decode_external(heap, names, unknown));
  names.atoms.set_run_time_atoms({});
  EXPECT_TRUE(decode_external(heap, names, unknown, NewAtoms::kRefused));
}

}  // namespace
}  // namespace ravel::erlang
