// The control group of this process, which may have less of the machine than all of it (cgroup v2).

#pragma once

#include <string>
#include <vector>

namespace ravel {

// The folders of its group and of each one above it, the smallest first: any of them may set a limit.
std::vector<std::string> control_groups();

}  // namespace ravel
