// How often each variable of a test is accessed, for people and for other programs.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "report/text.h"

namespace ravel {

struct ProfiledVariable {
  std::string name;  // "balance", "block 2 of list.cc:17"
  std::string kind;  // "global", "heap", or "other"
  std::string file;  // of the first access, or of the allocation
  std::uint32_t line = 0;
  std::uint64_t number = 0;      // of the heap: the how-many-th block that is allocated there, from 1
  std::uint64_t size = 0;        // in bytes, as far as it was accessed; of a block all of it
  double reads = 0, writes = 0;  // in one execution, on average
  std::uint64_t threads = 0;     // threads that access it in some execution

  double accesses() const { return reads + writes; }
};

struct AccessProfile {
  std::string test;
  std::uint64_t executions = 0;
  std::uint64_t left_out = 0;               // accesses to further variables
  std::vector<ProfiledVariable> variables;  // variables with the most accesses first
};

// A table, and how many variables are accessed how often.
std::string describe_profile(const AccessProfile& profile, Colour colour);

std::string json_profiles(std::span<const AccessProfile> profiles);

}  // namespace ravel
