// erlang:decode_packet/3.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "erlang/bif/builtins.h"
#include "erlang/term/bits.h"
#include "erlang/term/packet.h"
#include "erlang/term/release.h"

namespace ravel::erlang {

namespace {

// A header's name that is longer is not brought into its usual form.
constexpr std::size_t kUsualNameMax = 50;

// Names that become atoms; http_header tells the position, from 1.
constexpr auto kHeaders = std::to_array<std::string_view>({
    "Cache-Control",
    "Connection",
    "Date",
    "Pragma",
    "Transfer-Encoding",
    "Upgrade",
    "Via",
    "Accept",
    "Accept-Charset",
    "Accept-Encoding",
    "Accept-Language",
    "Authorization",
    "From",
    "Host",
    "If-Modified-Since",
    "If-Match",
    "If-None-Match",
    "If-Range",
    "If-Unmodified-Since",
    "Max-Forwards",
    "Proxy-Authorization",
    "Range",
    "Referer",
    "User-Agent",
    "Age",
    "Location",
    "Proxy-Authenticate",
    "Public",
    "Retry-After",
    "Server",
    "Vary",
    "Warning",
    "Www-Authenticate",
    "Allow",
    "Content-Base",
    "Content-Encoding",
    "Content-Language",
    "Content-Length",
    "Content-Location",
    "Content-Md5",
    "Content-Range",
    "Content-Type",
    "Etag",
    "Expires",
    "Last-Modified",
    "Accept-Ranges",
    "Set-Cookie",
    "Set-Cookie2",
    "X-Forwarded-For",
    "Cookie",
    "Keep-Alive",
    "Proxy-Connection",
});
constexpr auto kMethods =
    std::to_array<std::string_view>({"OPTIONS", "GET", "HEAD", "POST", "PUT", "DELETE", "TRACE"});

struct TypeName {
  Term name;
  PacketType type;
  bool has_binaries = false;  // texts are binaries, not lists
};

constexpr auto kTypes = std::to_array<TypeName>({
    {Term::small(0), PacketType::kRaw},
    {atoms::kRaw, PacketType::kRaw},
    {Term::small(1), PacketType::kOneByte},
    {Term::small(2), PacketType::kTwoBytes},
    {Term::small(4), PacketType::kFourBytes},
    {atoms::kAsn1, PacketType::kAsn1},
    {atoms::kSunrm, PacketType::kSunRpc},
    {atoms::kCdr, PacketType::kCdr},
    {atoms::kFcgi, PacketType::kFastCgi},
    {atoms::kLine, PacketType::kLine},
    {atoms::kTpkt, PacketType::kTpkt},
    {atoms::kHttp, PacketType::kHttp},
    {atoms::kHttph, PacketType::kHttpHeader},
    {atoms::kHttpBin, PacketType::kHttp, true},
    {atoms::kHttphBin, PacketType::kHttpHeader, true},
    {atoms::kSslTls, PacketType::kTls},
});

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
// May it stand in a method or the name of a header?
bool is_token(char c) {
  return c > ' ' && std::string_view("()<>@,;:\\\"/[]?={}").find(c) == std::string_view::npos;
}

// Reads one line of HTTP into the terms that describe it; none for a line that is not HTTP.
class HttpReader {
 public:
  HttpReader(Call& call, bool has_binaries) : call_(call), heap_(call.heap), has_binaries_(has_binaries) {}

  Term text(std::string_view characters) {
    if (has_binaries_) return make_binary(heap_, characters.data(), characters.size());
    Term list = Term::nil();
    for (std::size_t i = characters.size(); i-- > 0;)
      list = heap_.cons(Term::small(static_cast<unsigned char>(characters[i])), list);
    return list;
  }

  Term read_start(std::string_view line) {
    line_ = without_end(line);
    return line_.starts_with("HTTP/") ? read_response() : read_request();
  }

  Term read_header(std::string_view packet) {
    line_ = without_end(packet);
    if (line_.empty()) return atoms::kHttpEoh;
    // The first character after the name decides, even if it belongs to the end of the line.
    const std::size_t length = token_length();
    if (length == line_.size() || line_[length] != ':') return Term::none();
    const std::string_view original = line_.substr(0, length);
    std::string usual;
    if (length <= kUsualNameMax) usual = usual_form(original);
    const auto* known = std::ranges::find(kHeaders, usual);
    const bool is_known = known != kHeaders.end();
    line_.remove_prefix(length + 1);
    skip_blanks();
    const Term position = Term::small(is_known ? known - kHeaders.begin() + 1 : 0);
    const Term name =
        is_known ? call_.atom(usual) : text(length <= kUsualNameMax ? std::string_view(usual) : original);
    return heap_.tuple({atoms::kHttpHeader, position, name, text(original), text(line_)});
  }

