// ravel mcp: a server of the Model Context Protocol, on standard input and output.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

#include "cli/commands.h"
#include "host/protocol_streams.h"
#include "mcp/session.h"
#include "report/verdict.h"

namespace ravel {

namespace {

constexpr std::size_t kLineBytesMax = std::size_t{64} << 20;

// Without its newline. Nothing: the input has ended. An error: it is too long.
Result<std::optional<std::string>> read_line(std::FILE* in) {
  std::optional<std::string> line;
  for (int c = std::fgetc(in); c != EOF; c = std::fgetc(in)) {
    if (!line) line.emplace();
    if (c == '\n') break;
    if (line->size() == kLineBytesMax) return Error{"mcp: the client has sent a line of more than 64 MiB."};
    *line += static_cast<char>(c);
  }
  if (line && line->ends_with('\r')) line->pop_back();
  return line;
}

}  // namespace

Result<int> mcp_command(const FrontEnds& front_ends) {
  const auto streams = take_standard_streams();
  if (!streams) return streams.error();
  const mcp::Session session(front_ends);
  while (true) {
    const auto line = read_line(streams->in);
    if (!line) return line.error();
    if (!*line) break;
    if ((*line)->empty()) continue;
    const auto answer = session.answer(**line);
    if (!answer) continue;
    if (std::fputs((*answer + "\n").c_str(), streams->out) == EOF || std::fflush(streams->out) != 0) break;
  }
  return exit_status(Verdict::kPass);
}

}  // namespace ravel
