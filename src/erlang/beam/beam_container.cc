#include "erlang/beam/beam_container.h"

#include <zlib.h>

#include <algorithm>
#include <string>

namespace ravel::erlang {
namespace {

// zlib cannot compress better than 1 : 1032 ("zlib Technical Details"), so a larger claim is a lie that
// must not become an allocation.
constexpr std::size_t kRatioMax = 1032;

// Far above any module; stops a file made to unpack without end.
constexpr std::size_t kUnpackedMax = std::size_t{256} << 20;

std::vector<std::uint8_t> unpack_gzip(std::span<const std::uint8_t> packed, Fault& fault) {
  z_stream stream = {};
  constexpr int kGzipFormat = 16 + MAX_WBITS;
  if (inflateInit2(&stream, kGzipFormat) != Z_OK) {
    fault.report("zlib could not be started; there is not enough memory.");
    return {};
  }
  stream.next_in = const_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  std::vector<std::uint8_t> unpacked(std::min(packed.size() * 4 + 64, kUnpackedMax));
  int status = Z_OK;
  while (status == Z_OK) {
    if (stream.total_out == unpacked.size()) {
      if (unpacked.size() >= kUnpackedMax) break;
      unpacked.resize(std::min(unpacked.size() * 2, kUnpackedMax));
    }
    stream.next_out = unpacked.data() + stream.total_out;
    stream.avail_out = static_cast<uInt>(unpacked.size() - stream.total_out);
    status = inflate(&stream, Z_NO_FLUSH);
  }
  unpacked.resize(stream.total_out);
  inflateEnd(&stream);
  if (status != Z_STREAM_END) {
    fault.report_damage("its gzip compression is broken");
    return {};
  }
  return unpacked;
}

}  // namespace

std::vector<std::uint8_t> unpack_zlib(std::span<const std::uint8_t> packed, std::size_t claimed_size,
                                      std::string_view part, Fault& fault) {
  if (claimed_size > kUnpackedMax || claimed_size > packed.size() * kRatioMax) {
    fault.report_damage(std::string(part) + " claims to unpack to " + std::to_string(claimed_size) +
                        " bytes, which is not possible");
    return {};
  }
  std::vector<std::uint8_t> unpacked(claimed_size + 1);  // a byte more, to see when there is more
  uLongf size = unpacked.size();
  const int status = uncompress(unpacked.data(), &size, packed.data(), packed.size());
  if (status != Z_OK || size != claimed_size) {
    fault.report_damage(std::string(part) + " cannot be unpacked");
    return {};
  }
  unpacked.resize(size);
  return unpacked;
}

BeamContainer::BeamContainer(std::span<const std::uint8_t> bytes, Fault& fault) {
  if (bytes.size() >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b) {
    unpacked_ = unpack_gzip(bytes, fault);
    bytes = unpacked_;
  }
  const auto begins_with = [](std::span<const std::uint8_t> whole, std::string_view start) {
    return whole.size() >= start.size() && std::equal(start.begin(), start.end(), whole.begin());
  };
  if (!begins_with(bytes, "FOR1")) {
    fault.report(
        "is not a compiled Erlang module: it does not begin with FOR1. Compile the .erl file with erlc.");
    return;
  }
  ByteReader header(bytes.subspan(4), "the file", fault);
  header.expect("its header");
  const std::uint32_t size = header.u32();
  header.expect("its chunks");
  const std::span<const std::uint8_t> form = header.bytes(size);
  if (header.failed()) return;
  if (!begins_with(form, "BEAM")) {
    fault.report("is not a compiled Erlang module: it is an IFF file, but not of the type BEAM.");
    return;
  }
  ByteReader reader(form.subspan(4), "the list of chunks", fault);
  while (!reader.at_end() && !reader.failed()) {
    reader.expect("the header of a chunk");
    const std::span<const std::uint8_t> name = reader.bytes(4);
    const std::uint32_t chunk_size = reader.u32();
    reader.expect("a chunk");
    const std::span<const std::uint8_t> content = reader.bytes(chunk_size);
    const std::size_t padding = (4 - chunk_size % 4) % 4;
    reader.bytes(std::min(padding, reader.left()));
    if (reader.failed()) return;
    chunks_.push_back({{name[0], name[1], name[2], name[3]}, content});
  }
}

std::span<const std::uint8_t> BeamContainer::chunk(std::string_view name) const {
  const auto found = std::find_if(chunks_.rbegin(), chunks_.rend(), [name](const Chunk& chunk) {
    return std::equal(name.begin(), name.end(), chunk.name.begin(), chunk.name.end());
  });
  return found == chunks_.rend() ? std::span<const std::uint8_t>() : found->bytes;
}

}  // namespace ravel::erlang