 private:
  static std::string_view without_end(std::string_view line) {
    if (line.size() >= 2 && line[line.size() - 2] == '\r') return line.substr(0, line.size() - 2);
    if (line.ends_with('\n')) line.remove_suffix(1);
    return line;
  }

  std::size_t token_length() const {
    return static_cast<std::size_t>(std::ranges::find_if_not(line_, is_token) - line_.begin());
  }
  std::size_t skip_blanks() {
    const auto count = static_cast<std::size_t>(std::ranges::find_if_not(line_, is_blank) - line_.begin());
    line_.remove_prefix(count);
    return count;
  }
  // Nothing if no digit is there.
  std::optional<std::int64_t> read_number() {
    if (line_.empty() || !is_digit(line_[0])) return std::nullopt;
    std::uint32_t value = 0;
    for (; !line_.empty() && is_digit(line_[0]); line_.remove_prefix(1))
      value = 10 * value + static_cast<std::uint32_t>(line_[0] - '0');
    return static_cast<std::int32_t>(value);
  }
  // The version after "HTTP/": {Major, Minor}, or none.
  Term read_version() {
    line_.remove_prefix(5);
    const auto major = read_number();
    if (!major || line_.empty() || line_[0] != '.') return Term::none();
    line_.remove_prefix(1);
    const auto minor = read_number();
    if (!minor) return Term::none();
    return heap_.tuple({Term::small(*major), Term::small(*minor)});
  }

  Term read_response() {
    const Term version = read_version();
    if (version.is_none() || skip_blanks() == 0) return Term::none();
    const std::int64_t status = read_number().value_or(0);
    if (skip_blanks() == 0 && !line_.empty()) return Term::none();
    return heap_.tuple({atoms::kHttpResponse, version, Term::small(status), text(line_)});
  }

  Term read_request() {
    const std::size_t length = token_length();
    if (length == 0 || length == line_.size() || !is_blank(line_[length])) return Term::none();
    const std::string_view method = line_.substr(0, length);
    line_.remove_prefix(length);
    skip_blanks();
    const auto uri_length = static_cast<std::size_t>(std::ranges::find_if(line_, is_blank) - line_.begin());
    if (uri_length == 0) return Term::none();
    const std::string_view uri = line_.substr(0, uri_length);
    line_.remove_prefix(uri_length);
    skip_blanks();
    Term version = Term::none();
    if (line_.empty()) {
      version = heap_.tuple({Term::small(0), Term::small(9)});
    } else if (line_.size() >= 8 && line_.starts_with("HTTP/")) {
      version = read_version();
    }
    if (version.is_none()) return version;
    const bool is_known = std::ranges::find(kMethods, method) != kMethods.end();
    return heap_.tuple(
        {atoms::kHttpRequest, is_known ? call_.atom(method) : text(method), read_uri(uri), version});
  }

  Term read_uri(std::string_view uri) {
    if (uri == "*") return atoms::kTimes;
    if (uri.size() <= 1 || uri[0] == '/') return heap_.tuple({atoms::kAbsPath, text(uri)});
    if (begins_with(uri, "http://")) return read_absolute(atoms::kHttp, uri.substr(7));
    if (begins_with(uri, "https://")) return read_absolute(atoms::kHttps, uri.substr(8));
    const std::size_t colon = uri.find(':');
    if (colon == std::string_view::npos) return text(uri);
    return heap_.tuple({atoms::kScheme, text(uri.substr(0, colon)), text(uri.substr(colon + 1))});
  }

  static bool begins_with(std::string_view text, std::string_view lower_case) {
    return text.size() >= lower_case.size() &&
           std::ranges::equal(text.substr(0, lower_case.size()), lower_case,
                              [](char a, char b) { return (is_upper(a) ? a - 'A' + 'a' : a) == b; });
  }

  // A port that is no number is left out.
  Term read_absolute(Term scheme, std::string_view rest) {
    const std::size_t slash = rest.find('/');
    const std::string_view path = slash == std::string_view::npos ? "/" : rest.substr(slash);
    const std::string_view place = rest.substr(0, slash);
    const std::size_t colon = place.find(':');
    Term port = atoms::kUndefined;
    if (colon != std::string_view::npos) {
      line_ = place.substr(colon + 1);
      const std::int64_t number = read_number().value_or(0);
      if (line_.empty() && number != 0) port = Term::small(number);
    }
    return heap_.tuple({atoms::kAbsoluteURI, scheme, text(place.substr(0, colon)), port, text(path)});
  }

  // "content-TYPE" as "Content-Type".
  static std::string usual_form(std::string_view name) {
    std::string result(name);
    bool is_first = true;
    for (char& c : result) {
      if (is_first && is_lower(c)) c = static_cast<char>(c - 'a' + 'A');
      if (!is_first && is_upper(c)) c = static_cast<char>(c - 'A' + 'a');
      is_first = !is_first && c == '-';
    }
    return result;
  }

