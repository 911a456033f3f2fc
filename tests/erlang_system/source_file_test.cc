#include "erlang/system/source_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "erlang/system/temporary_folder.h"

namespace ravel::erlang {
namespace {

namespace fs = std::filesystem;

class SourceFileTest : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    fs::create_directories((folder() / name).parent_path());
    std::ofstream(folder() / name, std::ios::binary) << text;
    return folder() / name;
  }
  fs::path folder() const { return folder_->path(); }

  // A module m that notes this path as its source.
  static BeamFile module_from(const std::string& path) {
    BeamFile beam;
    beam.atoms = {"[]", "m"};
    beam.lines.files = {"m.erl", "src/m.hrl", "src/m.erl"};
    beam.compile_info = {131, 108, 0, 0, 0, 1, 104, 2, 119, 6, 's', 'o', 'u', 'r', 'c', 'e', 107};
    beam.compile_info.push_back(static_cast<std::uint8_t>(path.size() >> 8));
    beam.compile_info.push_back(static_cast<std::uint8_t>(path.size()));
    beam.compile_info.insert(beam.compile_info.end(), path.begin(), path.end());
    return beam;
  }

  Result<TemporaryFolder> folder_ = TemporaryFolder::make();
};

TEST_F(SourceFileTest, TheSourceIsWhereTheCompilerFoundIt) {
  const std::string source = write("elsewhere/m.erl", "");
  write("ebin/m.erl", "");
  EXPECT_EQ(find_source(module_from(source), folder() / "ebin/m.beam"), source);
}

TEST_F(SourceFileTest, ASourceThatMovedIsLookedForBesideTheModuleAndInSrc) {
  const BeamFile beam = module_from("/build/m.erl");
  EXPECT_EQ(find_source(beam, folder() / "ebin/m.beam"), "");
  const std::string in_src = write("src/m.erl", "");
  fs::create_directories(folder() / "ebin");
  EXPECT_EQ(find_source(beam, folder() / "ebin/m.beam"), in_src);
  const std::string beside = write("ebin/m.erl", "");
  EXPECT_EQ(find_source(beam, folder() / "ebin/m.beam"), beside);
}

TEST_F(SourceFileTest, FilesOfTheLineTableAreFoundFromTheSource) {
  const std::string source = write("src/m.erl", "");
  const BeamFile beam = module_from(source);
  EXPECT_EQ(find_line_file(beam, "m.beam", 0), source);
  EXPECT_EQ(find_line_file(beam, "m.beam", 2), source);
  EXPECT_EQ(find_line_file(beam, "m.beam", 1), "");
  const std::string header = write("src/m.hrl", "");
  EXPECT_EQ(find_line_file(beam, "m.beam", 1), header);
}

TEST_F(SourceFileTest, GivesLinesWithoutTheirEnds) {
  const std::string path = write("m.erl", "one\r\n\nthree");
  SourceLines lines;
  EXPECT_EQ(lines.line(path, 1), "one");
  EXPECT_EQ(lines.line(path, 2), "");
  EXPECT_EQ(lines.line(path, 3), "three");
}

TEST_F(SourceFileTest, LinesThatDoNotExistAreEmpty) {
  const std::string path = write("m.erl", "one\n");
  SourceLines lines;
  EXPECT_EQ(lines.line(path, 0), "");
  EXPECT_EQ(lines.line(path, 2), "");
  EXPECT_EQ(lines.line("/nonexistent", 1), "");
  EXPECT_EQ(lines.line("/tmp", 1), "");
}

TEST_F(SourceFileTest, AFileIsReadOnceWhenItIsFirstAskedFor) {
  SourceLines lines;
  const std::string path = write("m.erl", "old\n");
  EXPECT_EQ(lines.line(path, 1), "old");
  write("m.erl", "new\n");
  EXPECT_EQ(lines.line(path, 1), "old");
}

}  // namespace
}  // namespace ravel::erlang
