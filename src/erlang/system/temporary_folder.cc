#include "erlang/system/temporary_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace ravel::erlang {

Result<TemporaryFolder> TemporaryFolder::make() {
  const char* chosen = std::getenv("TMPDIR");
  const std::string parent = chosen == nullptr || *chosen == '\0' ? "/tmp" : chosen;
  std::string pattern = parent + "/ravel-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) {
    return Error{parent + ": no folder can be made here: " + std::strerror(errno) +
                 ". Make room, or set TMPDIR to another folder."};
  }
  return TemporaryFolder(std::move(pattern));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;  // a folder left behind harms nobody
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace ravel::erlang
