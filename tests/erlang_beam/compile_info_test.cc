#include "erlang/beam/compile_info.h"

#include <gtest/gtest.h>

#include "erlang/beam/beam_file.h"
#include "tests/erlang_beam/installed_modules.h"
#include "tests/erlang_beam/module_builder.h"

namespace ravel::erlang {
namespace {

// [{source, Path}] with the atom as the given tag writes it.
Bytes compile_info(const Bytes& source_atom, const Bytes& path) {
  return Bytes{131, 108} + be32(1) + Bytes{104, 2} + source_atom + path + Bytes{106};
}
const Bytes kLatin1Atom = Bytes{100} + be16(6) + text("source");
const Bytes kUtf8Atom = Bytes{119, 6} + text("source");

TEST(CompileInfo, FindsThePathOfTheSource) {
  const Bytes path = Bytes{107} + be16(8) + text("/a/b.erl");
  EXPECT_EQ(source_path(compile_info(kLatin1Atom, path)), "/a/b.erl");
  EXPECT_EQ(source_path(compile_info(kUtf8Atom, path)), "/a/b.erl");
}

TEST(CompileInfo, PathsComeOutInUtf8) {
  EXPECT_EQ(source_path(compile_info(kUtf8Atom, Bytes{107} + be16(2) + Bytes{'/', 0xe5})), "/\xc3\xa5");
  EXPECT_EQ(source_path(compile_info(kUtf8Atom,
                                     Bytes{108} + be32(2) + Bytes{97, '/', 98} + be32(0x20ac) + Bytes{106})),
            "/\xe2\x82\xac");
}

TEST(CompileInfo, AnythingElseIsNoPath) {
  EXPECT_EQ(source_path({}), "");
  EXPECT_EQ(source_path(Bytes{131, 106}), "");
  EXPECT_EQ(source_path(compile_info(kUtf8Atom, Bytes{97, 1})), "");
  EXPECT_EQ(source_path(compile_info(kUtf8Atom, Bytes{107} + be16(900) + text("short"))), "");
}

TEST(CompileInfo, OfAnInstalledModuleNamesAnErlangFile) {
  const std::vector<std::string> beams = installed_beams("stdlib");
  if (beams.empty()) GTEST_SKIP() << "no Erlang/OTP at " << kInstalledOtp;
  const Result<BeamFile> beam = read_beam_file(beams.front());
  ASSERT_TRUE(beam);
  const std::string path = source_path(beam->compile_info);
  EXPECT_TRUE(path.ends_with("/" + beam->module_name() + ".erl")) << path;
}

}  // namespace
}  // namespace ravel::erlang
