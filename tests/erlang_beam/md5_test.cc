#include "erlang/beam/md5.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace ravel::erlang {
namespace {

std::string hex(const Md5Digest& digest) {
  std::string result;
  for (const std::uint8_t byte : digest) {
    result += "0123456789abcdef"[byte >> 4];
    result += "0123456789abcdef"[byte & 15];
  }
  return result;
}

std::string md5_of(std::string_view text) {
  return hex(md5({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}));
}

TEST(Md5, AgreesWithTheExamplesOfTheRfc) {
  EXPECT_EQ(md5_of(""), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(md5_of("a"), "0cc175b9c0f1b6a831c399e269772661");
  EXPECT_EQ(md5_of("message digest"), "f96b697d7cb7938d525a2f31aaf161d0");
  EXPECT_EQ(md5_of("abcdefghijklmnopqrstuvwxyz"), "c3fcd3d76192e4007dfb496cca67e13b");
  EXPECT_EQ(md5_of("12345678901234567890123456789012345678901234567890123456789012345678901234567890"),
            "57edf4a22be3c955ac49da2e2107b67a");
}

TEST(Md5, DoesNotDependOnHowTheInputIsCut) {
  std::vector<std::uint8_t> bytes;
  for (int i = 0; i < 200; ++i) bytes.push_back(static_cast<std::uint8_t>(i * 7));
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    const auto all = std::span<const std::uint8_t>(bytes).first(size);
    Md5State by_bytes;
    for (std::size_t i = 0; i < size; ++i) md5_update(by_bytes, all.subspan(i, 1));
    Md5State in_two;
    md5_update(in_two, all.first(size / 3));
    md5_update(in_two, all.subspan(size / 3));
    EXPECT_EQ(md5_final(by_bytes), md5(all)) << size;
    EXPECT_EQ(md5_final(in_two), md5(all)) << size;
    EXPECT_EQ(by_bytes, in_two) << size;
  }
}

TEST(Md5, StateGoesOnAfterItsDigestWasTaken) {
  const std::vector<std::uint8_t> bytes(100, 3);
  Md5State state;
  md5_update(state, std::span(bytes).first(70));
  md5_final(state);
  md5_update(state, std::span(bytes).subspan(70));
  EXPECT_EQ(md5_final(state), md5(bytes));
}

}  // namespace
}  // namespace ravel::erlang
