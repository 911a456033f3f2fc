// The machine's saved states: the one in which a test begins, and those of snapshots, whose storage is
// reused.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/system.h"
#include "erlang/machine/freezer.h"
#include "erlang/system/store_collection.h"

namespace ravel::erlang {

class SavedStates final : public TermKeeper {
 public:
  explicit SavedStates(Freezer& freezer) : freezer_(freezer) {}

  void save_initial() { freezer_.save(initial_); }
  void restore_initial() { freezer_.restore(initial_); }
  bool has_initial() const { return !initial_.empty(); }

  Snapshot save();
  void restore(Snapshot snapshot) { freezer_.restore(saved_[static_cast<std::uint32_t>(snapshot)]); }
  void release(Snapshot snapshot) {
    saved_[static_cast<std::uint32_t>(snapshot)].clear();
    free_.push_back(static_cast<std::uint32_t>(snapshot));
  }

  void for_each(Visit visit, void* collector) override;

 private:
  Freezer& freezer_;
  std::vector<Term> initial_;
  std::vector<std::vector<Term>> saved_;  // by snapshot
  std::vector<std::uint32_t> free_;       // indices in saved_
};

}  // namespace ravel::erlang
