// Accesses that only partly lie in the memory that is tracked, at both ends of it: none may be missed. Each test is a thread that
// changes something for a moment, and one that must not see two values.
//
// compile: -O2
// expect: bug assertion -t wide --track wide
// expect: bug assertion -t wide --track wide+8
// expect: bug assertion -t wide --track wide+0
// expect: pass -t wide --track beside
// expect: bug assertion -t unaligned --track bytes+8
// expect: bug assertion -t unaligned --track bytes+16
// expect: pass -t unaligned --track bytes+0
// expect: pass -t unaligned --track bytes+24
// expect: bug assertion -t misaligned --track bytes+8
// expect: bug assertion -t misaligned --track bytes+16
// expect: pass -t misaligned --track bytes+0
// expect: bug assertion -t range --track record
// expect: bug assertion -t range --track record+0
// expect: bug assertion -t range --track record+56
// expect: pass -t range --track beside
// expect: bug assertion -t element --track numbers
// expect: bug assertion -t element --track numbers+4096
// expect: pass -t element --track numbers+4088
// expect: bug assertion -t element --track beside --track numbers+4096
// expect: bug assertion -t on_the_heap
// expect: bug assertion -t on_the_heap --accesses all
// expect: pass -t on_the_heap --track beside
#include <ravel/test.h>

#include <cassert>
#include <cstdint>
#include <cstring>
#include <thread>

struct Record {
  std::uint64_t words[8];
};

alignas(16) __int128 wide = 0;
alignas(16) unsigned char bytes[32] = {};
alignas(16) Record record = {};
long numbers[1024] = {};
alignas(16) long beside = 0;

namespace {

template <typename Write, typename Read>
void side_by_side(Write write, Read read) {
  std::thread other([&] {
    write(1);
    write(0);
  });
  const auto first = read();
  const auto second = read();
  assert(first == second);
  other.join();
}

// Each is one access, which the compiler does not see together with others.
template <typename Value>
[[gnu::noipa]] void set(Value* place, Value value) {
  *place = value;
}
template <typename Value>
[[gnu::noipa]] Value get(const Value* place) {
  return *place;
}

[[gnu::noipa]] void set_unaligned(void* place, std::uint64_t value) { std::memcpy(place, &value, sizeof value); }
[[gnu::noipa]] std::uint64_t get_unaligned(const void* place) {
  std::uint64_t value;
  std::memcpy(&value, place, sizeof value);
  return value;
}

}  // namespace

RAVEL_TEST(wide) {
  const __int128 ones = (static_cast<__int128>(1) << 64) + 1;
  side_by_side([&](int value) { set(&wide, value * ones); }, [] { return get(&wide); });
}

// Four bytes in each of two words, in a range for GCC.
RAVEL_TEST(unaligned) {
  side_by_side([](int value) { set_unaligned(bytes + 12, static_cast<std::uint64_t>(value)); }, [] { return get_unaligned(bytes + 12); });
}

// The same as an ordinary access, for which GCC takes it.
RAVEL_TEST(misaligned) {
  auto* const place = reinterpret_cast<std::uint64_t*>(bytes + 12);
  side_by_side([&](int value) { set(place, static_cast<std::uint64_t>(value)); }, [&] { return get(place); });
}

RAVEL_TEST(range) {
  side_by_side(
      [](int value) {
        Record written{};
        for (std::uint64_t& word : written.words) word = static_cast<std::uint64_t>(value);
        set(&record, written);
      },
      [] { return get(&record).words[7]; });
}

RAVEL_TEST(element) {
  side_by_side([](int value) { set<long>(&numbers[512], value); }, [] { return get(&numbers[512]); });
}

// What is watched when a function begins must be what is watched when it accesses memory that was not there then.
RAVEL_TEST(on_the_heap) {
  long** const place = new long*(nullptr);
  *place = new long(0);
  side_by_side([&](int value) { set<long>(*place, value); }, [&] { return get(*place); });
  delete *place;
  delete place;
}
