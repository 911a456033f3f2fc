#include "erlang/term/packet.h"

#include <limits>

namespace ravel::erlang {

namespace {

using Status = PacketLength::Status;

constexpr PacketLength kInvalid{.status = Status::kInvalid};
constexpr PacketLength kMore{.status = Status::kUnknown};

std::uint64_t big_endian(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

PacketLength known(std::size_t size) { return {.status = Status::kKnown, .size = size}; }

// A packet of a header and `body` bytes, which may be less than nothing in a damaged header.
PacketLength framed(std::size_t header, std::int64_t body, const PacketOptions& options) {
  const std::int64_t size = static_cast<std::int64_t>(header) + body;
  if (body < 0 || size > std::numeric_limits<std::int32_t>::max()) return kInvalid;
  if (options.size_max != 0 && body > options.size_max) return kInvalid;
  return known(static_cast<std::size_t>(size));
}

PacketLength counted(std::string_view bytes, std::size_t header, const PacketOptions& options) {
  if (bytes.size() < header) return kMore;
  return framed(header, static_cast<std::int64_t>(big_endian(bytes, 0, header)), options);
}

PacketLength asn1(std::string_view bytes, const PacketOptions& options) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  if (bytes.size() < 2) return kMore;
  std::size_t at = 1;
  if ((byte(0) & 0x1F) == 0x1F) {  // a tag of several bytes
    while (at < bytes.size() && (byte(at) & 0x80) != 0) ++at;
    if (bytes.size() - at < 2) return kMore;
    ++at;
  }
  const std::size_t length = byte(at) & 0x7F;
  const bool is_long = (byte(at) & 0x80) != 0;
  ++at;
  if (!is_long) return framed(at, static_cast<std::int64_t>(length), options);
  if (bytes.size() - at < length) return kMore;
  if (length > 4) return kInvalid;
  const auto body = static_cast<std::int64_t>(big_endian(bytes, at, length));
  return framed(at + length, body, options);
}

PacketLength cdr(std::string_view bytes, const PacketOptions& options) {
  constexpr std::size_t kHeader = 12, kFlags = 6, kSize = 8;
  if (bytes.size() < kHeader) return kMore;
  if (!bytes.starts_with("GIOP")) return kInvalid;
  std::uint64_t size = big_endian(bytes, kSize, 4);
  if ((bytes[kFlags] & 1) != 0) size = __builtin_bswap32(static_cast<std::uint32_t>(size));
  return framed(kHeader, static_cast<std::int64_t>(size), options);
}

constexpr std::size_t kFastCgiHeader = 8, kFastCgiLength = 4, kFastCgiPadding = 6;

PacketLength fast_cgi(std::string_view bytes, const PacketOptions& options) {
  if (bytes.size() < kFastCgiHeader) return kMore;
  if (bytes[0] != 1) return kInvalid;
  const std::uint64_t body = big_endian(bytes, kFastCgiLength, 2) + big_endian(bytes, kFastCgiPadding, 1);
  return framed(kFastCgiHeader, static_cast<std::int64_t>(body), options);
}

PacketLength tpkt(std::string_view bytes, const PacketOptions& options) {
  constexpr std::size_t kHeader = 4;
  if (bytes.size() < kHeader) return kMore;
  if (bytes[0] != 3) return kInvalid;
  return framed(kHeader, static_cast<std::int64_t>(big_endian(bytes, 2, 2)) - std::int64_t{kHeader}, options);
}

PacketLength tls(std::string_view bytes, const PacketOptions& options) {
  constexpr std::size_t kHeader = 5;
  if (bytes.size() < kHeader) return kMore;
  const bool is_old_hello = (bytes[0] & 0x80) != 0 && bytes[2] == 1;  // of SSL 2
  const auto body =
      static_cast<std::int64_t>(is_old_hello ? big_endian(bytes, 0, 2) & 0x7FFF : big_endian(bytes, 3, 2));
  return framed(kHeader, is_old_hello ? body - 3 : body, options);
}

PacketLength line(std::string_view bytes, const PacketOptions& options) {
  const std::size_t end = bytes.find(options.delimiter);
  const bool is_found = end != std::string_view::npos;
  const std::size_t size = is_found ? end + 1 : bytes.size();
  if (options.size_max != 0 && size > options.size_max) return kInvalid;
  const std::size_t cut = options.line_length_max;
  if (cut != 0 && (is_found ? size > cut : size >= cut)) return known(cut);
  return is_found ? known(size) : kMore;
}

// A header goes on in the next line if that begins with a blank; so its end is known only when the next line
// has begun.
PacketLength http(std::string_view bytes, bool is_header, const PacketOptions& options) {
  if (bytes == "\n" || bytes == "\r\n") return known(bytes.size());
  const std::size_t size_max = options.size_max != 0 ? options.size_max : options.line_length_max;
  for (std::size_t from = 0;;) {
    const std::size_t end = bytes.find('\n', from);
    if (end == std::string_view::npos) return size_max != 0 && bytes.size() >= size_max ? kInvalid : kMore;
    const std::size_t size = end + 1;
    const bool is_at_end = size == bytes.size();
    if (is_header && !is_at_end && is_blank(bytes[size]) && size > 2) {
      from = size;
      continue;
    }
    if (size_max != 0 && size > size_max) return kInvalid;
    return is_header && is_at_end ? kMore : known(size);
  }
}

}  // namespace

PacketLength find_packet(PacketType type, std::string_view bytes, const PacketOptions& options) {
  switch (type) {
    case PacketType::kRaw: return bytes.empty() ? kMore : known(bytes.size());
    case PacketType::kOneByte: return counted(bytes, 1, options);
    case PacketType::kTwoBytes: return counted(bytes, 2, options);
    case PacketType::kFourBytes: return counted(bytes, 4, options);
    case PacketType::kSunRpc:
      if (bytes.size() < 4) return kMore;
      return framed(4, static_cast<std::int64_t>(big_endian(bytes, 0, 4) & 0x7FFFFFFF), options);
    case PacketType::kAsn1: return asn1(bytes, options);
    case PacketType::kCdr: return cdr(bytes, options);
    case PacketType::kFastCgi: return fast_cgi(bytes, options);
    case PacketType::kTpkt: return tpkt(bytes, options);
    case PacketType::kTls: return tls(bytes, options);
    case PacketType::kLine: return line(bytes, options);
    case PacketType::kHttp: return http(bytes, false, options);
    case PacketType::kHttpHeader: return http(bytes, true, options);
  }
  return kInvalid;
}

std::string_view packet_body(PacketType type, std::string_view packet) {
  switch (type) {
    case PacketType::kOneByte: return packet.substr(1);
    case PacketType::kTwoBytes: return packet.substr(2);
    case PacketType::kFourBytes: return packet.substr(4);
    case PacketType::kFastCgi:
      return packet.substr(0, packet.size() - static_cast<unsigned char>(packet[kFastCgiPadding]));
    default: return packet;
  }
}

}  // namespace ravel::erlang
