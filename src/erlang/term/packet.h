// Where packets end in a stream of bytes: the framings that erlang:decode_packet/3 and sockets know.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ravel::erlang {

enum class PacketType : std::uint8_t {
  kRaw,
  kOneByte,  // length in 1, 2 or 4 bytes before the data
  kTwoBytes,
  kFourBytes,
  kAsn1,
  kSunRpc,  // the uppermost bit of four bytes marks the last piece of a record
  kCdr,
  kFastCgi,
  kTpkt,
  kTls,
  kLine,
  kHttp,  // a request or status line
  kHttpHeader,
};

struct PacketOptions {
  std::uint32_t size_max = 0;         // 0: no limit
  std::uint32_t line_length_max = 0;  // lines are cut there; 0: never
  char delimiter = '\n';              // of lines
};

struct PacketLength {
  enum class Status : std::uint8_t { kKnown, kUnknown, kInvalid };
  Status status;
  std::size_t size = 0;  // of the whole packet, with its header; it may be more than there is yet
};

PacketLength find_packet(PacketType type, std::string_view bytes, const PacketOptions& options);

// The data of a packet, without what only frames it.
std::string_view packet_body(PacketType type, std::string_view packet);

}  // namespace ravel::erlang
