// Operations of threads as sentences without a subject: "locks mutex m", "writes balance = 200".

#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "threads/protocol/operation.h"

namespace ravel::threads {

// How places in memory, functions and threads are called.
struct Names {
  std::function<std::string(std::uint64_t)> address;
  std::function<std::string(std::uint64_t)> function;
  std::function<std::string(std::uint32_t)> thread;
};

// A signed number of its size, which is what most programs mean; big ones, which are often addresses, in
// hexadecimal. `size` in bytes, up to 8.
std::string number_text(std::uint64_t bits, std::uint32_t size);

std::string operation_text(const OperationRecord& record, const Names& names);

}  // namespace ravel::threads
