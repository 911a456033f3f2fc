// Which registers hold an argument of a function, unchanged, before each of its instructions.
//
// The idea: data flow over the compiled code. A move copies what is known of a register, a call leaves the
// stack slots alone, and whatever else names a register makes it unknown, whether it reads or writes. So
// what is known is sure, and not all that is true is known.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "erlang/beam/beam_file.h"

namespace ravel::erlang {

inline constexpr std::uint16_t kNoArgument = 0xffff;

// By register: the number of an argument, from 0, or kNoArgument.
struct HeldArguments {
  std::vector<std::uint16_t> x;
  std::vector<std::uint16_t> y;  // as many as the frame has slots; empty: there is no frame

  // The slot that holds an argument. Nothing: none is known to.
  std::optional<std::size_t> slot_of(std::uint16_t argument) const;
};

class ArgumentFlow {
 public:
  // Both must outlive this object.
  ArgumentFlow(const BeamFile& file, const Function& function);

  // Null: no way leads there. REQUIRES: it is one of the function.
  const HeldArguments* before(std::uint32_t instruction) const {
    const auto& held = before_[instruction - function_.first_instruction];
    return held ? &*held : nullptr;
  }

 private:
  void step(std::uint32_t at);
  void lead_to(std::uint32_t instruction, const HeldArguments& held);
  void lead_to_label(const Operand& label, const HeldArguments& held);

  const BeamFile& file_;
  const Function& function_;
  std::vector<std::optional<HeldArguments>> before_;  // by instruction of the function
  std::vector<std::uint32_t> changed_;                // to be stepped again
};

}  // namespace ravel::erlang
