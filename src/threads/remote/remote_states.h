// A program under test in its own process, as a System whose states are numbered there (NumberedThreads).
//
// Cost: one more message a step than RemoteSystem; to go to a state is one message, whatever way leads there.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/system_wrapper.h"
#include "threads/protocol/messages.h"
#include "threads/remote/remote_system.h"

namespace ravel::threads {

class RemoteStates final : public SystemWrapper {
 public:
  // REQUIRES: the program is configured for a search by states, and stays so; its states are numbered by
  // nobody else. `system` must outlive this object.
  RemoteStates(RemoteSystem& system, const NumberingOrder& order);
  ~RemoteStates() override;

  SystemParts parts() const override { return {.numbers_states = true, .pending = true}; }
  // What was numbered is gone with the process: then the search cannot go on, whatever has ended it.
  Outcome outcome() const override { return system_.is_gone() ? Outcome::kUnsupported : system_.outcome(); }
  Refusal refusal() const override;

  std::optional<Fingerprint> fingerprint() override { return system_.state().fingerprint; }
  std::optional<MetState> number_state() override { return told(true).met; }
  void go_to(StateNumber state) override;
  std::uint64_t bytes_of_states() const override { return told().bytes; }
  std::optional<HashedStates> hashed_states() const override { return told().hashed; }
  // What is known of the states by now.
  StatesTold told() const { return told(false); }

 private:
  StatesTold told(bool numbers) const;

  RemoteSystem& system_;
};

}  // namespace ravel::threads
