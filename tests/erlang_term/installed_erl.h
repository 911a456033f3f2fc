// Asks the installed erl what it makes of terms, for comparison with ours.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "erlang/term/release.h"

namespace ravel::erlang {

// Whether an erl of a release that we know is installed. From then on our terms are those of its release.
inline bool is_erl_installed() {
  static const bool installed = [] {
    std::FILE* pipe =
        popen("erl -noshell -eval 'io:put_chars(erlang:system_info(otp_release)),halt().' 2>/dev/null", "r");
    char release[8] = {};
    const bool read = pipe != nullptr && std::fgets(release, sizeof release, pipe) != nullptr;
    if (pipe != nullptr) pclose(pipe);
    const int number = read ? std::atoi(release) : 0;
    const auto known = known_releases();
    if (std::ranges::find(known, number, &Release::number) == known.end()) return false;
    set_installed_release(release_numbered(number));
    return true;
  }();
  return installed;
}

// Writes the texts to a file, one term each, and runs `body`, Erlang code that finds them as the list `Terms`
// and prints integers, each on its own line. Returns the integers.
inline std::vector<long long> ask_erl(const std::vector<std::string>& terms, const std::string& body) {
  std::string folder = testing::TempDir() + "ravel_erl_XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) return {};
  {
    std::ofstream file(folder + "/terms");
    file << "%% coding: utf-8\n";
    for (const std::string& term : terms) file << term << ".\n";
    std::ofstream script(folder + "/ask.erl");
    script << "-module(ask).\n-export([main/0]).\n-compile(nowarn_deprecated_function).\nmain() ->\n {ok, "
              "Terms} = file:consult(\""
           << folder << "/terms\"),\n " << body << ",\n halt().\n";
  }
  const std::string command =
      "cd " + folder + " && erlc ask.erl >&2 && erl -noshell -s ask main -s init stop";
  std::FILE* pipe = popen(command.c_str(), "r");
  std::vector<long long> answers;
  char line[64];
  while (std::fgets(line, sizeof line, pipe) != nullptr) answers.push_back(std::strtoll(line, nullptr, 10));
  const int status = pclose(pipe);
  EXPECT_EQ(status, 0) << command;
  std::system(("rm -rf " + folder).c_str());
  return answers;
}

}  // namespace ravel::erlang
