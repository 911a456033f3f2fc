// Where a machine finds modules, and what a program may read of the host's files.
//
// What it answers must stay the same for as long as it lives: a search executes the same program again and
// again, and a file that changes meanwhile would be nondeterminism that nobody controls.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ravel::erlang {

// What is at a path: `problem` is 0 or an errno.
struct FileLook {
  enum class Kind : std::uint8_t { kRegular, kDirectory, kOther };
  int problem = 0;
  Kind kind = Kind::kOther;
  std::uint64_t size = 0;
  std::uint32_t mode = 0;    // permissions, and the type's bits
  bool is_writable = false;  // the user who runs the search may write to it
};

struct FileBytes {
  int problem = 0;
  std::vector<std::uint8_t> bytes;
};

struct FolderNames {
  int problem = 0;
  std::vector<std::string> names;  // sorted
};

class ModuleSource {
 public:
  virtual ~ModuleSource() = default;

  // The bytes of a module's .beam file, or nothing if there is no such module.
  virtual std::optional<std::vector<std::uint8_t>> find_module(std::string_view name, std::string& path) = 0;
  // The path of a module's .beam file, without its bytes.
  virtual std::optional<std::string> locate_module(std::string_view) { return std::nullopt; }
  // Where modules are looked for, in this order, and the root of the installed Erlang/OTP.
  virtual std::vector<std::string> code_folders() { return {}; }
  virtual std::string root_folder() { return {}; }
  // The version of its runtime system: "13.1.5".
  virtual std::string runtime_version() { return "13.1.5"; }
  // Which applications run before a test, as `mix test` starts a project's own.
  virtual std::vector<std::string> applications() { return {}; }

  // Files, by absolute or relative path.
  virtual std::string working_folder() { return "/"; }
  virtual const FileLook& look_at_file(const std::string&) { return no_look_; }
  virtual const FileBytes& read_file(const std::string&) { return no_bytes_; }
  virtual const FolderNames& list_folder(const std::string&) { return no_names_; }

 private:
  static constexpr int kNoSuchFile = 2;  // ENOENT
  const FileLook no_look_{.problem = kNoSuchFile};
  const FileBytes no_bytes_{.problem = kNoSuchFile, .bytes = {}};
  const FolderNames no_names_{.problem = kNoSuchFile, .names = {}};
};

}  // namespace ravel::erlang
