#include "dap/frames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <string>

namespace ravel::dap {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closer>;

File file_with(const std::string& bytes) {
  File file(std::tmpfile());
  std::fwrite(bytes.data(), 1, bytes.size(), file.get());
  std::rewind(file.get());
  return file;
}

std::string refusal(const std::string& bytes) {
  const File file = file_with(bytes);
  const auto read = read_frame(file.get());
  return read ? "read" : read.error().message;
}

TEST(Frames, AreReadOneAfterTheOther) {
  const File file =
      file_with("Content-Length: 2\r\n\r\n{}content-length:3\nX-Other: 7\n\nabcContent-Length: 0\r\n\r\n");
  for (const char* const expected : {"{}", "abc", ""}) {
    const auto read = read_frame(file.get());
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(*read, expected);
  }
  const auto end = read_frame(file.get());
  ASSERT_TRUE(end.ok());
  EXPECT_FALSE(end->has_value());
}

TEST(Frames, ThatAreBrokenAreRefused) {
  EXPECT_THAT(refusal("nonsense\r\n\r\n"), HasSubstr("the header line 'nonsense'"));
  EXPECT_THAT(refusal("{\"seq\":1}\n\n"), HasSubstr("a header without a length"));
  EXPECT_THAT(refusal("\r\n"), HasSubstr("a header without a length"));
  EXPECT_THAT(refusal("Content-Length: many\r\n\r\n"), HasSubstr("'many', which is no number"));
  EXPECT_THAT(refusal("Content-Length: -1\r\n\r\n"), HasSubstr("no number"));
  EXPECT_THAT(refusal("Content-Length: 99999999999999999999999\r\n\r\n"), HasSubstr("no number"));
  EXPECT_THAT(refusal("Content-Length: 999999999999\r\n\r\n"), HasSubstr("more than 64 MiB"));
  EXPECT_THAT(refusal("Content-Length: 5\r\n\r\nabc"), HasSubstr("shorter than its length"));
  EXPECT_THAT(refusal("Content-Length: 5"), HasSubstr("and then nothing"));
  EXPECT_THAT(refusal("Content-Length: 5\r\n"), HasSubstr("and then nothing"));
  EXPECT_THAT(refusal(std::string(100'000, 'x')), HasSubstr("more than 4096 bytes"));
  EXPECT_THAT(refusal("x"), StartsWith("dap: the client has sent "));
}

TEST(Frames, AreWrittenAsTheyAreRead) {
  const File file(std::tmpfile());
  const std::string message = "{\"text\":\"fünf\\r\\n\"}";
  ASSERT_TRUE(write_frame(file.get(), message));
  std::rewind(file.get());
  const auto read = read_frame(file.get());
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(*read, message);
}

}  // namespace
}  // namespace ravel::dap
