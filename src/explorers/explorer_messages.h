// What a program tells its explorer: a System whose programs can do so is one of these as well.
//
// A message is no operation. It is no scheduling point, has no part in a footprint, and tells no two states
// apart.
#pragma once

#include <vector>

#include "explorers/delaying_explorer.h"

namespace ravel {

class ExplorerMessages {
 public:
  virtual ~ExplorerMessages() = default;

  // What was told since this was last called, or since the execution began, in its order. Where the System
  // has gone back to a state, only what was told after that.
  virtual std::vector<ExplorerMessage> take_explorer_messages() = 0;
};

}  // namespace ravel
