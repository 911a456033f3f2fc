#include "erlang/system/otp_installation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "erlang/system/temporary_folder.h"

namespace ravel::erlang {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

// A folder in the shape of an installation, of empty files.
class OtpInstallationTest : public testing::Test {
 protected:
  void add_module(const std::string& library, const std::string& module) {
    fs::create_directories(root() / "lib" / library / "ebin");
    std::ofstream(root() / "lib" / library / "ebin" / (module + ".beam"));
  }
  fs::path root() const { return fs::path(folder_->path()) / "otp"; }

  Result<TemporaryFolder> folder_ = TemporaryFolder::make();
};

TEST_F(OtpInstallationTest, FindsModulesByTheHighestVersionOfEachLibrary) {
  add_module("stdlib-4.2", "lists");
  add_module("stdlib-4.10", "lists");
  add_module("stdlib-4.9.1", "lists");
  add_module("kernel-8.5", "code");
  add_module("alpha", "a1");
  fs::create_directories(root() / "lib" / "no_code-1.0" / "priv");
  Result<OtpInstallation> otp = OtpInstallation::find({.root = root()});
  ASSERT_TRUE(otp) << otp.error().message;
  EXPECT_THAT(otp->ebin_folders(), ElementsAre(root() / "lib/kernel-8.5/ebin",
                                               root() / "lib/stdlib-4.10/ebin", root() / "lib/alpha/ebin"));
  EXPECT_EQ(otp->locate("lists"), root() / "lib/stdlib-4.10/ebin/lists.beam");
  EXPECT_EQ(otp->locate("a1"), root() / "lib/alpha/ebin/a1.beam");
  EXPECT_EQ(otp->locate("nobody"), std::nullopt);
  EXPECT_EQ(otp->locate("../ebin/lists"), std::nullopt);
}

TEST_F(OtpInstallationTest, FoldersOfTheUserComeFirst) {
  add_module("stdlib-4.2", "lists");
  add_module("mine", "lists");
  Result<OtpInstallation> otp = OtpInstallation::find({.root = root()});
  ASSERT_TRUE(otp);
  const std::vector<std::string> first = {"/nonexistent", root() / "lib/mine/ebin"};
  EXPECT_EQ(otp->locate("lists", first), root() / "lib/mine/ebin/lists.beam");
}

TEST_F(OtpInstallationTest, FollowsTheLinkFromThePathToTheRoot) {
  add_module("stdlib-4.2", "lists");
  fs::create_directories(root() / "bin");
  std::ofstream(root() / "bin" / "erl");
  fs::create_directories(fs::path(folder_->path()) / "usr_bin");
  fs::create_symlink("../otp/bin/erl", fs::path(folder_->path()) / "usr_bin" / "erl");
  Result<OtpInstallation> otp =
      OtpInstallation::find({.path = {"/nonexistent", folder_->path() + "/usr_bin"}});
  ASSERT_TRUE(otp) << otp.error().message;
  EXPECT_EQ(fs::path(otp->root()), root());
}

TEST_F(OtpInstallationTest, ReadsTheRelease) {
  add_module("stdlib-4.2", "lists");
  EXPECT_EQ(OtpInstallation::find({.root = root()})->release(), "");
  fs::create_directories(root() / "releases");
  std::ofstream(root() / "releases" / "start_erl.data") << "13.1.5 25\n";
  EXPECT_EQ(OtpInstallation::find({.root = root()})->release(), "25");
}

TEST_F(OtpInstallationTest, WithoutAnInstallationTheErrorSaysWhatToInstall) {
  Result<OtpInstallation> otp = OtpInstallation::find({.path = {"/nonexistent"}, .places = {"/nonexistent"}});
  ASSERT_FALSE(otp);
  EXPECT_THAT(otp.error().message, HasSubstr("No Erlang/OTP is installed"));
  EXPECT_THAT(otp.error().message, HasSubstr("erlang-base"));
}

TEST_F(OtpInstallationTest, AWrongRootIsNotReplacedByAnother) {
  Result<OtpInstallation> otp =
      OtpInstallation::find({.root = "/nonexistent", .places = {"/usr/lib/erlang"}});
  ASSERT_FALSE(otp);
  EXPECT_THAT(otp.error().message, HasSubstr("/nonexistent: no Erlang/OTP is there"));
}

TEST(OtpInstallation, TheInstalledOneHasTheLibrariesThatTestsNeed) {
  Result<OtpInstallation> otp = OtpInstallation::find();
  if (!otp) GTEST_SKIP() << otp.error().message;
  for (const char* module : {"lists", "gen_server", "code", "erlang", "eunit"}) {
    const std::optional<std::string> path = otp->locate(module);
    ASSERT_TRUE(path) << module;
    EXPECT_TRUE(fs::exists(*path)) << *path;
  }
  EXPECT_GE(std::stoi(otp->release()), 25);
  EXPECT_TRUE(fs::exists(otp->erlc())) << otp->erlc();
}

}  // namespace
}  // namespace ravel::erlang
