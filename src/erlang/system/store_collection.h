// When stored terms are freed that nobody keeps: neither the machine nor those who have been added here.
#pragma once

#include <vector>

#include "erlang/machine/machine.h"
#include "erlang/term/heap.h"

namespace ravel::erlang {

// Who keeps stored terms from one step to the next. for_each() visits them all.
class TermKeeper : public Roots {
 public:
  // Stored terms have been freed: what was known of others than those is void.
  virtual void note_collected() {}
};

class StoreCollection final : private Roots {
 public:
  // It must outlive this object.
  explicit StoreCollection(Machine& machine) : machine_(machine) {}

  // They must stay as long as anybody collects.
  void add(TermKeeper& keeper) { keepers_.push_back(&keeper); }

  // REQUIRES: nothing young is in use.
  void collect_if_due() {
    if (machine_.store.wants_collection()) collect();
  }

 private:
  void collect();
  void for_each(Visit visit, void* collector) override;

  Machine& machine_;
  std::vector<TermKeeper*> keepers_;
};

}  // namespace ravel::erlang
