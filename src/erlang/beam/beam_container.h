// The container of a .beam file: "FOR1", a size, "BEAM", then chunks of four-letter name, size and bytes,
// padded to four. The whole may be compressed by gzip.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "erlang/beam/byte_reader.h"

namespace ravel::erlang {

class BeamContainer {
 public:
  // Keeps a reference to `bytes` unless they are compressed.
  BeamContainer(std::span<const std::uint8_t> bytes, Fault& fault);
  BeamContainer(const BeamContainer&) = delete;
  BeamContainer& operator=(const BeamContainer&) = delete;

  // Empty if there is no such chunk. Of several by one name the last counts, as for OTP's loader.
  std::span<const std::uint8_t> chunk(std::string_view name) const;

 private:
  struct Chunk {
    std::array<std::uint8_t, 4> name;
    std::span<const std::uint8_t> bytes;
  };
  std::vector<std::uint8_t> unpacked_;  // only if the file was compressed
  std::vector<Chunk> chunks_;
};

// Unpacks bytes compressed by zlib, which claim to have that size. Both a wrong size and wrong bytes are a
// fault.
std::vector<std::uint8_t> unpack_zlib(std::span<const std::uint8_t> packed, std::size_t claimed_size,
                                      std::string_view part, Fault& fault);

}  // namespace ravel::erlang
