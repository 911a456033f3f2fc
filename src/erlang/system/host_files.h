// The host's files as a program may read them: each as it was when it was first looked at. Some files may be
// there for the program only.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "erlang/machine/module_source.h"

namespace ravel::erlang {

class HostFiles {
 public:
  const FileLook& look_at(const std::string& path);
  const FileBytes& read(const std::string& path);
  const FolderNames& list(const std::string& path);

  // A file that is not on the host, in a folder that is. REQUIRES: nobody has looked at either.
  void provide(const std::string& path, std::string_view text);

 private:
  std::map<std::string, FileLook> looks_;
  std::map<std::string, FileBytes> bytes_;
  std::map<std::string, FolderNames> names_;
};

}  // namespace ravel::erlang
