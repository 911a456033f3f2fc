// Functions of the C library with a state that all threads share: random numbers, strtok(), the locale, the
// environment, and the memory in which times are returned.

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <utility>

#include "base/check.h"
#include "base/wide_hash.h"
#include "threads/runtime/export.h"
#include "threads/runtime/library_use.h"
#include "threads/runtime/mappings.h"
#include "threads/runtime/next_function.h"
#include "threads/runtime/scheduler.h"

namespace ravel::threads {

#define RAVEL_LIBRARY_CALL(use, result, name, parameters, arguments) \
  RAVEL_EXPORT result name parameters noexcept {                     \
    use_library(use, RAVEL_CALLER);                                  \
    return RAVEL_NEXT(name) arguments;                               \
  }

RAVEL_LIBRARY_CALL(changes(LibraryState::kRand), int, rand, (), ())
RAVEL_LIBRARY_CALL(changes(LibraryState::kRand), void, srand, (unsigned seed), (seed))
RAVEL_LIBRARY_CALL(changes(LibraryState::kRand), long, random, (), ())
RAVEL_LIBRARY_CALL(changes(LibraryState::kRand), void, srandom, (unsigned seed), (seed))
RAVEL_LIBRARY_CALL(changes(LibraryState::kRand), char*, initstate,
                   (unsigned seed, char* state, std::size_t size), (seed, state, size))
RAVEL_LIBRARY_CALL(changes(LibraryState::kRand), char*, setstate, (char* state), (state))

RAVEL_LIBRARY_CALL(changes(LibraryState::kRand48), double, drand48, (), ())
RAVEL_LIBRARY_CALL(changes(LibraryState::kRand48), long, lrand48, (), ())
RAVEL_LIBRARY_CALL(changes(LibraryState::kRand48), long, mrand48, (), ())
RAVEL_LIBRARY_CALL(changes(LibraryState::kRand48), double, erand48, (unsigned short numbers[3]), (numbers))
RAVEL_LIBRARY_CALL(changes(LibraryState::kRand48), long, nrand48, (unsigned short numbers[3]), (numbers))
RAVEL_LIBRARY_CALL(changes(LibraryState::kRand48), long, jrand48, (unsigned short numbers[3]), (numbers))
RAVEL_LIBRARY_CALL(changes(LibraryState::kRand48), void, srand48, (long seed), (seed))
RAVEL_LIBRARY_CALL(changes(LibraryState::kRand48), unsigned short*, seed48, (unsigned short seed[3]), (seed))
RAVEL_LIBRARY_CALL(changes(LibraryState::kRand48), void, lcong48, (unsigned short parameters[7]),
                   (parameters))

RAVEL_LIBRARY_CALL(changes(LibraryState::kTokens), char*, strtok, (char* text, const char* separators),
                   (text, separators))

RAVEL_LIBRARY_CALL((LibraryUse{.word = library_word(LibraryState::kLocale), .changes = wanted != nullptr}),
                   char*, setlocale, (int category, const char* wanted), (category, wanted))
RAVEL_LIBRARY_CALL(looks_at(LibraryState::kLocale), lconv*, localeconv, (), ())

RAVEL_LIBRARY_CALL(looks_at(LibraryState::kEnvironment), char*, getenv, (const char* name), (name))
RAVEL_LIBRARY_CALL(looks_at(LibraryState::kEnvironment), char*, secure_getenv, (const char* name), (name))
RAVEL_LIBRARY_CALL(changes(LibraryState::kEnvironment), int, setenv,
                   (const char* name, const char* value, int replaces), (name, value, replaces))
RAVEL_LIBRARY_CALL(changes(LibraryState::kEnvironment), int, unsetenv, (const char* name), (name))
RAVEL_LIBRARY_CALL(changes(LibraryState::kEnvironment), int, putenv, (char* text), (text))
RAVEL_LIBRARY_CALL(changes(LibraryState::kEnvironment), int, clearenv, (), ())

// --- times ---

namespace {

constinit bool is_mapped = false;

// At the first call, which may be one of a constructor.
void map_time_buffers() {
  if (std::exchange(is_mapped, true)) return;
  void* const wanted = reinterpret_cast<void*>(kTimeBuffer);
  void* const got = map_memory(wanted, kPageSize, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  CHECK_MESSAGE(got == wanted, "there is no address space for the results of localtime()");
}

tm* time_buffer(std::uint64_t pc) {
  map_time_buffers();
  if (current != nullptr) scheduler().memory().slow_access(kTimeBuffer, sizeof(tm), AccessKind::kWrite, pc);
  return reinterpret_cast<tm*>(kTimeBuffer);
}
static_assert(sizeof(tm) <= kTimeBufferSize);

char* text_of(const tm* time, std::uint64_t pc) {
  map_time_buffers();
  if (current != nullptr)
    scheduler().memory().slow_access(kTimeTextBuffer, kTimeTextSize, AccessKind::kWrite, pc);
  return asctime_r(time, reinterpret_cast<char*>(kTimeTextBuffer));
}

}  // namespace

// In program_state.cc.
void add_time_buffers(WideHash& hash) {
  if (!is_mapped) return;
  const auto* const words = reinterpret_cast<const std::uint64_t*>(kTimeBuffer);
  for (std::size_t i = 0; i < (kTimeBufferSize + kTimeTextSize) / sizeof(std::uint64_t); ++i)
    hash.add({.high = i, .low = words[i]});
}

RAVEL_EXPORT tm* gmtime(const time_t* seconds) noexcept {
  return gmtime_r(seconds, time_buffer(RAVEL_CALLER));
}
RAVEL_EXPORT tm* localtime(const time_t* seconds) noexcept {
  tzset();
  return localtime_r(seconds, time_buffer(RAVEL_CALLER));
}
RAVEL_EXPORT char* asctime(const tm* time) noexcept { return text_of(time, RAVEL_CALLER); }
RAVEL_EXPORT char* ctime(const time_t* seconds) noexcept {
  tzset();
  const tm* const time = localtime_r(seconds, time_buffer(RAVEL_CALLER));
  return time == nullptr ? nullptr : text_of(time, RAVEL_CALLER);
}

}  // namespace ravel::threads
