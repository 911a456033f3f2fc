#include "base/control_group.h"

#include <fstream>

namespace ravel {

namespace {

// The group's folder, below that of all; "" if there is none.
std::string own_group() {
  std::ifstream file("/proc/self/cgroup");
  std::string line;
  while (std::getline(file, line))
    if (line.starts_with("0::")) return line.substr(3);
  return "";
}

}  // namespace

std::vector<std::string> control_groups() {
  std::vector<std::string> folders;
  for (std::string group = own_group();; group.resize(group.rfind('/'))) {
    folders.push_back("/sys/fs/cgroup" + group);
    if (group.empty() || group.rfind('/') == std::string::npos) break;
  }
  return folders;
}

}  // namespace ravel
