// MD5 (R. Rivest, "The MD5 Message-Digest Algorithm", RFC 1321, 1992), in pieces.
//
// Erlang identifies modules and funs by it and offers it as erlang:md5/1 and md5_init/update/final. It
// protects nothing. The state is plain data: copy it, compare it, store it.

#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace ravel::erlang {

using Md5Digest = std::array<std::uint8_t, 16>;

struct Md5State {
  std::array<std::uint32_t, 4> words = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  std::uint64_t length = 0;                   // bytes seen so far
  std::array<std::uint8_t, 64> pending = {};  // the first length % 64 bytes wait for a full block

  friend bool operator==(const Md5State&, const Md5State&) = default;
};

void md5_update(Md5State& state, std::span<const std::uint8_t> bytes);

// The digest of everything that `state` has seen; it may go on afterwards.
Md5Digest md5_final(Md5State state);

Md5Digest md5(std::span<const std::uint8_t> bytes);

}  // namespace ravel::erlang
