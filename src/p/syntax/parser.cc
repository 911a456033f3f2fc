#include "p/syntax/parser.h"

#include "p/syntax/lexer.h"
#include "p/syntax/parser_rules.h"

namespace ravel::p {

FileSyntax parse(const Sources& sources, std::uint32_t file, Arena& arena, Diagnostics& diagnostics) {
  return Parser(read_tokens(sources, file, diagnostics), arena, diagnostics).file();
}

}  // namespace ravel::p
