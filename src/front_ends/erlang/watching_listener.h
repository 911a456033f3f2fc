// Ends a search in which an execution has changed code that was not watched, or has started an application
// while others could go on, and keeps its bugs from being told: the search begins again with that code
// watched (erlang/machine/run_time_code.cc), and with all orders of such starts
// (erlang/system/application_starts.cc).

#pragma once

#include "engine/exploration.h"
#include "erlang/system/erlang_system.h"

namespace ravel::erlang {

class WatchingListener final : public Listener {
 public:
  WatchingListener(Listener& next, const ErlangSystem& system) : next_(next), system_(system) {}

  void on_progress(const Counts& counts) override { next_.on_progress(counts); }
  void on_bug(const FoundBug& found) override {
    if (!has_discovered()) next_.on_bug(found);
  }
  bool ends_search() override { return has_discovered() || next_.ends_search(); }

  bool has_discovered() const {
    return !system_.discovered_code().empty() || !system_.concurrent_starts().empty();
  }

 private:
  Listener& next_;
  const ErlangSystem& system_;
};

}  // namespace ravel::erlang
