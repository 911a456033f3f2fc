// What a search needs of a delaying explorer, if not all of it follows from the explorer's name.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>

#include "explorers/delaying_explorer.h"
#include "explorers/explorer_messages.h"

namespace ravel {

// What explorers have done wrong: sentences without a full stop, each once.
using ExplorerComplaints = std::set<std::string>;

struct ExplorerNeeds {
  // An explorer that is none of those that everybody has; null: its name says which one it is.
  std::function<std::unique_ptr<DelayingExplorer>()> make = {};
  ExplorerMessages* messages = nullptr;                      // null: the program tells nothing
  std::shared_ptr<ExplorerComplaints> complaints = nullptr;  // null: nobody wants to know
};

}  // namespace ravel
