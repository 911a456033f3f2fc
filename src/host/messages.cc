#include "host/messages.h"

#include <cstdio>

#include "report/verdict.h"

namespace ravel {

namespace {

// Dims each line by itself, so that a pager or a log shows every line right.
void print_dimmed(std::string_view text, ColourWish colour) {
  const Colour used = colour_for(colour, stderr);
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string line = paint(text.substr(0, end), Ink::kDim, used) + "\n";
    std::fputs(line.c_str(), stderr);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

}  // namespace

int complain(std::string_view message) {
  std::string text(message);
  if (!text.ends_with('\n')) text = "ravel: " + text + "\n";
  std::fflush(stdout);
  std::fputs(text.c_str(), stderr);
  return exit_status(Verdict::kError);
}

void remark(std::string_view message, ColourWish colour) {
  std::fflush(stdout);
  print_dimmed("ravel: " + std::string(message), colour);
}

void show_compiler_messages(const std::string& messages, ColourWish colour) {
  if (!messages.empty()) print_dimmed(messages, colour);
}

}  // namespace ravel
