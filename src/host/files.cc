#include "host/files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace ravel {

namespace {

namespace fs = std::filesystem;

Error unwritable_folder(const std::string& path, int problem) {
  return Error{path + ": files cannot be written there: " + std::strerror(problem) + "."};
}

}  // namespace

Result<std::string> read_text_file(const std::string& path) {
  std::error_code problem;
  if (fs::is_directory(path, problem)) return Error{path + ": this is a folder. Name a file."};
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return Error{path + ": cannot be read: " + std::strerror(errno) + "."};
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

Status write_text_file(const std::string& path, std::string_view text) {
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream << text;
  stream.close();
  if (!stream) return Error{path + ": cannot be written: " + std::strerror(errno) + "."};
  return Success{};
}

Status replace_text_file(const std::string& path, std::string_view text) {
  const std::string part = path + ".part";
  if (Status written = write_text_file(part, text); !written) {
    unlink(part.c_str());
    return written;
  }
  if (std::rename(part.c_str(), path.c_str()) == 0) return Success{};
  const int problem = errno;
  unlink(part.c_str());
  return Error{path + ": cannot be written: " + std::strerror(problem) + "."};
}

Status check_writable_file(const std::string& path) {
  const bool is_there = access(path.c_str(), F_OK) == 0;
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return Error{path + ": cannot be written: " + std::strerror(errno) + "."};
  close(file);
  if (!is_there) unlink(path.c_str());
  return Success{};
}

Status make_folder(const std::string& path) {
  std::error_code problem;
  fs::create_directories(path, problem);
  if (problem) return unwritable_folder(path, problem.value());
  return Success{};
}

Status check_writable_folder(const std::string& path, Creation creation) {
  if (creation == Creation::kNow) {
    if (Status made = make_folder(path); !made) return made;
  }
  fs::path existing = path;
  std::error_code problem;
  while (!existing.empty() && !fs::exists(existing, problem)) existing = existing.parent_path();
  if (existing.empty()) existing = ".";
  if (!fs::is_directory(existing, problem)) return unwritable_folder(path, ENOTDIR);
  // Trying is the only test that holds for every user and file system.
  std::string probe = existing / ".ravel-XXXXXX";
  const int file = mkstemp(probe.data());
  if (file < 0) return unwritable_folder(path, errno);
  close(file);
  unlink(probe.c_str());
  return Success{};
}

}  // namespace ravel
