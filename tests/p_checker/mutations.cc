#include "tests/p_checker/mutations.h"

#include <algorithm>
#include <vector>

#include "p/syntax/lexer.h"

namespace ravel::p {
namespace {

// Tokens, and what is between them, so that all of them together are the text.
std::vector<std::string> pieces_of(std::string_view text) {
  Sources sources;
  Diagnostics ignored;
  const std::uint32_t file = sources.add("fuzz", std::string(text));
  const std::string_view whole = sources.text(file);
  std::vector<std::string> pieces;
  std::size_t at = 0;
  for (const Token& token : read_tokens(sources, file, ignored)) {
    if (token.place.offset > at) pieces.emplace_back(whole.substr(at, token.place.offset - at));
    pieces.emplace_back(token.text);
    at = token.place.offset + token.text.size();
  }
  return pieces;
}

void damage_bytes(std::string& text, Random& random) {
  if (text.empty()) return;
  const std::size_t at = random.below(text.size());
  switch (random.below(4)) {
    case 0: text.erase(at, 1 + random.below(8)); break;
    case 1: text.insert(at, text.substr(at, 1 + random.below(40))); break;
    case 2: std::swap(text[at], text[random.below(text.size())]); break;
    default: text[at] = static_cast<char>(random.below(256));
  }
}

void damage_tokens(std::string& text, Random& random) {
  std::vector<std::string> pieces = pieces_of(text);
  if (pieces.empty()) return;
  const std::size_t at = random.below(pieces.size());
  const std::size_t other = random.below(pieces.size());
  switch (random.below(5)) {
    case 0: pieces.erase(pieces.begin() + static_cast<long>(at)); break;
    case 1: pieces.insert(pieces.begin() + static_cast<long>(at), pieces[other]); break;
    case 2: std::swap(pieces[at], pieces[other]); break;
    case 3: pieces[at] = pieces[other]; break;
    default: {
      // A row of one token nests, or is long.
      std::string row;
      for (std::size_t i = 0, count = std::size_t{1} << random.below(12); i < count; ++i)
        row += pieces[at] + " ";
      pieces[at] = row;
    }
  }
  text.clear();
  for (const std::string& piece : pieces) text += piece;
}

}  // namespace

std::string mutated(std::string_view text, Random& random) {
  std::string result(text);
  for (std::size_t i = 0, count = 1 + random.below(4); i < count; ++i)
    random.below(3) == 0 ? damage_bytes(result, random) : damage_tokens(result, random);
  return result;
}

}  // namespace ravel::p
