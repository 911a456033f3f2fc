#include "story/page_template.h"

#include <gtest/gtest.h>

#include <string_view>

namespace ravel {
namespace {

TEST(PageTemplate, HasOneEmptyElementForTheStoryUnlessItWasLeftOut) {
  const std::string_view page = page_template();
  if (page.empty()) GTEST_SKIP() << "the page was left out of this build: npm or the network was missing";
  constexpr std::string_view kElement = R"(<script type="application/json" id="story"></script>)";
  const std::size_t first = page.find(kElement);
  ASSERT_NE(first, std::string_view::npos);
  EXPECT_EQ(page.find(kElement, first + 1), std::string_view::npos);
}

// What the page loads would be a request, and all of it is refused by the page itself.
TEST(PageTemplate, LoadsNothing) {
  const std::string_view page = page_template();
  if (page.empty()) GTEST_SKIP() << "the page was left out of this build: npm or the network was missing";
  EXPECT_NE(page.find("default-src 'none'"), std::string_view::npos);
  for (const std::string_view loads : {"<script src", "<link rel=\"stylesheet\"", "@import", "<img ", "url("})
    EXPECT_EQ(page.find(loads), std::string_view::npos) << loads;
}

}  // namespace
}  // namespace ravel
