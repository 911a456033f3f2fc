// The foreign functions of a program, each with the function of a library that is run for it.
//
// A call is made twice, and both outcomes are compared, for the first kCallsCompared calls of each function
// and for one of kEvery later on: a function that depends on more than its arguments is found so.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "p/code/foreign_functions.h"
#include "p/foreign/library.h"
#include "p/program/program.h"

namespace ravel::p {

class LinkedFunctions final : public ForeignFunctions {
 public:
  static constexpr std::uint64_t kCallsCompared = 100;
  static constexpr std::uint64_t kEvery = 1024;

  // The program must outlive this. An error if two libraries have the same function, or one has a function
  // with other parameters or another result than the program declares.
  static Result<std::shared_ptr<const LinkedFunctions>> link(const Program& program,
                                                             std::span<const ForeignLibrary> libraries);

  bool has(FunctionId function) const override { return functions_[index(function)] != nullptr; }
  ForeignOutcome call(FunctionId function, std::span<const Value> arguments, std::span<const Value> answers,
                      ValueStore& store, const ValueNames& names) const override;
  std::optional<std::string> shown(Value foreign, ValueStore& store, const ValueNames& names) const override;

  // What the libraries have that the program does not declare.
  const std::vector<std::string>& undeclared() const { return undeclared_; }

 private:
  explicit LinkedFunctions(const Program& program)
      : program_(program),
        functions_(program.functions.size()),
        types_(program.types.size()),
        calls_(program.functions.size()) {}
  Status add(const ForeignLibrary& library, std::vector<const ForeignLibrary*>& owners);
  std::optional<FunctionId> declared(std::string_view name) const;

  const Program& program_;
  std::vector<const ravel_p_function*> functions_;  // by FunctionId; null: no library has it
  std::vector<const ravel_p_type*> types_;          // by number of the type; null: not shown in its own way
  std::vector<std::string> undeclared_;
  mutable std::vector<std::uint64_t> calls_;  // by FunctionId: how many there were
};

// As the library has to call it: F, or Machine::F.
std::string foreign_name(const Program& program, const Function& function);

// The foreign functions that machines and specs of these tests (places in Program::tests) may call.
std::vector<FunctionId> foreign_functions_of(const Program& program, std::span<const std::size_t> tests);

}  // namespace ravel::p
