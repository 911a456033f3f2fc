#include "erlang/system/host_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace ravel::erlang {

namespace {

namespace fs = std::filesystem;

FileLook look(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return {.problem = errno};
  const FileLook::Kind kind = S_ISREG(status.st_mode)   ? FileLook::Kind::kRegular
                              : S_ISDIR(status.st_mode) ? FileLook::Kind::kDirectory
                                                        : FileLook::Kind::kOther;
  return {.problem = 0,
          .kind = kind,
          .size = static_cast<std::uint64_t>(status.st_size),
          .mode = status.st_mode,
          .is_writable = access(path.c_str(), W_OK) == 0};
}

FileBytes read_bytes(const std::string& path) {
  const FileLook what = look(path);
  if (what.problem != 0) return {.problem = what.problem, .bytes = {}};
  if (what.kind == FileLook::Kind::kDirectory) return {.problem = EISDIR, .bytes = {}};
  // A pipe or a device would not give the same bytes again.
  if (what.kind != FileLook::Kind::kRegular) return {.problem = EINVAL, .bytes = {}};
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return {.problem = errno != 0 ? errno : EIO, .bytes = {}};
  return {.problem = 0, .bytes = std::vector<std::uint8_t>(std::istreambuf_iterator<char>(stream), {})};
}

FolderNames list_names(const std::string& path) {
  FolderNames found;
  std::error_code problem;
  for (fs::directory_iterator entry(path, problem), end; !problem && entry != end; entry.increment(problem))
    found.names.push_back(entry->path().filename().string());
  found.problem = problem.value();
  std::ranges::sort(found.names);
  return found;
}

}  // namespace

void HostFiles::provide(const std::string& path, std::string_view text) {
  const fs::path folder = fs::path(path).parent_path();
  FolderNames names = list(folder);
  names.names.push_back(fs::path(path).filename());
  std::ranges::sort(names.names);
  names_.insert_or_assign(folder, std::move(names));
  looks_.insert_or_assign(
      path, FileLook{.kind = FileLook::Kind::kRegular, .size = text.size(), .mode = S_IFREG | 0644});
  bytes_.insert_or_assign(path, FileBytes{.problem = 0, .bytes = {text.begin(), text.end()}});
}

const FileLook& HostFiles::look_at(const std::string& path) {
  const auto known = looks_.find(path);
  return known != looks_.end() ? known->second : looks_.emplace(path, look(path)).first->second;
}

const FileBytes& HostFiles::read(const std::string& path) {
  const auto known = bytes_.find(path);
  return known != bytes_.end() ? known->second : bytes_.emplace(path, read_bytes(path)).first->second;
}

const FolderNames& HostFiles::list(const std::string& path) {
  const auto known = names_.find(path);
  return known != names_.end() ? known->second : names_.emplace(path, list_names(path)).first->second;
}

}  // namespace ravel::erlang
