// Which program runs, with which arguments and test, and what all its processes have in common.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "threads/protocol/messages.h"
#include "threads/remote/standard_input.h"
#include "threads/remote/symbols.h"

namespace ravel::threads {

struct ProgramTest {
  TestKind kind = TestKind::kMain;
  std::string name = {};  // empty: main()

  friend bool operator==(const ProgramTest&, const ProgramTest&) = default;
};

// What the processes of one program share.
struct ProcessesShare {
  StandardInput input = {};
  SymbolsCache symbols = {};
  // A flag that ends a start which takes long: the program may wait for something before its main(). Null:
  // nobody sets it.
  const std::atomic<bool>* interrupt = nullptr;
};

struct ProgramCall {
  std::shared_ptr<ProcessesShare> share = std::make_shared<ProcessesShare>();  // by all copies of this
  std::string path;
  std::vector<std::string> arguments;
  ProgramTest test = {};
  bool is_beside_others = false;  // Configuration::is_beside_others

  // Whether the same is run.
  friend bool operator==(const ProgramCall& one, const ProgramCall& other) {
    return one.path == other.path && one.arguments == other.arguments && one.test == other.test;
  }
};

}  // namespace ravel::threads
