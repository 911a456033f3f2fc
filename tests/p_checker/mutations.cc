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

bool is_blank(const std::string& piece) {
  return piece.empty() || piece[0] == ' ' || piece[0] == '\n' || piece[0] == '\t' || piece[0] == '\r' ||
         piece[0] == '/';
}

// What kind of token it is, as far as one look tells: a number, a name or word, a text, a sign.
char kind_of_piece(const std::string& piece) {
  if (is_blank(piece)) return ' ';
  if (piece[0] >= '0' && piece[0] <= '9') return '0';
  if (piece[0] == '"') return '"';
  const bool is_name =
      (piece[0] >= 'a' && piece[0] <= 'z') || (piece[0] >= 'A' && piece[0] <= 'Z') || piece[0] == '_';
  return is_name ? 'a' : '+';
}

// A token of that kind; of any kind if there is none.
std::size_t some_piece(const std::vector<std::string>& pieces, char kind, Random& random) {
  constexpr int kTries = 50;
  std::size_t at = 0;
  for (int i = 0; i < kTries; ++i) {
    at = random.below(pieces.size());
    if (!is_blank(pieces[at]) && (kind == ' ' || kind_of_piece(pieces[at]) == kind)) break;
  }
  return at;
}

std::string other_number(Random& random) {
  static constexpr const char* kNumbers[] = {"0", "1", "2", "3", "7", "40", "10001", "2147483647", "1.5"};
  return kNumbers[random.below(std::size(kNumbers))];
}

void vary(std::vector<std::string>& pieces, const std::vector<std::string>& others, Random& random) {
  const std::size_t at = some_piece(pieces, ' ', random);
  const auto place = pieces.begin() + static_cast<long>(at);
  switch (random.below(8)) {
    case 0: pieces.erase(place); return;
    case 1: pieces.insert(place, pieces[at]); return;
    case 2: std::swap(pieces[at], pieces[some_piece(pieces, kind_of_piece(pieces[at]), random)]); return;
    case 3: pieces[at] = others[some_piece(others, kind_of_piece(pieces[at]), random)]; return;
    case 4: pieces[some_piece(pieces, '0', random)] = other_number(random); return;
    case 5: {
      const std::size_t from = random.below(others.size());
      const std::size_t count = std::min(others.size() - from, std::size_t{1} + random.below(30));
      pieces.insert(place, others.begin() + static_cast<long>(from),
                    others.begin() + static_cast<long>(from + count));
      return;
    }
    default: pieces[at] = pieces[some_piece(pieces, kind_of_piece(pieces[at]), random)]; return;
  }
}

}  // namespace

std::string varied(std::string_view text, std::string_view other, Random& random) {
  std::vector<std::string> pieces = pieces_of(text);
  const std::vector<std::string> others = pieces_of(other);
  if (others.empty()) return std::string(text);
  for (std::size_t i = 0, count = random.chance(2, 3) ? 1 : 1 + random.below(3); i < count && !pieces.empty();
       ++i)
    vary(pieces, others, random);
  std::string result;
  for (const std::string& piece : pieces) result += piece;
  return result;
}

std::string mutated(std::string_view text, Random& random) {
  std::string result(text);
  for (std::size_t i = 0, count = 1 + random.below(4); i < count; ++i)
    random.below(3) == 0 ? damage_bytes(result, random) : damage_tokens(result, random);
  return result;
}

}  // namespace ravel::p
