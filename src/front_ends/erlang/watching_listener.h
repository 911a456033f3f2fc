// Ends a search in which an execution has changed code that was not watched, or has started an application
// while others could go on, and keeps its bugs from being told: the search begins again with that code
// watched (erlang/machine/run_time_code.cc), and with all orders of such starts
// (erlang/system/application_starts.h). Likewise where a program looks at the list of all processes, and the
// search has let ends come first that only this list shows (erlang/system/unseen_ends.h).
//
// A search by states begins again as well if verdicts on its ends depend on the way that leads there
// (erlang/system/noted_requests.h), but goes on until then: a bug that it finds is one. Only that there
// is none with fewer events is not known then.

#pragma once

#include "engine/exploration.h"
#include "erlang/system/erlang_system.h"

namespace ravel::erlang {

class WatchingListener final : public Listener {
 public:
  // What is said of a bug besides.
  enum class Claim : std::uint8_t { kNone, kNoneWithFewerEvents };

  WatchingListener(Listener& next, const ErlangSystem& system, Claim claim)
      : next_(next), system_(system), claim_(claim) {}

  void on_progress(const Counts& counts) override { next_.on_progress(counts); }
  void on_bug(const FoundBug& found) override {
    const bool is_claim_void = claim_ != Claim::kNone && !system_.requests().that_matter().empty();
    if (!has_discovered() && !is_claim_void) next_.on_bug(found);
  }
  bool ends_search() override { return has_discovered() || next_.ends_search(); }

  bool has_discovered() const {
    const ErlangSystem::Discovered found = system_.discovered();
    return !found.code.empty() || !found.concurrent_starts.empty() || found.lists_hidden_ends;
  }

 private:
  Listener& next_;
  const ErlangSystem& system_;
  const Claim claim_;
};

}  // namespace ravel::erlang
