#include "story/page_template.h"

namespace ravel {

namespace {

// Made by page/build.mjs: kPage, a string literal in pieces.
#include "page_template.inc"

}  // namespace

std::string_view page_template() { return kPage; }

}  // namespace ravel
