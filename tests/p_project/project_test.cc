#include "p/project/project.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace ravel::p {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class Projects : public testing::Test {
 protected:
  Projects() : folder_(fs::temp_directory_path() / ("ravel_p_project_" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~Projects() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text = "") {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  static std::string project(const std::string& inside, const std::string& name = "Name") {
    return "<!-- made for a test -->\n<Project>\n<ProjectName>" + name + "</ProjectName>\n" + inside +
           "</Project>\n";
  }
  Result<Project> read(const std::string& name) { return read_project(folder_ / name); }
  std::vector<std::string> names(const std::string& name) {
    const auto read_one = read(name);
    if (!read_one) return {read_one.error().message};
    std::vector<std::string> result;
    for (const ProjectFile& file : read_one->files)
      result.push_back(file.name + (file.is_dependency ? " (other)" : ""));
    return result;
  }

  fs::path folder_;
};

TEST_F(Projects, ListFilesAndWhatIsBelowFolders) {
  for (const char* name : {"src/b.p", "src/deep/A.P", "src/a.p", "src/._a.p", "src/.git/x.p", "src/notes.txt",
                           "src/f.cs", "one.p"})
    write(name);
  write("x.pproj", project("<InputFiles><PFile>./src/</PFile><PFile> one.p "
                           "</PFile><PFile>src/a.p</PFile><PFile>gone/</PFile></InputFiles>\n"
                           "<InputFiles/><OutputDir>./out</OutputDir><Target>PChecker</Target>"));
  EXPECT_THAT(names("x.pproj"), ElementsAre("src/a.p", "src/b.p", "src/deep/A.P", "one.p"));
  EXPECT_EQ(read("x.pproj")->name, "Name");
  EXPECT_EQ(read("x.pproj")->foreign_files.size(), 1u);
}

TEST_F(Projects, IncludeOthersWithoutTheirTests) {
  for (const char* name : {"main/m.p", "timer/t.p", "timer/sub/s.p", "far/f.p"}) write(name);
  write("main/x.pproj",
        project(
            "<InputFiles><PFile>m.p</PFile></InputFiles><IncludeProject>../timer/t.pproj</IncludeProject>"));
  write("timer/t.pproj",
        project("<InputFiles><PFile>.</PFile></InputFiles><IncludeProject>../far/f.pproj</IncludeProject>"
                "<IncludeProject>../main/x.pproj</IncludeProject>",
                "Timer"));
  write(
      "far/f.pproj",
      project("<InputFiles><PFile>f.p</PFile></InputFiles><IncludeProject>../timer/t.pproj</IncludeProject>",
              "F"));
  EXPECT_THAT(names("main/x.pproj"), ElementsAre("m.p", (folder_ / "timer/sub/s.p").string() + " (other)",
                                                 (folder_ / "timer/t.p").string() + " (other)",
                                                 (folder_ / "far/f.p").string() + " (other)"));
}

TEST_F(Projects, SayWhatIsWrong) {
  write("a.p");
  write("broken.pproj", "<Project><ProjectName>");
  EXPECT_THAT(read("broken.pproj").error().message,
              HasSubstr("broken.pproj: this is no project file that can be read: "));
  EXPECT_THAT(read("gone.pproj").error().message,
              HasSubstr("gone.pproj: this is no project file that can be read: "));
  write("nameless.pproj", "<Project><InputFiles><PFile>a.p</PFile></InputFiles></Project>");
  EXPECT_THAT(read("nameless.pproj").error().message,
              HasSubstr("<ProjectName> must hold the project's name: letters, digits and `_`"));
  write("named.pproj", project("<InputFiles><PFile>a.p</PFile></InputFiles>", "1x"));
  EXPECT_THAT(read("named.pproj").error().message, HasSubstr("<ProjectName> must hold"));
  write("empty.pproj", project("<InputFiles></InputFiles>"));
  EXPECT_THAT(read("empty.pproj").error().message,
              HasSubstr("empty.pproj: no `.p` file is in this project: see its <PFile> elements"));
  write("lost.pproj",
        project("<InputFiles><PFile>a.p</PFile></InputFiles><IncludeProject>lost/l.pproj</IncludeProject>"));
  EXPECT_THAT(read("lost.pproj").error().message,
              HasSubstr("<IncludeProject> names no project file that is there: lost/l.pproj"));
}

TEST_F(Projects, AreFoundInAFolder) {
  EXPECT_THAT(find_project(folder_).error().message,
              HasSubstr("no project file (`.pproj`) is in this folder"));
  write("b.pproj");
  write("a.pproj");
  write(".c.pproj");
  EXPECT_EQ(find_project(folder_)->filename(), "a.pproj");
}

}  // namespace
}  // namespace ravel::p
