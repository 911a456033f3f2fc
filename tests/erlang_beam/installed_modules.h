// The compiled modules of the Erlang/OTP that is installed here, for tests on real files.

#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace ravel::erlang {

inline constexpr const char* kInstalledOtp = "/usr/lib/erlang/lib";

// The .beam files below /usr/lib/erlang/lib/<application>-*, in order; of all applications for "".
inline std::vector<std::string> installed_beams(const std::string& application) {
  std::vector<std::string> paths;
  std::error_code problem;
  for (const auto& folder : std::filesystem::directory_iterator(kInstalledOtp, problem)) {
    const std::string name = folder.path().filename();
    if (!application.empty() && name.rfind(application + "-", 0) != 0) continue;
    for (const auto& file : std::filesystem::directory_iterator(folder.path() / "ebin", problem)) {
      if (file.path().extension() == ".beam") paths.push_back(file.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

inline std::vector<std::uint8_t> bytes_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace ravel::erlang
