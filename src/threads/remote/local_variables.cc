#include "threads/remote/local_variables.h"

#include <dwarf.h>

#include <algorithm>
#include <cstdlib>
#include <span>

namespace ravel::threads {

namespace {

class Finder {
 public:
  Finder(std::uint64_t pc, std::uint64_t low, std::uint64_t high, std::uint64_t address)
      : pc_(pc), low_(low), high_(high), address_(address) {}

  // Scopes that do not contain the program counter may use the same memory at other times.
  void look_into(Dwarf_Die& scope, const std::string& function) {
    Dwarf_Die child;
    if (dwarf_child(&scope, &child) != 0) return;
    do {
      const int tag = dwarf_tag(&child);
      if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) {
        look_at(child, function);
      } else if (tag == DW_TAG_lexical_block && dwarf_haspc(&child, pc_) > 0) {
        look_into(child, function);
      } else if (tag == DW_TAG_inlined_subroutine && dwarf_haspc(&child, pc_) > 0) {
        const char* const name = dwarf_diename(&child);
        look_into(child, name == nullptr ? function : name);
      }
    } while (dwarf_siblingof(&child, &child) == 0);
  }

  void find_base(Dwarf_Die& function) {
    Dwarf_Attribute attribute;
    Dwarf_Op* ops = nullptr;
    std::size_t count = 0;
    if (dwarf_getlocation_addr(dwarf_attr_integrate(&function, DW_AT_frame_base, &attribute), pc_, &ops,
                               &count, 1) == 1 &&
        count == 1)
      base_ = value_of(ops[0]);
  }

  std::optional<LocalVariable> found() const { return found_; }

 private:
  // The value of a register, or of the memory of the call. The frame pointer, where there is one, is pushed
  // first.
  std::optional<std::uint64_t> value_of(const Dwarf_Op& op) const {
    switch (op.atom) {
      case DW_OP_call_frame_cfa: return high_;
      case DW_OP_reg6: return high_ - 16;
      case DW_OP_reg7: return low_;
      case DW_OP_breg6: return high_ - 16 + op.number;
      case DW_OP_breg7: return low_ + op.number;
      case DW_OP_fbreg: return base_ ? std::optional(*base_ + op.number) : std::nullopt;
      default: return std::nullopt;
    }
  }

  // The inner one of two that lie there, which is looked at later.
  void look_at(Dwarf_Die& variable, const std::string& function) {
    const char* const name = dwarf_diename(&variable);
    Dwarf_Attribute attribute;
    if (name == nullptr || dwarf_attr(&variable, DW_AT_location, &attribute) == nullptr) return;
    Dwarf_Addr base = 0, begin = 0, end = 0;
    Dwarf_Op* ops = nullptr;
    std::size_t count = 0;
    for (std::ptrdiff_t at = 0;
         (at = dwarf_getlocations(&attribute, at, &base, &begin, &end, &ops, &count)) > 0;) {
      const std::optional<std::uint64_t> start = count == 1 ? value_of(ops[0]) : std::nullopt;
      if (!start || address_ - *start >= size_of(variable)) continue;
      found_ = LocalVariable{.name = name, .function = function, .offset = address_ - *start};
      return;
    }
  }

  static std::uint64_t size_of(Dwarf_Die& variable) {
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    Dwarf_Word size = 0;
    if (dwarf_formref_die(dwarf_attr_integrate(&variable, DW_AT_type, &attribute), &type) == nullptr)
      return 1;
    return dwarf_aggregate_size(&type, &size) == 0 ? size : 1;
  }

  const std::uint64_t pc_, low_, high_, address_;
  std::optional<std::uint64_t> base_;
  std::optional<LocalVariable> found_;
};

}  // namespace

std::optional<LocalVariable> local_variable_at(Dwarf_Die& unit, std::uint64_t pc, std::uint64_t low,
                                               std::uint64_t high, std::uint64_t address) {
  // The first call finds the innermost scope; around it are the others as they lie in the code.
  Dwarf_Die* lexical = nullptr;
  if (dwarf_getscopes(&unit, pc, &lexical) <= 0) return std::nullopt;
  Dwarf_Die* scopes = nullptr;
  const int count = dwarf_getscopes_die(&lexical[0], &scopes);
  std::free(lexical);
  std::optional<LocalVariable> found;
  for (Dwarf_Die& scope : std::span(scopes, static_cast<std::size_t>(std::max(count, 0)))) {
    if (dwarf_tag(&scope) != DW_TAG_subprogram) continue;
    Finder finder(pc, low, high, address);
    finder.find_base(scope);
    finder.look_into(scope, "");
    found = finder.found();
    break;
  }
  std::free(scopes);
  return found;
}

}  // namespace ravel::threads
