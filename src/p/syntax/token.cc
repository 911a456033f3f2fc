#include "p/syntax/token.h"

namespace ravel::p {

std::string_view describe(TokenKind kind) {
  switch (kind) {
    case TokenKind::kEnd: return "the end of the file";
    case TokenKind::kName: return "a name";
    case TokenKind::kInteger: return "a number";
    case TokenKind::kText: return "a string";
#define RAVEL_P_TOKEN(name, text) \
  case TokenKind::name:           \
    return "`" text "`";
#include "p/syntax/tokens.def"
#undef RAVEL_P_TOKEN
  }
  return "";
}

bool is_word(TokenKind kind) { return kind >= TokenKind::kAnnounce && kind <= TokenKind::kWith; }

}  // namespace ravel::p
