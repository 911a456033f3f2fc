#include "dap/frames.h"

#include <charconv>
#include <cstdint>

namespace ravel::dap {

namespace {

constexpr std::size_t kHeaderLineMax = 4096;
constexpr std::string_view kLengthName = "content-length";

Error broken(const std::string& what) {
  return Error{"dap: the client has sent " + what +
               ". Messages begin with 'Content-Length: N' and an empty line."};
}

// A line without its end. Nothing: the stream has ended in it.
Result<std::optional<std::string>> read_line(std::FILE* in) {
  std::string line;
  for (int c = std::fgetc(in); c != EOF; c = std::fgetc(in)) {
    if (c == '\n') {
      if (line.ends_with('\r')) line.pop_back();
      return std::optional(line);
    }
    if (line.size() == kHeaderLineMax) return broken("a header line of more than 4096 bytes");
    line += static_cast<char>(c);
  }
  if (!line.empty()) return broken("the beginning of a message, and then nothing");
  return std::optional<std::string>();
}

bool is_length(std::string_view name) {
  if (name.size() != kLengthName.size()) return false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char lower = name[i] >= 'A' && name[i] <= 'Z' ? static_cast<char>(name[i] - 'A' + 'a') : name[i];
    if (lower != kLengthName[i]) return false;
  }
  return true;
}

Result<std::uint64_t> parse_length(std::string_view text) {
  const auto begin = text.find_first_not_of(' ');
  std::string_view digits = begin == text.npos ? std::string_view() : text.substr(begin);
  while (digits.ends_with(' ')) digits.remove_suffix(1);
  std::uint64_t length = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), length);
  if (problem != std::errc() || end != digits.data() + digits.size())
    return broken("the length '" + std::string(digits.substr(0, 40)) + "', which is no number");
  if (length > kMessageBytesMax) return broken("a message of more than 64 MiB");
  return length;
}

}  // namespace

Result<std::optional<std::string>> read_frame(std::FILE* in) {
  std::optional<std::uint64_t> length;
  bool is_first = true;
  while (true) {
    auto line = read_line(in);
    if (!line) return line.error();
    if (!*line && is_first) return std::optional<std::string>();
    if (!*line) return broken("the beginning of a message, and then nothing");
    is_first = false;
    if ((*line)->empty()) break;
    const std::size_t colon = (*line)->find(':');
    if (colon == std::string::npos) return broken("the header line '" + (*line)->substr(0, 40) + "'");
    if (!is_length(std::string_view(**line).substr(0, colon))) continue;
    auto parsed = parse_length(std::string_view(**line).substr(colon + 1));
    if (!parsed) return parsed.error();
    length = *parsed;
  }
  if (!length) return broken("a header without a length");
  std::string message(static_cast<std::size_t>(*length), '\0');
  if (std::fread(message.data(), 1, message.size(), in) != message.size())
    return broken("a message that is shorter than its length");
  return std::optional(std::move(message));
}

bool write_frame(std::FILE* out, std::string_view message) {
  const std::string header = "Content-Length: " + std::to_string(message.size()) + "\r\n\r\n";
  return std::fwrite(header.data(), 1, header.size(), out) == header.size() &&
         std::fwrite(message.data(), 1, message.size(), out) == message.size() && std::fflush(out) == 0;
}

}  // namespace ravel::dap