  Call& call_;
  Heap& heap_;
  const bool has_binaries_;
  std::string_view line_;  // what is still to be read
};

Term read_http(Call& call, const TypeName& type, std::string_view packet) {
  HttpReader reader(call, type.has_binaries);
  const Term result = type.type == PacketType::kHttp ? reader.read_start(packet) : reader.read_header(packet);
  return result.is_none() ? call.heap.tuple({atoms::kHttpError, reader.text(packet)}) : result;
}

Term read_tls(Heap& heap, std::string_view packet) {
  const auto byte = [&](std::size_t i) { return Term::small(static_cast<unsigned char>(packet[i])); };
  std::string data;
  Term type = byte(0);
  std::size_t version_at = 1;
  if ((packet[0] & 0x80) != 0 &&
      packet[2] == 1) {  // SSL 2: given as the handshake message that it stands for
    constexpr int kHandshake = 22;
    const std::size_t size = packet.size() - 3;
    data = {1, static_cast<char>(size >> 16), static_cast<char>(size >> 8), static_cast<char>(size)};
    data += packet.substr(3);
    type = Term::small(kHandshake);
    version_at = 3;
  } else {
    data = packet.substr(5);
  }
  const Term version = heap.tuple({byte(version_at), byte(version_at + 1)});
  return heap.tuple(
      {atoms::kSslTls, Term::nil(), type, version, make_binary(heap, data.data(), data.size())});
}

std::optional<PacketOptions> packet_options(Term list, PacketType type) {
  PacketOptions options;
  for (; list.is_cons(); list = list.tail()) {
    const Term option = list.head();
    if (!is_tuple_of(option, 2) || !element(option, 2).is_small()) return std::nullopt;
    const std::int64_t value = element(option, 2).small_value();
    if (value < 0 || value > 0xFFFFFFFF) return std::nullopt;
    if (element(option, 1) == atoms::kPacketSize) {
      options.size_max = static_cast<std::uint32_t>(value);
    } else if (element(option, 1) == atoms::kLineLength) {
      options.line_length_max = static_cast<std::uint32_t>(value);
    } else if (element(option, 1) == atoms::kLineDelimiter && type == PacketType::kLine && value <= 0xFF) {
      options.delimiter = static_cast<char>(value);
    } else {
      return std::nullopt;
    }
  }
  if (!list.is_nil()) return std::nullopt;
  return options;
}

Term decode_packet_3(Call& call, const Term* arguments) {
  Heap& heap = call.heap;
  const auto* type = std::ranges::find(kTypes, arguments[0], &TypeName::name);
  if (type == kTypes.end()) return call.fail(atoms::kBadarg, atoms::kBadopt);
  const Term binary = arguments[1];
  if (installed_release().wants_whole_bytes ? !is_binary(binary) : !is_bitstring(binary))
    return call.badarg();
  const auto options = packet_options(arguments[2], type->type);
  if (!options) return call.badarg();

  const BitView view = view_bits(binary);
  std::string bytes(view.length / 8, '\0');
  copy_bits(reinterpret_cast<std::uint8_t*>(bytes.data()), 0, view.bytes, view.offset, bytes.size() * 8);
  const PacketLength length = find_packet(type->type, bytes, *options);
  if (length.status == PacketLength::Status::kInvalid) return heap.tuple({atoms::kError, atoms::kInvalid});
  if (length.status == PacketLength::Status::kUnknown) return heap.tuple({atoms::kMore, atoms::kUndefined});
  if (length.size > bytes.size())
    return heap.tuple({atoms::kMore, Term::small(static_cast<std::int64_t>(length.size))});

  const std::string_view packet = std::string_view(bytes).substr(0, length.size);
  const Term rest = make_sub_bits(heap, binary, length.size * 8, view.length - length.size * 8);
  if (type->type == PacketType::kHttp || type->type == PacketType::kHttpHeader)
    return heap.tuple({atoms::kOk, read_http(call, *type, packet), rest});
  if (type->type == PacketType::kTls) return heap.tuple({atoms::kOk, read_tls(heap, packet), rest});
  const std::string_view body = packet_body(type->type, packet);
  const auto offset = static_cast<std::uint64_t>(body.data() - packet.data());
  return heap.tuple({atoms::kOk, make_sub_bits(heap, binary, offset * 8, body.size() * 8), rest});
}

constexpr auto kPacketBuiltins =
    std::to_array<Builtin>({{"erlang", "decode_packet", 3, Effect::kPure, decode_packet_3}});

}  // namespace

std::span<const Builtin> packet_builtins() { return kPacketBuiltins; }

}  // namespace ravel::erlang
