// Words for what a program under test tells by numbers and addresses: memory, stacks, operations, bugs and
// what its executions have shown, with the names of the source.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "engine/bug.h"
#include "engine/system.h"
#include "threads/protocol/messages.h"
#include "threads/remote/program_call.h"
#include "threads/remote/remote_actors.h"
#include "threads/remote/symbols.h"

namespace ravel::threads {

// Where in the memory of the program's process an address is.
class AskedPlaces {
 public:
  // What was on stacks when the last operation took place, or what is there now.
  enum class When : std::uint8_t { kLastOperation, kNow };
  virtual HeapPlace place_of(std::uint64_t address, When when) = 0;

 protected:
  ~AskedPlaces() = default;
};

class RemoteTexts {
 public:
  using When = AskedPlaces::When;

  // All must outlive this object.
  RemoteTexts(const RemoteActors& actors, AskedPlaces& places, const ProgramCall& call)
      : actors_(actors), places_(places), call_(call) {}

  // Once, before anything is told: the names of the program.
  void open(std::shared_ptr<const Symbols> symbols) { symbols_ = std::move(symbols); }
  bool is_open() const { return symbols_ != nullptr; }
  const Symbols& symbols() const { return *symbols_; }

  Bug translate(const RawBug& raw) const;
  Refusal translate_refusal(const std::string& message, const std::vector<std::uint64_t>& stack) const;
  std::string describe_race(const RaceReport& race) const;
  std::string describe_left(const LeftThread& thread) const;
  // Where in the source they are, each once.
  std::vector<AssumedPlace> places_of(const Findings& findings) const;

  std::string operation(const OperationRecord& record) const;
  std::string address(std::uint64_t address, When when = When::kNow) const;
  // With names in the place of the marks of RawBug.
  std::string resolved(const std::string& text) const;

 private:
  std::string stack(std::span<const std::uint64_t> stack) const;
  std::string on_stack(std::uint64_t address, const StackPlace& place) const;

  const RemoteActors& actors_;
  AskedPlaces& places_;
  const ProgramCall& call_;
  std::shared_ptr<const Symbols> symbols_;
};

}  // namespace ravel::threads
