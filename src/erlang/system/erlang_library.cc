#include "erlang/system/erlang_library.h"

namespace ravel::erlang {

namespace {

struct LibraryModule {
  std::string_view name;
  std::span<const std::uint8_t> bytes;
};

// Made by cmake/erlang_library.cmake: an array of bytes for each module, then the table kLibraryModules.
#include "erlang_library.inc"

}  // namespace

std::optional<std::span<const std::uint8_t>> erlang_library_module(std::string_view name) {
  for (const LibraryModule& module : kLibraryModules)
    if (module.name == name) return module.bytes;
  return std::nullopt;
}

}  // namespace ravel::erlang
