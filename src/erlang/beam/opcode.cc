#include "erlang/beam/opcode.h"

#include <array>
#include <string_view>

#include "base/check.h"

namespace ravel::erlang {
namespace {

struct Row {
  std::uint32_t number;
  OpcodeInfo info;
};

constexpr auto kRows = std::to_array<Row>({
#define RAVEL_OPCODE(number, Name, name, arity, signature, sentence) {number, {name, arity, true, signature}},
#define RAVEL_OPCODE_GONE(number, Name, name, arity) {number, {name, arity, false, ""}},
#include "erlang/beam/opcodes.def"
});

// Operands that a signature describes: a list in brackets is one.
constexpr std::size_t operands_of(std::string_view signature) {
  const std::size_t bracket = signature.find('[');
  return bracket == std::string_view::npos ? signature.size() : bracket + 1;
}

constexpr bool rows_are_consistent() {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (kRows[i].number != i + 1) return false;
    const OpcodeInfo& info = kRows[i].info;
    if (info.loadable && operands_of(info.signature) != info.arity) return false;
  }
  return kRows.size() == kOpcodeMax;
}
static_assert(rows_are_consistent(),
              "opcodes.def: a gap, a row out of order, or an arity unlike its signature");

}  // namespace

const OpcodeInfo& opcode_info(std::uint32_t number) {
  CHECK(number >= 1 && number <= kOpcodeMax);
  return kRows[number - 1].info;
}

}  // namespace ravel::erlang
