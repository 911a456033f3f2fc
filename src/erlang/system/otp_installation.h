// The Erlang/OTP that is installed: where its compiled libraries are, and which module is in which file.
//
// Every lib/*/ebin folder is listed once, when the installation is opened (about 1,300 names, a few
// milliseconds); of several versions of an application the highest counts, as for Erlang's own code server.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"

namespace ravel::erlang {

// Where to look, in this order; the first that is an installation is taken.
struct OtpSearch {
  std::string root = {};                 // named by the user, or empty; if it is wrong, nothing else is tried
  std::vector<std::string> path = {};    // folders in which `erl` may be, a program or a link to one
  std::vector<std::string> places = {};  // roots by custom

  // $RAVEL_OTP, $PATH, and /usr/lib/erlang with its like.
  static OtpSearch from_environment();
};

class OtpInstallation {
 public:
  static Result<OtpInstallation> find(const OtpSearch& search = OtpSearch::from_environment());

  const std::string& root() const { return root_; }
  // "25"; empty if the installation does not say.
  const std::string& release() const { return release_; }
  // "13.1.5"; likewise.
  const std::string& runtime_version() const { return runtime_version_; }
  // kernel and stdlib first, then the others by name.
  std::span<const std::string> ebin_folders() const { return ebin_folders_; }
  // The compiler's program: below the root if it is there, else by name.
  std::string erlc() const;

  // The .beam file of a module, or nothing. `first_folders` (as Erlang's -pa) are looked into before the
  // libraries.
  std::optional<std::string> locate(std::string_view module, std::span<const std::string> first_folders = {});

 private:
  OtpInstallation() = default;
  void list_libraries();
  void list_modules();

  std::string root_;
  std::string release_;
  std::string runtime_version_;
  std::vector<std::string> ebin_folders_;
  // Most programs need no library but kernel, stdlib and erts, so that files are listed only where one is in
  // none of these.
  std::vector<std::string> usual_folders_;
  bool has_listed_modules_ = false;
  // Index into ebin_folders_, by the file's name
  std::unordered_map<std::string, std::uint32_t> folder_of_module_;
};

}  // namespace ravel::erlang
