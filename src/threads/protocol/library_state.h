// What threads share inside the C library, as addresses at which no memory of the program lies: the race
// detector and footprints know such state as a word of memory.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ravel::threads {

inline constexpr std::uint64_t kLibraryBase = 0x606C'0000'0000;

enum class LibraryState : std::uint64_t {
  kRand,          // of rand() and random()
  kRand48,        // of drand48() and its family
  kSystemRandom,  // of getrandom() and random_device
  kTokens,        // of strtok()
  kLocale,
  kEnvironment,
  kDescriptors,  // which numbers of descriptors are taken
  kStreams,      // all streams together
  kMask,         // of umask()
  kFolder,       // the working folder
  kReadiness,    // which pipes, sockets, ... would not make their reader or writer wait, as poll() asks
  kFolders,      // which folders and links there are: on the way of every path
  kSignals,      // what is done about signals
  kSockets,      // all that are not made in pairs: which of them are two ends of a connection is not known
};

constexpr std::uint64_t library_word(LibraryState state) {
  return kLibraryBase + 8 * static_cast<std::uint64_t>(state);
}

// Open files are known by the number that they were opened with. Larger ones share a word.
inline constexpr std::uint64_t kFilesBase = kLibraryBase + 0x1000, kFilesMax = 1024;
constexpr std::uint64_t file_word(int number) {
  return kFilesBase + 8 * (static_cast<std::uint64_t>(number) % kFilesMax);
}

// What is found at a path, and the list of a folder, by a hash of the path: paths that share one only look
// dependent.
inline constexpr std::uint64_t kContentsBase = kFilesBase + 8 * kFilesMax, kContentsMax = 4096;
inline constexpr std::uint64_t kFoldersBase = kContentsBase + 8 * kContentsMax, kFoldersMax = 1024;
inline constexpr std::uint64_t kLibraryEnd = kFoldersBase + 8 * kFoldersMax;

// Here there is memory: where localtime() and asctime() and their like leave what they return.
inline constexpr std::uint64_t kTimeBuffer = kLibraryBase + 0x10'0000, kTimeBufferSize = 64;
inline constexpr std::uint64_t kTimeTextBuffer = kTimeBuffer + kTimeBufferSize, kTimeTextSize = 64;

constexpr bool is_library_word(std::uint64_t word) {
  return word - kLibraryBase < kLibraryEnd - kLibraryBase;
}

// Whether the library itself keeps threads apart there, so that two of them at once are no data race.
constexpr bool is_kept_by_library(std::uint64_t word) {
  for (const LibraryState state :
       {LibraryState::kRand48, LibraryState::kTokens, LibraryState::kLocale, LibraryState::kEnvironment})
    if (word == library_word(state)) return false;
  return true;
}

// "the state of rand()"; nothing if the address is none of these.
std::optional<std::string> library_state_name(std::uint64_t address);

}  // namespace ravel::threads
