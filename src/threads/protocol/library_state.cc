#include "threads/protocol/library_state.h"

namespace ravel::threads {

std::optional<std::string> library_state_name(std::uint64_t address) {
  if (address - kTimeBuffer < kTimeBufferSize) return "the result of localtime()";
  if (address - kTimeTextBuffer < kTimeTextSize) return "the result of asctime()";
  if (!is_library_word(address)) return std::nullopt;
  if (address >= kFoldersBase) return "the files of a folder";
  if (address >= kContentsBase) return "what is in a file";
  if (address >= kFilesBase) return "the open file " + std::to_string((address - kFilesBase) / 8);
  switch (static_cast<LibraryState>((address - kLibraryBase) / 8)) {
    case LibraryState::kRand: return "the state of rand()";
    case LibraryState::kRand48: return "the state of drand48()";
    case LibraryState::kSystemRandom: return "the system's random numbers";
    case LibraryState::kTokens: return "the state of strtok()";
    case LibraryState::kLocale: return "the locale";
    case LibraryState::kEnvironment: return "the environment";
    case LibraryState::kDescriptors: return "the table of descriptors";
    case LibraryState::kStreams: return "all streams";
    case LibraryState::kMask: return "the file mode creation mask";
    case LibraryState::kFolder: return "the working folder";
    case LibraryState::kReadiness: return "what is ready";
    case LibraryState::kFolders: return "the folders";
    case LibraryState::kSignals: return "what is done about signals";
    case LibraryState::kSockets: return "the sockets";
  }
  return std::nullopt;
}

}  // namespace ravel::threads
