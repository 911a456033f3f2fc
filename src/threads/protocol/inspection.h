// What the threads of an execution have at hand between two steps, as the runtime tells it to the command.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "threads/protocol/wire.h"

namespace ravel::threads {

// Memory whose value is asked for: at most 8 bytes.
struct AskedMemory {
  std::uint64_t address = 0;
  std::uint32_t size = 0;
};

struct InspectionOrder {
  std::vector<AskedMemory> memory = {};
};

// A thread that waits before its next operation.
struct InspectedThread {
  std::uint32_t actor = 0;
  std::string waits = {};  // with marks, as RawBug has them; empty: it can go on
  std::vector<std::uint32_t> waits_for = {};
  std::vector<std::uint64_t> stack = {};  // program counters, innermost first
};

struct HeldLock {
  std::uint32_t holder = 0;
  std::string what = {};                   // with marks
  std::vector<std::uint64_t> locked = {};  // by these calls; empty: not known
};

struct Inspection {
  std::vector<InspectedThread> threads = {};  // in the order of their names
  std::vector<HeldLock> locks = {};           // in the order in which they were used first
  // Of what was asked; none: it is no memory of the program
  std::vector<std::optional<std::uint64_t>> values = {};
};

Writer& operator<<(Writer& out, const InspectionOrder& value);
Reader& operator>>(Reader& in, InspectionOrder& value);
Writer& operator<<(Writer& out, const Inspection& value);
Reader& operator>>(Reader& in, Inspection& value);

}  // namespace ravel::threads
