// The host's files as a program may read them: each as it was when it was first looked at.
#pragma once

#include <map>
#include <string>

#include "erlang/machine/module_source.h"

namespace ravel::erlang {

class HostFiles {
 public:
  const FileLook& look_at(const std::string& path);
  const FileBytes& read(const std::string& path);
  const FolderNames& list(const std::string& path);

 private:
  std::map<std::string, FileLook> looks_;
  std::map<std::string, FileBytes> bytes_;
  std::map<std::string, FolderNames> names_;
};

}  // namespace ravel::erlang
