#include "p/foreign/linked_functions.h"

#include <algorithm>

#include "p/foreign/foreign_call.h"
#include "p/foreign/signature.h"

namespace ravel::p {

namespace {

std::string cut(std::string text) {
  constexpr std::size_t kShownMax = 200;
  return text.size() > kShownMax ? text.substr(0, kShownMax) + "..." : text;
}

std::string in_words(const ForeignOutcome& outcome, const ValueNames& names) {
  switch (outcome.kind) {
    case ForeignOutcome::Kind::kResult: return "the result " + cut(to_text(outcome.value, names));
    case ForeignOutcome::Kind::kChooses: return "a choice of " + to_text(outcome.value, names);
    case ForeignOutcome::Kind::kFails: return "the failure " + cut(outcome.text);
    case ForeignOutcome::Kind::kThrows: return "the exception " + cut(outcome.text);
    case ForeignOutcome::Kind::kMisuse: return "that it " + cut(outcome.text);
  }
  return {};
}

ForeignOutcome differs(const ForeignOutcome& first, const ForeignOutcome& second, const ValueNames& names) {
  const std::string one = in_words(first, names), other = in_words(second, names);
  ForeignOutcome outcome;
  outcome.kind = ForeignOutcome::Kind::kMisuse;
  outcome.text = "was called twice with the same arguments, and " +
                 (one == other ? "what it has printed differs" : "gave " + one + ", then " + other) +
                 "; only its arguments and choose() may decide, so no rand(), no clock, and no variable that "
                 "outlives the call";
  return outcome;
}

}  // namespace

std::string foreign_name(const Program& program, const Function& function) {
  const std::string name(function.name);
  return function.owner ? std::string(program.machine(*function.owner).name) + "::" + name : name;
}

std::optional<FunctionId> LinkedFunctions::declared(std::string_view name) const {
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    const Function& function = program_.functions[i];
    if (function.is_foreign && foreign_name(program_, function) == name) return id_at<FunctionId>(i);
  }
  return std::nullopt;
}

Status LinkedFunctions::add(const ForeignLibrary& library, std::vector<const ForeignLibrary*>& owners) {
  for (std::size_t i = 0; i < library.table->function_count; ++i) {
    const ravel_p_function& given = library.table->functions[i];
    const std::string name = given.name;
    const std::optional<FunctionId> id = declared(name);
    if (!id) {
      undeclared_.push_back(name);
      continue;
    }
    const Function& function = program_.function(*id);
    if (const ForeignLibrary* const other = owners[index(*id)])
      return Error{library.file + ": the function " + name + " is there twice: " +
                   (other == &library ? "name it once" : other->file + " has it, too. Leave one out") + "."};
    if (given.signature != nullptr && !fits_signature(given.signature, function))
      return Error{library.file + ": the function " + name + " is " + given.signature +
                   " in P's words, and " + program_.sources.describe(function.place) + " declares " +
                   signature_of(function) + ". Change one of the two."};
    functions_[index(*id)] = &given;
    owners[index(*id)] = &library;
  }
  for (std::size_t number = 0; number < program_.types.size(); ++number) {
    const Type* const type = program_.types.at(number);
    for (std::size_t i = 0; type->is(TypeKind::kForeign) && i < library.table->type_count; ++i)
      if (library.table->types[i].name == type->name) types_[number] = &library.table->types[i];
  }
  return Success{};
}

Result<std::shared_ptr<const LinkedFunctions>> LinkedFunctions::link(
    const Program& program, std::span<const ForeignLibrary> libraries) {
  std::shared_ptr<LinkedFunctions> linked(new LinkedFunctions(program));
  std::vector<const ForeignLibrary*> owners(program.functions.size());
  for (const ForeignLibrary& library : libraries)
    if (Status added = linked->add(library, owners); !added) return added.error();
  return std::shared_ptr<const LinkedFunctions>(std::move(linked));
}

ForeignOutcome LinkedFunctions::call(FunctionId function, std::span<const Value> arguments,
                                     std::span<const Value> answers, ValueStore& store,
                                     const ValueNames& names) const {
  const ravel_p_function& run = *functions_[index(function)];
  const auto once = [&] { return ForeignCall(program_, store, names, answers).run(run, arguments); };
  const std::uint64_t before = calls_[index(function)]++;
  const ForeignOutcome outcome = once();
  if (before >= kCallsCompared && before % kEvery != 0) return outcome;
  const ForeignOutcome again = once();
  return outcome == again ? outcome : differs(outcome, again, names);
}

std::optional<std::string> LinkedFunctions::shown(Value foreign, ValueStore& store,
                                                  const ValueNames& names) const {
  const ravel_p_type* const type = types_[foreign_type(foreign)];
  if (type == nullptr) return std::nullopt;
  const ForeignOutcome outcome =
      ForeignCall(program_, store, names, {}).show(*type, foreign_content(foreign));
  if (outcome.kind == ForeignOutcome::Kind::kResult && is_string(outcome.value))
    return std::string(string_value(outcome.value));
  return std::string(type->name) + "(not shown: show() gives no string" +
         (outcome.text.empty() ? "" : ", " + cut(outcome.text)) + ")";
}

namespace {

class Reached {
 public:
  explicit Reached(const Program& program) : program_(program), is_reached_(program.functions.size()) {}

  void add(MachineId machine) {
    for (const StateId id : program_.machine(machine).states) {
      const State& state = program_.state(id);
      add(state.entry);
      add(state.exit);
      for (const Action& action : state.actions) add(action.function);
    }
  }
  std::vector<FunctionId> foreign() const {
    std::vector<FunctionId> all;
    for (std::size_t i = 0; i < is_reached_.size(); ++i)
      if (is_reached_[i] && program_.functions[i].is_foreign) all.push_back(id_at<FunctionId>(i));
    return all;
  }

 private:
  void add(std::optional<FunctionId> first) {
    std::vector<FunctionId> pending;
    if (first) pending.push_back(*first);
    while (!pending.empty()) {
      const FunctionId id = pending.back();
      pending.pop_back();
      if (is_reached_[index(id)]) continue;
      is_reached_[index(id)] = true;
      const std::vector<FunctionId>& callees = program_.function(id).callees;
      pending.insert(pending.end(), callees.begin(), callees.end());
    }
  }

  const Program& program_;
  std::vector<bool> is_reached_;
};

}  // namespace

std::vector<FunctionId> foreign_functions_of(const Program& program, std::span<const std::size_t> tests) {
  Reached reached(program);
  for (const std::size_t place : tests) {
    for (const Binding& binding : program.tests[place].bindings) reached.add(binding.machine);
    for (const Monitor& monitor : program.tests[place].monitors) reached.add(monitor.machine);
  }
  return reached.foreign();
}

}  // namespace ravel::p
